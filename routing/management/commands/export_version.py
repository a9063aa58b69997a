"""``manage.py export_version REF``: write a published version to a file, byte for byte."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalog.models import CatalogVersion
from routing.management.catalogs import named_catalog
from routing.moves import current_move
from routing.references import MalformedReference, parse_reference


class Command(BaseCommand):
    """Export a version."""

    help = (
        "Write the canonical bytes of a published version, and beside them their SHA-256 as "
        "sha256sum checks it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("ref", help="name, name@4 or name@staging")
        parser.add_argument(
            "--output", "-o", type=Path, help="the file; a .sha256 is written beside it"
        )

    def handle(self, **options: Any) -> None:
        """Write the bytes to the file, or to the standard output."""
        version = _version(options["ref"])
        content, path = bytes(version.document), options["output"]
        if path is None:
            sys.stdout.buffer.write(content)
            sys.stdout.flush()
            self.stderr.write(f"{version.sha256}  {version}")
            return
        try:
            path.write_bytes(content)
            beside(path).write_text(f"{version.sha256}  {path.name}\n")
        except OSError as error:
            raise CommandError(f"Not written: {error}") from error
        self.stdout.write(f"{version} is in {path}: SHA-256 {version.sha256}.")


def beside(path: Path) -> Path:
    """Return the file that has the hash of another."""
    return path.with_name(f"{path.name}.sha256")


def _version(ref: str) -> CatalogVersion:
    try:
        reference = parse_reference(ref)
    except MalformedReference as error:
        raise CommandError(str(error)) from error
    catalog = named_catalog(reference.catalog)
    if reference.version is not None:
        version = catalog.versions.filter(number=reference.version).first()
    else:
        move = current_move(catalog, label=reference.label)
        version = move.release.version if move else None
    if version is None:
        raise CommandError(f"“{ref}” is not published.")
    return version
