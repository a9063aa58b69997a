"""``manage.py import_version CATALOG FILE``: write an exported version into a draft."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from catalog.models import Catalog
from catalog.names import catalog_name
from catalog.publishing import freeze_and_check
from catalog.whole_versions import NotAVersion, ReadVersion, read_version, renumbered, take_in
from routing.management.catalogs import named_catalog
from routing.management.commands.export_version import beside


class Command(BaseCommand):
    """Import a version."""

    help = (
        "Make the draft of a catalog say what an exported version says, revision numbers included: "
        "published unchanged it is that version, byte for byte. The hash in FILE.sha256 is checked "
        "where there is one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("catalog")
        parser.add_argument("file", type=Path)
        parser.add_argument("--sha256", default="", help="the hash that the file should have")
        parser.add_argument("--new", action="store_true", help="make the catalog first")

    def handle(self, **options: Any) -> None:
        """Read, check, write into the draft, and say whether it is the same byte for byte."""
        path: Path = options["file"]
        expected = options["sha256"] or _known_hash(path)
        try:
            version = read_version(path.read_bytes(), sha256=expected)
        except OSError as error:
            raise CommandError(f"Not read: {error}") from error
        except NotAVersion as error:
            raise CommandError(f"{path} is not taken in.\n{error}") from error
        with transaction.atomic():
            catalog = _catalog(options["catalog"], new=options["new"])
            others = renumbered(catalog=catalog, version=version)
            note = path.name[:500]
            take_in(
                catalog=catalog,
                version=version,
                reviewed_sha256=None,
                now=timezone.now(),
                note=note,
            )
        for one in others:
            self.stdout.write(f"{one.name}: revision {one.given} in place of {one.carried}")
        self.stdout.write(_outcome(catalog, version))


def _known_hash(path: Path) -> str:
    try:
        words = beside(path).read_text().split()
    except (OSError, UnicodeDecodeError):
        return ""
    return words[0] if words else ""


def _catalog(name: str, *, new: bool) -> Catalog:
    if not new:
        return named_catalog(name)
    try:
        catalog_name(name)
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from error
    if Catalog.objects.filter(name=name).exists():
        raise CommandError(f"There is a catalog “{name}” already.")
    return Catalog.objects.create(name=name, title=name)


def _outcome(catalog: Catalog, version: ReadVersion) -> str:
    draft = freeze_and_check(Catalog.objects.get(pk=catalog.pk))
    if draft.sha256 == version.sha256:
        return f"The draft of {catalog} is that version: SHA-256 {draft.sha256}."
    return (
        f"The draft of {catalog} says what the version says, and has another hash: {draft.sha256}, "
        f"not {version.sha256}."
    )
