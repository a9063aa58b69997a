"""``manage.py bench_selection``: how long a selection takes, beside other libraries."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from routing.management.benchmarking.catalogs import made_catalog, made_tasks
from routing.management.benchmarking.measuring import (
    EncoderCalledTooOften,
    SelectionFailed,
    Size,
    measured,
    missing,
    record,
    table,
)
from routing.management.benchmarking.subjects import Document
from routing.management.evaluating import read_cases, read_catalog
from routing.management.options import refuse_below
from routing.management.progress import ProgressBar

SIZES = (34, 500, 5_000)


class Command(BaseCommand):
    """Time the selection core without the encoder, and what is installed beside it."""

    help = (
        "Time the selection core with the vectors of its tasks in memory, at several numbers of "
        "tools, beside bm25s, langgraph-bigtool and semantic-router where they are installed. "
        "No database is read."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "--tools", type=int, action="append", help="of a made catalog; may be repeated"
        )
        parser.add_argument(
            "--files", nargs=2, type=Path, metavar=("CATALOG", "CASES"), help="instead of made ones"
        )
        parser.add_argument("--tasks", type=int, default=20, help="how many of each catalog")
        parser.add_argument("--rounds", type=int, default=10, help="how often each task is timed")
        parser.add_argument("--seed", type=int, default=1, help="of catalogs, tasks and vectors")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, **options: Any) -> None:
        """Measure and print."""
        refuse_below(options, tasks=1, rounds=1, seed=0)
        catalogs = _catalogs(options)
        bar = ProgressBar(sys.stderr, "Measuring")
        sizes = []
        for done, (document, tasks) in enumerate(catalogs):
            bar(done, len(catalogs))
            sizes.append(_measured(document, tasks, options))
        bar(len(catalogs), len(catalogs))
        if options["json"]:
            value = {"seed": options["seed"], "rounds": options["rounds"], **record(sizes)}
            self.stdout.write(json.dumps(value, indent=2))
            return
        self.stdout.write("\n".join(table(sizes)))
        most, ruled = max(one.calls for one in sizes), max(one.ruled_calls for one in sizes)
        self.stdout.write(
            f"Calls of the encoder: at most {most} for a new task, {ruled} where a rule decides."
        )
        for name in missing(sizes):
            self.stdout.write(f"{name} is not installed and was left out.")


def _measured(document: Document, tasks: list[str], options: dict[str, Any]) -> Size:
    try:
        return measured(
            document, tasks, rounds=options["rounds"], clock=perf_counter, seed=options["seed"]
        )
    except (EncoderCalledTooOften, SelectionFailed) as error:
        raise CommandError(str(error)) from error


def _catalogs(options: dict[str, Any]) -> list[tuple[Document, list[str]]]:
    """Return the catalogs to measure, each with its tasks."""
    if options["files"]:
        if options["tools"]:
            raise CommandError("--tools is for made catalogs; --files has its own.")
        catalog, cases = options["files"]
        document = read_catalog(catalog)
        read = read_cases([cases], document, limit=options["tasks"])
        return [(document, [case.task for case in read])]
    seed = options["seed"]
    try:
        documents = [made_catalog(tools=size, seed=seed) for size in options["tools"] or SIZES]
    except ValueError as error:
        raise CommandError(f"--tools: {error}") from error
    return [
        (document, made_tasks(document=document, count=options["tasks"], seed=seed))
        for document in documents
    ]
