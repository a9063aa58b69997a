"""``manage.py demo``: everything that a first look needs, the server, and the worker."""

import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from catalog.models import Catalog
from catalog.samples import SAMPLES
from dashboard.alerts.evaluating import evaluate_since
from dashboard.demo import how_to_sign_in, prepare_demo
from dashboard.secrets import make_private_folder
from routing.case_runs.sample import ensure_sample_paths
from routing.rollups.folding import fold_all
from routing.simulation import simulate

# Seconds in which a worker ends what it is at: a batch of vectors, of an endpoint at worst.
STOPS_WITHIN = 30
# What is simulated; alerts are judged for each of its hours.
MONTH = timedelta(days=30)


class Command(BaseCommand):
    """Prepare the demonstration and serve it."""

    help = "Migrate, fill in sample catalogs, an administrator, a key and traffic, serve and work."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--host", default="127.0.0.1", help="address to serve at")
        parser.add_argument("--port", type=int, default=8000, help="port to serve at")
        parser.add_argument("--no-serve", action="store_true", help="prepare only")
        parser.add_argument("--tasks", type=int, default=6000, help="how many tasks to simulate")

    def handle(self, **options: Any) -> None:
        """Prepare, then serve and work until interrupted."""
        make_private_folder(settings.VAR_DIR)
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        now = timezone.now()
        prepared = prepare_demo(folder=settings.VAR_DIR, now=now, say=self.stdout.write)
        simulate(
            tasks=options["tasks"],
            until=now,
            say=self.stdout.write,
            approver=prepared.administrator,
        )
        tried = ensure_sample_paths(by=prepared.administrator, now=now)
        if tried:
            self.stdout.write(f"Scripted agents tried out cases in {tried} runs.")
        fold_all(now=now)
        for catalog in Catalog.objects.filter(name__in=SAMPLES):
            evaluate_since(catalog, since=now - MONTH, now=now)
        self.stdout.write(
            f"{how_to_sign_in(prepared.password_file)}\n"
            f"The key for the API is in {prepared.key_file}."
        )
        if not options["no_serve"]:
            with working(manage=settings.BASE_DIR / "manage.py"):
                call_command("serve", host=options["host"], port=options["port"])


@contextmanager
def working(*, manage: Path) -> Iterator[None]:
    """Have a worker beside the server; it ends with it, however that ends."""
    worker = subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, str(manage), "work", "--parent", str(os.getpid())],
        # Ctrl-C is for the server, which then ends the worker: twice would cut its job short.
        start_new_session=True,
    )
    try:
        yield
    finally:
        worker.terminate()
        try:
            worker.wait(timeout=STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
