"""``manage.py backup``: the whole installation in one file, while it serves."""

import tomllib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from dashboard.backup import BadBackup, save
from dashboard.backup.keys import kept_secret_key
from dashboard.secrets import make_private_folder


class Command(BaseCommand):
    """Write a backup."""

    help = "Write everything in the database, and the secret key, to one file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("file", nargs="?", type=Path, help="default: in var/backups, by time")
        parser.add_argument("--without-secret-key", action="store_true", help="leave it out")

    def handle(self, **options: Any) -> None:
        """Write the file and say what is in it."""
        now = timezone.now()
        path = options["file"] or _by_time(f"{now:%Y%m%dT%H%M%SZ}")
        secret_key = "" if options["without_secret_key"] else kept_secret_key()
        say = self.stdout.write if options["verbosity"] > 1 else lambda line: None
        try:
            manifest = save(path=path, now=now, version=_version(), secret_key=secret_key, say=say)
        except FileExistsError as error:
            raise CommandError(f"{path} is there already.") from error
        except (BadBackup, OSError) as error:
            raise CommandError(str(error)) from error
        size = path.stat().st_size
        self.stdout.write(
            f"Wrote {manifest.rows:,} rows of {len(manifest.tables)} tables, "
            f"{size:,} bytes. {_about(secret_key)}"
        )
        self.stdout.write(str(path))


def _about(secret_key: str) -> str:
    if secret_key:
        return "The secret key is in it: keep the file as you keep the database."
    return "No secret key is in it: keep that beside it."


def _by_time(time: str) -> Path:
    folder = settings.VAR_DIR / "backups"
    make_private_folder(folder)
    path: Path = folder / f"toolcrib-{time}.zip"
    return path


def _version() -> str:
    text = (settings.BASE_DIR / "pyproject.toml").read_text("utf-8")
    return str(tomllib.loads(text)["project"]["version"])
