"""What a check says in the end: both sides in measures, what is lost, and what goes elsewhere.

A report is ``{"sets": {"case", "task"}, "tools", "lost", "diverted"}``. A set has ``n`` tasks, of
which ``judged`` say what they need, and pairs of before and after: ``coverage`` with its
``intervals`` and ``p``, ``tools``, ``tokens``, ``fallback``; ``difference`` has the 95 % interval
of what changed, by measure. ``tools`` lists those that tasks lose, ``lost`` and the ``places`` of
``diverted`` are places among the rows.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from routing.evaluation.diverting import (
    FALLBACK,
    GROUPS,
    NOTHING,
    TOOLS,
    Destination,
    diversions,
)
from routing.evaluation.intervals import intervals_of_means
from routing.evaluation.paired import mcnemar, paired_differences
from routing.gate.rules import CASE, TASK
from routing.gate_checks.rows import Row

DIGITS = 6
MOST_WAYS = 100
"""Ways from here to there that a report keeps, those of most tasks."""


def report_of(rows: Sequence[Row], *, seed: int) -> dict[str, Any]:
    """Return what a check says of its rows."""
    ways = diversions(
        (place, *both) for place, row in enumerate(rows) if (both := destinations(row))
    )
    diverted = {place for way in ways for place in way.keys}
    kinds = {kind: [row for row in rows if row.kind == kind] for kind in (CASE, TASK)}
    weights = dict.fromkeys(kinds, 0.0)
    for place in diverted:
        weights[rows[place].kind] += rows[place].weight
    return {
        "sets": {
            kind: _set(some, seed=seed)
            | {
                "diverted": sum(rows[place].kind == kind for place in diverted),
                "diverted_share": _share(weights[kind], sum(row.weight for row in some)),
            }
            for kind, some in kinds.items()
            if some
        },
        "tools": _tools(rows),
        "lost": [place for place, row in enumerate(rows) if row.lost],
        "gained": [place for place, row in enumerate(rows) if row.gained],
        "diverted": [
            {
                "before": [way.before.kind, list(way.before.names)],
                "after": [way.after.kind, list(way.after.names)],
                "places": list(way.keys),
            }
            for way in ways[:MOST_WAYS]
        ],
    }


def destinations(row: Row) -> tuple[Destination, Destination] | None:
    """Return from where to where a task is diverted; ``None`` where it is not.

    A group that was served is no more, or among the same groups a tool that the task leaned on.
    More beside what was served diverts nothing.
    """
    if not row.before.there or not (row.gone or row.dropped):
        return None
    before = Destination(GROUPS, row.gone) if row.gone else Destination(TOOLS, row.dropped)
    if not row.after.there:
        return before, Destination(NOTHING)
    if row.after.fallback:
        return before, Destination(FALLBACK, (row.after.fallback,))
    if row.gone and row.come:
        return before, Destination(GROUPS, row.come)
    if row.gone or not row.after.first:
        return before, Destination(NOTHING)
    return before, Destination(TOOLS, (row.after.first,))


def _set(rows: Sequence[Row], *, seed: int) -> dict[str, Any]:
    judged = np.array([_is_judged(row) for row in rows])
    both = np.array([row.before.there and row.after.there for row in rows])
    covered = [np.array([bool(side.covered) for side in sides]) for sides in _sides(rows)]
    sizes = {
        name: tuple(
            np.array([getattr(side, name) for side in sides], dtype=np.float64)
            for sides in _sides(rows)
        )
        for name in ("tools", "tokens")
    }
    fallback = [np.array([bool(side.fallback) for side in sides]) for sides in _sides(rows)]
    differences = paired_differences(
        {
            "coverage": (covered[0], covered[1], judged),
            **{name: (one, other, both) for name, (one, other) in sizes.items()},
            "fallback": (fallback[0], fallback[1], both),
        },
        seed=seed,
    )
    sure = intervals_of_means(
        {"before": (covered[0], judged), "after": (covered[1], judged)}, seed=seed
    )
    test = mcnemar(covered[0][judged], covered[1][judged])
    found: dict[str, Any] = {
        "n": len(rows),
        "judged": int(judged.sum()),
        "lost": sum(row.lost for row in rows),
        "gained": sum(row.gained for row in rows),
        "intervals": [_ends(sure.get(name)) for name in ("before", "after")],
        "p": round(test.p_value, DIGITS),
        "difference": {},
    }
    for name, difference in differences.items():
        found[name] = (
            None
            if difference is None
            else [round(difference.before, DIGITS), round(difference.after, DIGITS)]
        )
        found["difference"][name] = _ends(difference.interval) if difference else None
    return found


def _is_judged(row: Row) -> bool:
    return row.before.covered is not None and row.after.covered is not None


def _sides(rows: Sequence[Row]) -> tuple[list[Any], list[Any]]:
    return [row.before for row in rows], [row.after for row in rows]


def _tools(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return by kind of row the tools that fewer of their tasks get, those that lose most first.

    ``of`` counts the tasks that need the tool and that got it before.
    """
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        for place, name in enumerate(row.needs):
            of = counts[row.kind, name]
            then, now = place not in row.before.missing, place not in row.after.missing
            of[0] += then and not now
            of[1] += now and not then
            of[2] += then
    losing = [
        {"kind": kind, "name": name, "lost": lost, "gained": gained, "of": of}
        for (kind, name), (lost, gained, of) in counts.items()
        if lost > gained
    ]
    return sorted(losing, key=lambda one: (one["gained"] - one["lost"], one["name"], one["kind"]))


def _share(part: float, whole: float) -> float:
    return round(part / whole, DIGITS) if whole else 0.0


def _ends(ends: tuple[float, float] | None) -> list[float] | None:
    return [round(end, DIGITS) for end in ends] if ends else None
