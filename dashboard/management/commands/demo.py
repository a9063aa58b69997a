"""``manage.py demo``: everything that a first look needs, and the server."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from dashboard.demo import how_to_sign_in, prepare_demo
from dashboard.secrets import make_private_folder
from routing.simulation import simulate


class Command(BaseCommand):
    """Prepare the demonstration and serve it."""

    help = "Migrate, fill in sample catalogs, an administrator, a key and traffic, and serve."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--host", default="127.0.0.1", help="address to serve at")
        parser.add_argument("--port", type=int, default=8000, help="port to serve at")
        parser.add_argument("--no-serve", action="store_true", help="prepare only")
        parser.add_argument("--tasks", type=int, default=6000, help="how many tasks to simulate")

    def handle(self, **options: Any) -> None:
        """Prepare, then serve until interrupted."""
        make_private_folder(settings.VAR_DIR)
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        now = timezone.now()
        prepared = prepare_demo(folder=settings.VAR_DIR, now=now, say=self.stdout.write)
        simulate(tasks=options["tasks"], until=now, say=self.stdout.write)
        self.stdout.write(
            f"{how_to_sign_in(prepared.password_file)}\n"
            f"The key for the API is in {prepared.key_file}."
        )
        if not options["no_serve"]:
            call_command("serve", host=options["host"], port=options["port"])
