"""``manage.py restore FILE``: make the installation what it was when a backup was made."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from dashboard.backup import BadBackup, NotEmpty, opened, restore
from dashboard.backup.keys import put_secret_key


class Command(BaseCommand):
    """Check a backup, and put it in the place of the database."""

    help = "Put a backup into this installation: everything, or nothing."
    # The database may be as empty as can be.
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--check", action="store_true", help="check the file, change nothing")
        parser.add_argument(
            "--replace", action="store_true", help="put it in place of what is here, which is lost"
        )

    def handle(self, **options: Any) -> None:
        """Restore, and say what to do next."""
        say = self.stdout.write if options["verbosity"] > 1 else lambda line: None
        try:
            with opened(options["file"]) as backup:
                made = backup.manifest
                self.stdout.write(
                    f"Made by version {made.version} at {made.made_at} from {made.engine}: "
                    f"{made.rows:,} rows of {len(made.tables)} tables, as they were written."
                )
                if options["check"]:
                    return
                restore(backup, replace=options["replace"], say=say)
                self.stdout.write(put_secret_key(backup))
        except NotEmpty as full:
            raise CommandError(
                f"There is something here already ({full}), and nothing was changed. "
                "With --replace it is lost: make a backup of it first."
            ) from full
        except (BadBackup, OSError, Error) as error:
            raise CommandError(f"{error}\nNothing was changed.") from error
        self.stdout.write("It is restored. Start the server and the worker anew; people sign in.")
