"""Which groups agents asked for, and which groups their runs had begun with."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.metrics.both import Both
from dashboard.metrics.counts import named
from dashboard.metrics.shares import Share

ORIGINS, ASKED = 20, 12
"""The matrix shows at most so many rows and columns: those with most runs."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Of the runs whose first selection served a group, those that asked for ``asked``."""

    asked: str
    now: Share
    before: Share


@dataclass(frozen=True, slots=True)
class Origin:
    """The runs whose first selection served ``group``; "" is none, as after a fallback."""

    group: str
    runs: int
    cells: Sequence[Cell]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Initial groups as rows, groups asked for as columns, both the busiest first.

    ``more_origins`` and ``more_asked`` count what is left out of each.
    """

    asked: Sequence[str]
    origins: Sequence[Origin]
    more_origins: int
    more_asked: int


def asked_by_bucket(asked: Both) -> dict[str, list[int]]:
    """Return how often each group was asked for, by bucket of the period, most first."""
    counts = [named(bucket, "group") for bucket in asked.buckets]
    totals: Counter[str] = Counter()
    for bucket in counts:
        totals.update(bucket)
    ordered = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    return {group: [bucket.get(group, 0) for bucket in counts] for group, _count in ordered}


def matrix(began: Both) -> Matrix:
    """Return how often runs that began with a group asked for another."""
    now, before = began.totals()
    runs, runs_before = named(now, "runs"), named(before, "runs")
    pairs, pairs_before = pairs_of(now), pairs_of(before)
    by_asked: Counter[str] = Counter()
    for (_origin, asked), count in pairs.items():
        by_asked[asked] += count
    columns = _most(by_asked)
    rows = _most(runs)
    return Matrix(
        asked=columns[:ASKED],
        origins=[
            Origin(
                group=origin,
                runs=runs[origin],
                cells=[
                    Cell(
                        asked=asked,
                        now=Share(pairs[origin, asked], runs[origin]),
                        before=Share(pairs_before[origin, asked], runs_before.get(origin, 0)),
                    )
                    for asked in columns[:ASKED]
                ],
            )
            for origin in rows[:ORIGINS]
        ],
        more_origins=max(len(rows) - ORIGINS, 0),
        more_asked=max(len(columns) - ASKED, 0),
    )


def pairs_of(counts: Mapping[str, int]) -> Counter[tuple[str, str]]:
    """Return in how many runs that began with a group another was asked for, by both names."""
    pairs: Counter[tuple[str, str]] = Counter()
    for key, count in named(counts, "asked").items():
        origin, _arrow, asked = key.partition(">")
        pairs[origin, asked] += count
    return pairs


def _most(counts: Mapping[str, int]) -> list[str]:
    return sorted(counts, key=lambda name: (-counts[name], name))
