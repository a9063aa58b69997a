"""``manage.py bench_spans``: what charts, searches and counting take over millions of spans."""

from __future__ import annotations

import json
import logging
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import timedelta
from time import perf_counter, process_time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.models import Count
from django.test import override_settings
from django.utils import timezone

from catalog.models import Catalog
from dashboard.management.scale.bulk import load, settle
from dashboard.management.scale.counting import count_from_nothing, count_new
from dashboard.management.scale.days import make_past_days
from dashboard.management.scale.ingest import ingest_times
from dashboard.management.scale.measuring import chart_times, page_times, search_times
from dashboard.management.scale.patterns import simulated_patterns
from dashboard.management.scale.report import (
    Report,
    chart_lines,
    filling_lines,
    ingest_lines,
    page_lines,
    search_lines,
)
from dashboard.management.scale.sizes import sizes
from routing.management.benchmarking.own_database import own_database
from routing.management.options import refuse_below
from routing.management.progress import ProgressBar
from routing.models import HourlyCount, Run

DAYS = 90
PARTS = ("charts", "pages", "searches", "ingest")
_WITHOUT_COLLECTED_FILES = {
    **settings.STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}


class Command(BaseCommand):
    """Load spans into a database of their own, and measure what reads them."""

    help = (
        "Load spans of 90 days into a database of their own, which is dropped again: copies of "
        "simulated runs of the sample catalogs. Print what that and counting them takes, their "
        "room on disk, every chart beside the raw query for the same figure, every page and every "
        "filter of runs, and how many spans a second the API takes with counting on and off."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--spans", type=int, default=10_000_000)
        parser.add_argument(
            "--texts", type=float, default=0.25, help="share of the runs that keep their words"
        )
        parser.add_argument("--patterns", type=int, default=1000, help="simulated runs to copy")
        parser.add_argument("--rounds", type=int, default=5, help="times that each is measured")
        parser.add_argument(
            "--seconds", type=int, default=60, help="of posting to a server; 0 leaves it out"
        )
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--keep",
            default="",
            help="keep the database: its file (SQLite) or name (PostgreSQL). One that is there "
            "is measured as it is",
        )
        parser.add_argument(
            "--only",
            choices=PARTS,
            action="append",
            help="measure only this; may be repeated",
        )
        parser.add_argument(
            "--processor",
            action="store_true",
            help="of charts, pages and searches count seconds of this process's processor time, "
            "which on SQLite is all of the work and on a busy machine says more than the clock",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, **options: Any) -> None:
        """Load, measure and print."""
        refuse_below(options, spans=1, patterns=1, rounds=1, seconds=0)
        logging.getLogger("django.request").setLevel(logging.ERROR)
        with (
            override_settings(
                ALLOWED_HOSTS=["*"],
                SECURE_SSL_REDIRECT=False,
                STORAGES=_WITHOUT_COLLECTED_FILES,
                # What is measured is what comes after an answer.
                ENCODER="none",
            ),
            own_database(keep=options["keep"]),
        ):
            self._measure(options)

    def _measure(self, options: dict[str, Any]) -> None:
        """Measure part by part, and print each as it is done; JSON comes at the end."""
        report = Report(database=f"{connection.vendor} {_version()}")
        for found in _parts(report, options):
            if not options["json"]:
                self.stdout.write("\n".join(found))
        if options["json"]:
            self.stdout.write(json.dumps(report.record(), indent=2))


def _parts(report: Report, options: dict[str, Any]) -> Iterator[Iterator[str]]:
    """Measure what is wanted, and yield each part as lines."""
    now = timezone.now()
    begins = now - timedelta(days=DAYS)
    if not HourlyCount.objects.exists():
        _fill(report, options)
    report.sizes = sizes()
    yield filling_lines(report)
    catalog = _busiest()
    clock = process_time if options["processor"] else perf_counter
    common: dict[str, Any] = {"rounds": options["rounds"], "clock": clock}
    wanted = options["only"] or PARTS
    if "charts" in wanted:
        report.charts += chart_times(catalog=catalog.pk, now=now, **common)
        yield chart_lines(report.charts)
    if "pages" in wanted:
        report.pages += page_times(catalog=catalog, **common)
        yield page_lines(report.pages)
    if "searches" in wanted:
        report.searches += search_times(catalog=catalog, begins=begins, now=now, **common)
        yield search_lines(report.searches)
    if "ingest" in wanted and options["seconds"]:
        report.ingest += ingest_times(
            catalog=catalog, seconds=options["seconds"], seed=options["seed"], now=now
        )
        yield ingest_lines(report.ingest)


def _fill(report: Report, options: dict[str, Any]) -> None:
    now = timezone.now()
    begins = now - timedelta(days=DAYS)
    make_past_days(since=begins, now=now)
    patterns = simulated_patterns(
        until=now, days=DAYS, tasks=options["patterns"], seed=options["seed"], say=_say
    )
    common: dict[str, Any] = {"texts": options["texts"], "clock": perf_counter}
    report.loaded = load(
        patterns,
        spans=options["spans"],
        begins=begins,
        ends=now,
        seed=options["seed"],
        progress=ProgressBar(sys.stderr, "Loading"),
        **common,
    )
    settle()
    report.from_nothing = count_from_nothing(
        now=now, clock=perf_counter, progress=ProgressBar(sys.stderr, "Counting")
    )
    # A day's worth, all of it new.
    load(
        patterns,
        spans=max(options["spans"] // DAYS, 1),
        begins=now - timedelta(days=1),
        ends=now,
        seed=options["seed"] + 1,
        late=True,
        **common,
    )
    report.as_they_come = count_new(now=now, clock=perf_counter)
    settle()


def _busiest() -> Catalog:
    runs = Run.objects.values("catalog").annotate(count=Count("pk")).order_by("-count")
    return Catalog.objects.get(pk=runs[0]["catalog"])


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _version() -> str:
    return ".".join(str(part) for part in connection.get_database_version())
