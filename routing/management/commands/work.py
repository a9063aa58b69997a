"""``manage.py work``: the one background worker."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from django_tasks.base import DEFAULT_TASK_BACKEND_ALIAS

from routing.working import JobWorker, at_work, worker_name

# Seconds between two looks for a job.
INTERVAL = 1.0


class Command(BaseCommand):
    """Do the jobs: vectors of big publishes and of a changed encoder."""

    help = "Do the jobs of the background until interrupted. One worker is enough."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--once", action="store_true", help="do what there is to do, then end")
        parser.add_argument(
            "--parent", type=int, help="end when this process, which started the worker, is gone"
        )

    def handle(self, **options: Any) -> None:
        """Work until interrupted."""
        name = worker_name()
        worker = JobWorker(
            queue_names=["*"],
            interval=INTERVAL,
            batch=options["once"],
            backend_name=DEFAULT_TASK_BACKEND_ALIAS,
            startup_delay=False,
            max_tasks=None,
            worker_id=name,
            excluded_queue_names=[],
        )
        with at_work(name=name, clock=timezone.now, parent=options["parent"]):
            # Its own signal handler: one batch is finished, then it ends.
            worker.configure_signals()
            self.stdout.write(f"Working as {name}. Ctrl-C stops it.")
            worker.run()
