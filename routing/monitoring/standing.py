"""Families of how things stand: the worker, what is behind, what is live, what is switched off."""

import platform
import tomllib
from collections.abc import Mapping
from datetime import datetime
from functools import cache

from django.conf import settings
from django.db import connection
from django.db.models import Count, QuerySet

from routing.models import Approval, Circuit, CountedUpTo, LabelMove, Span
from routing.models.release import LIVE
from routing.monitoring.exposition import Family, Kind
from routing.working import is_working

MOST_BEHIND = 100_000
"""No more spans than that are counted one by one to say how far counts are behind."""

Names = Mapping[int, str]
"""The names of catalogs by their rows."""


def families_of_installation(*, now: datetime) -> list[Family]:
    """Return what is so of the installation as a whole, whichever catalogs are asked for."""
    build = Family("toolcrib_build_info", Kind.GAUGE, "What runs here, always 1.")
    build.add(1, version=version(), python=platform.python_version(), database=connection.vendor)
    worker = Family("toolcrib_worker_up", Kind.GAUGE, "1 while a worker says that it is up.")
    worker.add(is_working(now=now))
    return [build, worker, *_counting(now=now)]


def families_of_catalogs(names: Names, *, now: datetime) -> list[Family]:
    """Return how catalogs stand."""
    return [
        *_live(names),
        _counted(
            names,
            Circuit.objects.unclosed(),
            Family("toolcrib_circuits_open", Kind.GAUGE, "Circuits that are not closed."),
        ),
        _counted(
            names,
            Approval.objects.waiting(now=now).of_traffic(),
            Family("toolcrib_approvals_waiting", Kind.GAUGE, "Calls that wait for a person."),
        ),
    ]


@cache
def version() -> str:
    """Return the version of the project, as pyproject.toml has it."""
    try:
        project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text("utf-8"))
        return str(project["project"]["version"])
    except (OSError, KeyError, ValueError):
        return "unknown"


def _counting(*, now: datetime) -> list[Family]:
    mark = CountedUpTo.objects.filter(pk=1).first()
    newer = Span.objects.filter(id__gt=mark.span if mark else 0).order_by("id")
    behind = Family(
        "toolcrib_spans_uncounted",
        Kind.GAUGE,
        f"Spans that counts are behind, {MOST_BEHIND} where they are more.",
    )
    behind.add(newer.values("id")[:MOST_BEHIND].count())
    folded = Family(
        "toolcrib_seconds_since_fold",
        Kind.GAUGE,
        "Seconds since spans were counted last; it grows while there are none to count.",
    )
    if mark is not None and mark.at is not None:
        folded.add(max(0.0, (now - mark.at).total_seconds()))
    return [behind, folded]


def _live(names: Names) -> list[Family]:
    number = Family("toolcrib_live_version", Kind.GAUGE, "The number of the version that is live.")
    release = Family("toolcrib_live_release", Kind.GAUGE, "The number of its release.")
    moves = LabelMove.objects.current(label=LIVE).filter(catalog__in=names)
    for pk, of_version, of_release in moves.order_by("catalog").values_list(
        "catalog", "release__version__number", "release__number"
    ):
        number.add(of_version, catalog=names[pk])
        release.add(of_release, catalog=names[pk])
    return [number, release]


def _counted(
    names: Names, rows: "QuerySet[Circuit] | QuerySet[Approval]", family: Family
) -> Family:
    found = rows.filter(catalog__in=names).order_by().values_list("catalog")
    counts = dict(found.annotate(count=Count("pk")))
    for pk, name in names.items():
        family.add(counts.get(pk, 0), catalog=name)
    return family
