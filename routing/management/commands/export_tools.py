"""``manage.py export_tools REF``: write tools in a provider's format to the standard output."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalog.documents import document_of
from catalog.exporting import export_tools
from catalog.formats import FORMATS
from catalog.freezing import tool_value
from catalog.models import Catalog, CatalogVersion
from routing.labels import labels_of
from routing.management.catalogs import named_catalog
from routing.references import MalformedReference, Reference, parse_reference


class Command(BaseCommand):
    """Export tools."""

    help = (
        "Write the tools of what a reference names (name, name@4, name@staging) in a format to the "
        "standard output, and what the format cannot carry to the standard error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("ref")
        parser.add_argument("--draft", action="store_true", help="of the draft, as it is now")
        parser.add_argument("--format", choices=sorted(FORMATS), default="native")
        parser.add_argument("--strict", action="store_true", help="with strict schemas")

    def handle(self, **options: Any) -> None:
        """Write the document."""
        try:
            reference = parse_reference(options["ref"])
        except MalformedReference as error:
            raise CommandError(str(error)) from error
        catalog = named_catalog(reference.catalog)
        if options["draft"] and "@" in options["ref"]:
            raise CommandError("The draft is no version: give the catalog's name alone.")
        tools = _draft(catalog) if options["draft"] else _published(catalog, reference)
        made = export_tools(tools=tools, format_name=options["format"], strict=options["strict"])
        self.stdout.write(made.content.decode(), ending="")
        for field, count in made.lost.items():
            self.stderr.write(f"{field} is not carried ({count} tools)")
        for altered in made.altered:
            self.stderr.write(altered)
        if made.not_strict:
            self.stderr.write(f"no strict form: {', '.join(made.not_strict)}")


def _draft(catalog: Catalog) -> Sequence[Mapping[str, Any]]:
    rows = catalog.tools.order_by("position", "id")
    return [{**tool_value(row), "revision": 1} for row in rows]


def _published(catalog: Catalog, reference: Reference) -> Sequence[Mapping[str, Any]]:
    version = _version(catalog, reference)
    if version is None:
        raise CommandError(
            f"“{catalog.name}” has nothing published there. --draft exports what is not."
        )
    tools: Sequence[Mapping[str, Any]] = document_of(version)["tools"]
    return tools


def _version(catalog: Catalog, reference: Reference) -> CatalogVersion | None:
    if reference.version is not None:
        return catalog.versions.filter(number=reference.version).first()
    pointers = [one for one in labels_of(catalog) if one.name == reference.label]
    if not pointers:
        return None
    return catalog.versions.get(pk=pointers[0].move.release.version_id)
