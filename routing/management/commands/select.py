"""``manage.py select REF "task"``: try a selection from the command line, without any record."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from routing.api.bodies import explanation
from routing.management.accounts import account_lines
from routing.management.catalogs import named_catalog
from routing.moves import NothingLive
from routing.preview import (
    Preview,
    accounts_of,
    compiled_label,
    compiled_version,
    preview_selection,
)
from routing.references import MalformedReference, Reference, parse_reference
from routing.selection import Query, Strategy, UnknownPhase, UnknownRoute
from routing.selection.whynot import UnknownTool


class Command(BaseCommand):
    """Choose the tools of a task and write nothing."""

    help = "Choose the tools of a task as the API would, and write nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("ref", help="name, name@4 or name@staging")
        parser.add_argument("task")
        parser.add_argument("--strategy", choices=[strategy.value for strategy in Strategy])
        parser.add_argument("--phase")
        parser.add_argument("--route")
        parser.add_argument("--explain", action="store_true", help="say why, tool by tool")
        parser.add_argument(
            "--why",
            action="append",
            default=[],
            metavar="TOOL",
            help="say why this tool is served or not, and what it lacked; may be given again",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, **options: Any) -> None:
        """Select and print."""
        query = Query(
            task=options["task"],
            strategy=Strategy(options["strategy"]) if options["strategy"] else None,
            phase=options["phase"],
            route=options["route"],
        )
        if not query.task.strip():
            raise CommandError("The task is blank.")
        try:
            reference = parse_reference(options["ref"])
            preview = _preview(reference, query)
            accounts = accounts_of(preview, options["why"])
        except (MalformedReference, UnknownPhase, UnknownRoute, UnknownTool) as error:
            raise CommandError(str(error)) from error
        except NothingLive as error:
            raise CommandError(f"“{options['ref']}” is not published.") from error
        value = _value(preview, explain=options["explain"])
        if options["json"]:
            value |= {"why": [account.record() for account in accounts]} if accounts else {}
            self.stdout.write(json.dumps(value, ensure_ascii=False, indent=2))
        else:
            told = [line for account in accounts for line in account_lines(account)]
            self.stdout.write("\n".join([*_lines(value), *told]))


def _preview(reference: Reference, query: Query) -> Preview:
    catalog = named_catalog(reference.catalog)
    if reference.version is None:
        release = compiled_label(catalog, reference.label)
        return preview_selection(release=release, query=query, now=timezone.now())
    version = catalog.versions.filter(number=reference.version).first()
    if version is None:
        raise NothingLive
    return preview_selection(release=compiled_version(version), query=query, now=timezone.now())


def _value(preview: Preview, *, explain: bool) -> dict[str, Any]:
    selection = preview.selection
    return {
        "catalog": preview.release.ref,
        "strategy": selection.strategy.value,
        "decided_by": selection.decided_by.value,
        "groups": list(selection.groups),
        "confidence": round(selection.confidence, 4),
        "fallback": selection.fallback.value if selection.fallback else None,
        "failure": selection.failure,
        "tool_names": preview.tool_names,
        "tokens": {"selected": preview.tokens.selected, "catalog": preview.tokens.catalog},
        "router": preview.router.record() if preview.router else None,
        "explain": explanation(selection, router=preview.router) if explain else None,
    }


def _asked(router: dict[str, Any]) -> str:
    """Return what asking a model came to and cost."""
    said = router["failure"] or f"{', '.join(router['groups']) or 'no group'}"
    tokens = router["tokens"]
    cost = "cost unknown" if router["cost"] is None else f"{router['cost']:.6f} USD"
    return (
        f"asked {router['model']}: {said} "
        f"({tokens['input']} + {tokens['output']} tokens, {cost}, {router['latency_ms']} ms)"
    )


def _lines(value: dict[str, Any]) -> list[str]:
    """Return what a person reads: the decision, then a tool a line."""
    fallback = f", {value['fallback']}" if value["fallback"] else ""
    lines = [
        f"{value['catalog']}: {', '.join(value['groups']) or 'no group'} "
        f"(confidence {value['confidence']:.2f}{fallback}, decided by {value['decided_by']})",
        f"{value['tokens']['selected']} of {value['tokens']['catalog']} tokens",
    ]
    if value["failure"]:
        lines.append(f"why it failed: {value['failure']}")
    if value["router"] is not None:
        lines.append(_asked(value["router"]))
    if value["explain"] is None:
        return [*lines, *value["tool_names"]]
    for mark, part in (("+", "included"), ("-", "omitted")):
        for row in value["explain"][part]:
            score = "" if row["score"] is None else f" {row['score']:.2f}"
            lines.append(f"{mark} {row['tool']}: {row['reason']}{score}")
    return lines
