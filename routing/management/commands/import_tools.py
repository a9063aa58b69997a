"""``manage.py import_tools CATALOG [FILE]``: bring tools into a draft, or sync them again."""

import shlex
import sys
from argparse import ArgumentParser
from getpass import getpass
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from catalog.importing import (
    Choices,
    ImportRefused,
    Kind,
    Outcome,
    Preview,
    apply_import,
    preview_import,
)
from catalog.models.origin import SOURCE_LENGTH
from catalog.reading import READABLE, read
from routing.management.catalogs import bounded, named_catalog
from routing.sources import (
    MOST_BYTES,
    BadHeader,
    Fetched,
    SourceFailed,
    fetch_document,
    read_header,
)

# What is printed of one kind of tools; the rest is counted.
_LINES = 200
_SIGNS = {
    Kind.NEW: "+",
    Kind.CHANGED: "~",
    Kind.KEPT: "=",
    Kind.GONE: "?",
    Kind.DELETED: "-",
    Kind.REFUSED: "!",
    Kind.FAULTY: "!",
}


class Command(BaseCommand):
    """Import tools into a catalog's draft."""

    help = (
        "Import tools into a catalog's draft: from a file (- is what is piped in), an address, or "
        "a server of MCP. Importing again from the same source is a sync. Exits 1 where a tool "
        "could not go in; the others have gone in all the same."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("catalog")
        parser.add_argument("file", nargs="?", help="JSON or YAML; - reads what is piped in")
        parser.add_argument("--url", help="fetch a document from an address")
        parser.add_argument("--mcp", metavar="URL", help="list a live MCP server over HTTP")
        parser.add_argument(
            "--mcp-stdio",
            metavar="COMMAND",
            help="run a program that is an MCP server, and list it",
        )
        parser.add_argument(
            "--header",
            default="",
            help="“Name: value” to send to the address; - reads it from the terminal unseen",
        )
        parser.add_argument("--format", choices=READABLE, help="told by the document unless given")
        parser.add_argument("--source", help="what the source is called; later syncs go by it")
        parser.add_argument("--group", default="", help="the group for new tools, made if missing")
        parser.add_argument(
            "--take-theirs",
            action="store_true",
            help="take the source's value also of fields that were edited here",
        )
        parser.add_argument(
            "--remove-gone", action="store_true", help="remove tools that the source no longer has"
        )
        parser.add_argument(
            "--bring-back", action="store_true", help="bring back tools that were deleted here"
        )
        parser.add_argument("--dry-run", action="store_true", help="say what it would do only")

    def handle(self, **options: Any) -> None:
        """Import, and say what became of each tool."""
        catalog = named_catalog(options["catalog"])
        got = _fetched(options)
        source = bounded(
            options["source"] or got.source, what="--source", least=1, most=SOURCE_LENGTH
        )
        reading = read(got.content, format_name=options["format"] or got.format_name)
        preview = preview_import(catalog=catalog, reading=reading, source=source)
        if preview.faults:
            raise CommandError("\n".join(fault.message for fault in preview.faults))
        self._tell(preview)
        if options["dry_run"]:
            self.stdout.write("Nothing was written.")
        else:
            choices = Choices(
                take_all=options["take_theirs"],
                remove_all=options["remove_gone"],
                bring_all_back=options["bring_back"],
                group=bounded(options["group"], what="--group", most=63),
            )
            try:
                outcome = apply_import(
                    catalog=catalog, preview=preview, now=timezone.now(), choices=choices
                )
            except ValidationError as error:
                raise CommandError(f"--group: {' '.join(error.messages)}") from error
            except ImportRefused as error:
                raise CommandError(str(error)) from error
            self.stdout.write(_sum(outcome))
        if preview.of(Kind.REFUSED, Kind.FAULTY):
            sys.exit(1)

    def _tell(self, preview: Preview) -> None:
        for note in preview.notes:
            self.stdout.write(note.message)
        for kind, sign in _SIGNS.items():
            entries = preview.of(kind)
            for entry in entries[:_LINES]:
                told = [_SAID[kind]] if kind in _SAID else []
                told += [f"takes {change.field}" for change in entry.taken]
                told += [f"keeps {change.field} as edited here" for change in entry.kept]
                told += [remark.message for remark in entry.remarks]
                name = entry.name or entry.place
                self.stdout.write(f"{sign} {name}{': ' if told else ''}{'; '.join(told)}")
            if len(entries) > _LINES:
                self.stdout.write(f"{sign} and {len(entries) - _LINES} more ({kind})")


_SAID = {
    Kind.GONE: "no longer in the source (--remove-gone)",
    Kind.DELETED: "was deleted here (--bring-back)",
}


def _sum(outcome: Outcome) -> str:
    counts = {
        "added": len(outcome.added),
        "brought back": len(outcome.brought_back),
        "changed": len(outcome.changed),
        "removed": len(outcome.removed),
        "kept as edited here": len(outcome.kept),
        "unchanged": outcome.unchanged,
        "left as they were": len(outcome.left),
        "refused": len(outcome.refused),
        "faulty": len(outcome.faulty),
    }
    told = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    return f"{outcome.source}: {told or 'nothing'}."


@sensitive_variables("header")
def _fetched(options: dict[str, Any]) -> Fetched:
    ways = [name for name in ("file", "url", "mcp", "mcp_stdio") if options[name]]
    if len(ways) != 1:
        raise CommandError("Give one of: a file, --url, --mcp, --mcp-stdio.")
    try:
        if options["file"]:
            return _of_file(options["file"])
        if options["mcp_stdio"]:
            from routing.sources.mcp_stdio import run_mcp_server  # noqa: PLC0415 - slow to load

            return run_mcp_server(command=options["mcp_stdio"])
        header = read_header(_asked(options["header"]))
        if options["url"]:
            return fetch_document(url=options["url"], header=header)
        from routing.sources.mcp_http import fetch_mcp_tools  # noqa: PLC0415 - slow to load

        return fetch_mcp_tools(url=options["mcp"], header=header)
    except (SourceFailed, BadHeader) as error:
        raise CommandError(str(error)) from error


def _asked(header: str) -> str:
    """Return the header; one that is a key need not stand in the shell's history."""
    if header != "-":
        return header
    return getpass("Header: ")


def _of_file(name: str) -> Fetched:
    if name == "-":
        return Fetched(sys.stdin.buffer.read(MOST_BYTES + 1), "stdin")
    path = Path(name)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CommandError(f"{shlex.quote(name)}: {error.strerror or error}") from error
    return Fetched(content, path.name)
