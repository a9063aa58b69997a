"""Tasks of last week's runs: a sample by seed of what was asked, and what solved runs called.

Of a task whose words are not kept nothing is known. Words that are equal but for digits are one
task: telling them apart by meaning would cost as much as trying them.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

from catalog.documents import document_of
from catalog.models import Catalog, CatalogVersion
from routing.datasets.rows import read_channel
from routing.datasets.tracing import called_upon
from routing.evaluation.cases import Case
from routing.evaluation.near import plain, said_before
from routing.gate.rules import TASK
from routing.gate_checks.trying import Task
from routing.models import Run, Span, Text
from routing.models.run import CASE, SIMULATED
from routing.partitions.since import ids_since
from routing.rollups.reading import tool_name
from routing.selection import Strategy

WEEK = timedelta(days=7)
MOST_RUNS = 20_000
"""The newest runs of the week that the sample is drawn from."""
RUNS_AT_ONCE = 500
MOST_SILENT = 2_000
"""So many runs in a row of which no words are kept: then nobody looks for more."""
_COLUMNS = ("pk", "run_id", "release_id", "strategy", "max_tools", "inclusive", "details")
_ASKED = ("phase", "channel", "route")

Drawn = tuple[int, int, int]
"""A selection's span, its run, and how many tasks it stands for."""


def draw(catalog: Catalog, *, until: datetime, most: int, seed: int) -> list[Drawn]:
    """Return a sample of what was asked in the week before ``until``; by dice, a task once.

    Simulated runs fill up what others leave: one request of somebody who looks around is no week.
    """
    if not most:
        return []
    runs = Run.objects.filter(
        catalog=catalog, started_at__gte=until - WEEK, started_at__lt=until
    ).exclude(source=CASE)  # what tries out a case nobody asked for
    runs = runs.order_by("-started_at", "-id")
    found: dict[tuple[str, ...], list[int]] = {}
    for some in (runs.exclude(source=SIMULATED), runs.filter(source=SIMULATED)):
        listed = list(some.values_list("pk", flat=True)[:MOST_RUNS])
        Random(seed).shuffle(listed)  # noqa: S311 - a fair sample, not a secret
        silent = 0
        for start in range(0, len(listed), RUNS_AT_ONCE):
            if len(found) >= most or silent >= MOST_SILENT:
                break
            silent += RUNS_AT_ONCE
            for key, span, run in _asked(listed[start : start + RUNS_AT_ONCE], since=until - WEEK):
                silent = 0
                if key in found:
                    found[key][2] += 1
                elif len(found) < most:
                    found[key] = [span, run, 1]
    return [(span, run, count) for span, run, count in found.values()]


def read_tasks(drawn: Sequence[Drawn], *, until: datetime) -> list[Task]:
    """Return drawn tasks as what is tried; those whose words were erased since are left out.

    What a solved run was allowed to call says what its task needed; of others nobody knows.
    """
    weights = {span: weight for span, _, weight in drawn}
    since = until - WEEK
    rows = {
        row["pk"]: row
        for row in Span.objects.filter(pk__in=weights, pk__gte=ids_since(since)).values(
            *_COLUMNS, *_ASKED
        )
    }
    words = {
        span: (task, tuple(history))
        for span, task, history in Text.objects.filter(
            span__in=weights, run__in=[run for _, run, _ in drawn]
        ).values_list("span_id", "task", "history")
    }
    solved = Run.objects.filter(
        pk__in={run for _, run, _ in drawn}, outcome=Run.Outcome.SOLVED
    ).values_list("pk", flat=True)
    called = called_upon(weights.keys(), runs=list(solved), since=since)
    settings = _settings({row["release_id"] for row in rows.values()})
    return [
        _task(rows[span], words[span], called.get(span), settings, weights[span])
        for span in weights
        if span in rows and words.get(span, ("",))[0].strip()
    ]


def _asked(runs: Sequence[int], *, since: datetime) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Yield what each selection of some runs was asked, with its span and run.

    One that was asked for in another's stead asks the same again.
    """
    spans = Span.objects.filter(
        run__in=runs, pk__gte=ids_since(since), name=Span.Name.ROUTE, selection=None
    ).exclude(task_hash="")
    asked = {pk: (run, *said) for pk, run, *said in spans.values_list("pk", "run_id", *_ASKED)}
    texts = Text.objects.filter(span__in=asked, run__in=runs).order_by("span_id")
    for span, task, history in texts.values_list("span_id", "task", "history"):
        if task.strip():
            run, *said = asked[span]
            yield (plain(said_before(task, history)), *map(str, said)), span, run


def _task(
    row: dict[str, Any],
    words: tuple[str, tuple[str, ...]],
    called: tuple[int, tuple[int, ...]] | None,
    settings: dict[int, dict[str, Any]],
    weight: int,
) -> Task:
    task, history = words
    release, positions = called or (0, ())
    return Task(
        kind=TASK,
        ref=row["pk"],
        case=Case(
            where=str(row["pk"]),
            task=task,
            needs=tuple((tool_name(release, place),) for place in positions),
            history=history,
            phase=row["phase"] or None,
            channel=read_channel(row["channel"]),
            route=row["route"] or None,
            weight=float(weight),
        ),
        labelled=called is not None,
        overrides=_overrides(row, settings[row["release_id"]]),
    )


def _overrides(row: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return what an agent asked for itself: what is like its release's settings it did not."""
    found: dict[str, Any] = {}
    if row["strategy"] and row["strategy"] != own["strategy"]:
        found["strategy"] = Strategy(row["strategy"])
    if row["max_tools"] and row["max_tools"] != own["max_tools"]:
        found["max_tools"] = row["max_tools"]
    if row["inclusive"] != own["inclusive"]:
        found["inclusive"] = row["inclusive"]
    if open_groups := (row["details"] or {}).get("open_groups"):
        found["open_groups"] = tuple(open_groups)
    return found


def _settings(releases: set[int]) -> dict[int, dict[str, Any]]:
    versions = CatalogVersion.objects.filter(releases__in=releases).distinct()
    of_version = {version.pk: document_of(version)["settings"] for version in versions}
    pairs = CatalogVersion.objects.filter(releases__in=releases).values_list("releases", "pk")
    return {release: of_version[version] for release, version in pairs if release in releases}
