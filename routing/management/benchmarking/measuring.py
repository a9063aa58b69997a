"""One benchmark: what every size took, how that grows, and how often the encoder was called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from routing.management.benchmarking.catalogs import with_rule
from routing.management.benchmarking.subjects import (
    RIVALS,
    Document,
    NotInstalled,
    Rival,
    Subject,
    compiled,
    own_subjects,
)
from routing.management.benchmarking.timing import Clock, ratio, times
from routing.management.benchmarking.vectors import MadeVectors
from routing.selection import Circumstances, Query, Strategy, select
from routing.selection.reading import clauses

RULE = "as the rule says"
"""The phrase of the rule that every task is decided by, for counting."""


class EncoderCalledTooOften(AssertionError):
    """The encoder was called more than once for a request, or where a rule decided."""


class SelectionFailed(RuntimeError):
    """A strategy failed, so that another answered and the times would be of that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """What a catalog's selections took.

    ``medians`` are in microseconds, by subject; ``ratios`` are by rival: how many times as long as
    the core's own answer that does the same; ``whole_ratios`` as a whole selection, for those that
    are compared with one. ``calls`` is the most that the encoder was called for
    one request, ``ruled_calls`` the same where a rule decided.
    """

    tools: int
    medians: Mapping[str, float]
    ratios: Mapping[str, float]
    whole_ratios: Mapping[str, float]
    calls: int
    ruled_calls: int


def measured(
    document: Document, tasks: Sequence[str], *, rounds: int, clock: Clock, seed: int
) -> Size:
    """Measure the core and what is installed beside it on tasks of one catalog.

    Raises ``EncoderCalledTooOften`` and ``SelectionFailed``.
    """
    encoder = MadeVectors(seed=seed)
    calls, ruled_calls = _calls(document, tasks, seed=seed)
    if calls > 1 or ruled_calls:
        raise EncoderCalledTooOften(f"{calls} for a request, {ruled_calls} where a rule decides")
    own = own_subjects(document, encoder)
    rivals = _installed(document, tasks, encoder)
    subjects = own | {rival.name: subject for rival, subject in rivals}
    taken = times(subjects, tasks, rounds=rounds, clock=clock)
    return Size(
        tools=len(document["tools"]),
        medians={name: median(listed) * 1e6 for name, listed in taken.items()},
        ratios={rival.name: ratio(taken[rival.name], taken[rival.beside]) for rival, _ in rivals},
        whole_ratios={
            rival.name: ratio(taken[rival.name], taken[rival.whole])
            for rival, _ in rivals
            if rival.whole is not None
        },
        calls=calls,
        ruled_calls=ruled_calls,
    )


def missing(sizes: Sequence[Size]) -> list[str]:
    """Return the rivals that are not installed."""
    return [rival.name for rival in RIVALS if any(rival.name not in one.ratios for one in sizes)]


def growth(sizes: Sequence[Size]) -> dict[str, float]:
    """Return how many times as long each subject takes in the largest catalog as in the smallest.

    The number of tools is in it as ``tools``.
    """
    ordered = sorted(sizes, key=lambda one: one.tools)
    least, most = ordered[0], ordered[-1]
    grown = {name: most.medians[name] / least.medians[name] for name in least.medians}
    return {"tools": most.tools / least.tools} | grown


def record(sizes: Sequence[Size]) -> dict[str, Any]:
    """Return a benchmark as JSON takes it."""
    return {
        "sizes": [
            {
                "tools": one.tools,
                "median_us": {name: round(value, 1) for name, value in one.medians.items()},
                "times_as_long": {name: round(value, 2) for name, value in one.ratios.items()},
                "times_as_long_as_a_whole_selection": {
                    name: round(value, 2) for name, value in one.whole_ratios.items()
                },
                "encoder_calls": one.calls,
                "encoder_calls_where_a_rule_decides": one.ruled_calls,
            }
            for one in sizes
        ],
        "growth": {name: round(value, 2) for name, value in growth(sizes).items()},
        "not_installed": missing(sizes),
    }


def table(sizes: Sequence[Size]) -> list[str]:
    """Return a benchmark as lines of a table in Markdown."""
    names = list(dict.fromkeys(name for one in sizes for name in one.medians))
    grown = growth(sizes)
    rows = [(f"{one.tools:,}", *(_cell(one, name) for name in names)) for one in sizes]
    if len(sizes) > 1:
        shown = (f"{grown[name]:.1f} x" if name in grown else "" for name in names)
        rows.append((f"{grown['tools']:.0f} x", *shown))
    return [
        f"| tools | {' | '.join(f'{name}, us' for name in names)} |",
        "|" + "---:|" * (len(names) + 1),
        *(f"| {' | '.join(cells)} |" for cells in rows),
    ]


def _cell(size: Size, name: str) -> str:
    if name not in size.medians:
        return ""
    found = [ratios[name] for ratios in (size.ratios, size.whole_ratios) if name in ratios]
    times_as_long = f" ({'; '.join(f'{one:.1f} x' for one in found)})" if found else ""
    return f"{size.medians[name]:,.0f}{times_as_long}"


def _installed(
    document: Document, tasks: Sequence[str], encoder: MadeVectors
) -> list[tuple[Rival, Subject]]:
    found: list[tuple[Rival, Subject]] = []
    for rival in RIVALS:
        try:
            found.append((rival, rival.build(document, tasks, encoder)))
        except NotInstalled:
            continue
    return found


def _calls(document: Document, tasks: Sequence[str], *, seed: int) -> tuple[int, int]:
    """Return the most calls of the encoder for one new task, and for one that a rule knows."""
    ruled = with_rule(document, RULE)
    if ruled is None:
        return _most_calls(document, tasks, seed=seed), 0
    known = [f"{(clauses(task) or (task,))[0]} {RULE}" for task in tasks]
    return _most_calls(document, tasks, seed=seed), _most_calls(ruled, known, seed=seed)


def _most_calls(document: Document, tasks: Sequence[str], *, seed: int) -> int:
    encoder = MadeVectors(seed=seed)
    index = compiled(document, encoder)
    most = 0
    for task in tasks:
        before = encoder.calls
        selection = select(Query(task=task, strategy=Strategy.AUTO), index, Circumstances())
        if selection.failure:
            raise SelectionFailed(selection.failure)
        most = max(most, encoder.calls - before)
    return most
