"""How many tools are served: as far as the evidence goes, between one and the cap.

Beliefs share one unit, so that a task of three tools leaves a third on each. How likely a tool is
needed *at all* is another question: a logistic mapping answers it from where the tool stands among
the others and against nothing. The best tools are kept until one is hardly needed; an inclusive
selection keeps on for longer. A group of which the best tools were kept is then served whole if it
fits under the cap: its owner put those tools together for one kind of task.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray
from routing.selection.features import CANDIDATES
from routing.selection.reading import Beliefs

LEAST = 0.015
"""The probability of being needed under which tools are left out."""
INCLUSIVE_LEAST = 0.005
WHOLE = 0.5
"""A group that holds this share of the belief in tools is served whole if it fits."""
STRAY = 0.02
"""A group that holds less of it is not opened for a tool that only just made the cut."""

NEEDED = (
    "behind_best",  # log of the belief, less that of the best tool
    "over_nothing",  # less that in nothing
    "belief",
    "of_rest",  # log of the share of what the tools before it leave
    "place",  # log of the place
    "over_next",
    "clauses",
    "length",
    "place_clauses",  # the first times whether the task has clauses
    "behind_clauses",
    "over_nothing_later",  # but for the best tool
    "nothing",
    "share",
    "size",
)

_PLACES = np.log1p(np.arange(CANDIDATES))


@dataclass(frozen=True, slots=True)
class Kept:
    """The numbers of the candidates that are kept, best first; ``needed``, shape ``(k,)``.

    ``needed`` is the probability of every candidate that the task needs it. ``cut`` says whether
    the cap, not the evidence, ended the list.
    """

    numbers: tuple[int, ...]
    needed: FloatArray
    cut: bool


def keep(beliefs: Beliefs, needed: FloatArray, *, cap: int, inclusive: bool = False) -> Kept:
    """Return the candidates that are kept; at least one unless there is none."""
    least = INCLUSIVE_LEAST if inclusive else LEAST
    low = np.flatnonzero(needed[1:] < least)
    reach = int(low[0]) + 1 if len(low) else len(needed)
    numbers = list(range(min(reach, cap)))
    if not inclusive and numbers:
        strays = _strays(beliefs)
        homes = beliefs.homes.tolist()
        numbers = [number for number in numbers if number == 0 or homes[number] not in strays]
    return Kept(numbers=tuple(numbers), needed=needed, cut=reach > cap)


def needed_values(beliefs: Beliefs) -> FloatArray:
    """Return what tells whether a candidate is needed, shape ``(k, len(NEEDED))``."""
    shares = beliefs.shares.astype(np.float64)
    count = len(shares)
    logs = np.log(np.maximum(shares, 1e-9))
    nothing = np.log(beliefs.nothing + 1e-9)
    before = np.zeros(count)
    np.cumsum(shares[:-1], out=before[1:])
    place = _PLACES[:count]
    size, length, clauses = beliefs.context[1:4].tolist()
    several = float(clauses > 0)
    following = np.concatenate((logs[1:], logs[-1:] - 1))
    behind, over = logs - logs[:1], logs - nothing
    values = np.empty((count, len(NEEDED)), dtype=np.float32)
    columns = (
        behind,
        over,
        logs,
        np.log(np.maximum(shares / np.maximum(1 - before, 1e-6), 1e-9)),
        place,
        logs - following,
        clauses,
        length,
        place * several,
        behind * several,
        over * (place > 0),
        beliefs.nothing,
        shares,
        size,
    )
    for number, column in enumerate(columns):
        values[:, number] = column
    return values


def whole_groups(
    kept: Sequence[int],
    beliefs: Beliefs,
    *,
    members_of: Callable[[int], Sequence[int]],
    candidates: BoolArray,
    cap: int,
) -> list[int]:
    """Return the further tools of groups that are served whole, as positions.

    ``members_of`` returns the tools of a group by its number.
    """
    total = float(beliefs.shares.sum()) or 1.0
    served = set(beliefs.places[list(kept)].tolist())
    added: list[int] = []
    for number in dict.fromkeys(beliefs.homes[list(kept)].tolist()):
        if number < 0 or beliefs.by_home[number] < WHOLE * total:
            continue
        rest = [tool for tool in members_of(number) if candidates[tool] and tool not in served]
        if len(served) + len(rest) <= cap:
            served.update(rest)
            added += rest
    return added


def also(kept: Kept, beliefs: Beliefs, tools: Sequence[int]) -> Kept:
    """Return what is kept with some tools more, as far as they are candidates."""
    if not tools:
        return kept
    further = np.flatnonzero(np.isin(beliefs.places, list(tools))).tolist()
    return replace(kept, numbers=tuple(dict.fromkeys((*kept.numbers, *further))))


def fewest(beliefs: Sequence[float], *, share: float, most: int) -> int:
    """Return how many of some beliefs, best first, hold a share of them all, at most ``most``."""
    whole = sum(beliefs)
    held = 0.0
    for count, belief in enumerate(beliefs[:most], start=1):
        held += belief
        if held >= share * whole:
            return count
    return min(len(beliefs), most)


def _strays(beliefs: Beliefs) -> frozenset[int]:
    """Return the groups that hardly anything speaks for."""
    least = STRAY * (sum(beliefs.by_home.values()) or 1.0)
    return frozenset(home for home, mass in beliefs.by_home.items() if home >= 0 and mass < least)
