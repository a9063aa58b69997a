"""Coverage against size at many operating points: thresholds and caps, inclusive or not.

A point is a setting, and what the same cases would be served with it. The points of which no other
covers as much with fewer tools are the *front*: whoever picks a setting picks one of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from routing.evaluation.outcomes import Ints
from routing.selection.sweeping import Offer

THRESHOLDS = (0.0, *(round(0.1 * step, 1) for step in range(1, 10)), 0.55, 0.65, 0.75, 0.85, 0.95)
CAPS = (*range(1, 9), 10, 12, 15, 20)
INCLUSIVE = (False, True)


@dataclass(frozen=True, slots=True, order=True)
class Operating:
    """An operating point: ``threshold`` 0..1, ``cap`` the most tools chosen."""

    threshold: float
    cap: int
    inclusive: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What came of a setting: means over the cases that expect a tool, shares of 0..1.

    ``none_fallback`` is the share of those that expect none and fell back, ``None`` without any.
    """

    setting: Operating
    coverage: float
    tools: float
    fallback: float
    none_fallback: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The settings that are tried: every threshold at every cap, both rising."""

    thresholds: tuple[float, ...]
    caps: tuple[int, ...]

    @classmethod
    def around(cls, own: Operating) -> Grid:
        """Return the usual settings and one's own."""
        return cls(
            thresholds=tuple(sorted({*THRESHOLDS, own.threshold})),
            caps=tuple(sorted({*CAPS, own.cap})),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How the cases so far turned out at each setting of a grid.

    Counts have the shape ``(2, caps, thresholds)``, those that are not inclusive first: of the
    ``cases`` that expect a tool those covered, the tools served in all, the fallbacks; of the
    ``nothing`` others the fallbacks.
    """

    grid: Grid
    cases: int
    nothing: int
    covered: Ints
    tools: Ints
    fallback: Ints
    none_fallback: Ints

    @classmethod
    def empty(cls, grid: Grid) -> Tally:
        """Return the tally of no case."""
        shape = (len(INCLUSIVE), len(grid.caps), len(grid.thresholds))
        counts = {name: np.zeros(shape, dtype=np.intp) for name in COUNTS}
        return cls(grid=grid, cases=0, nothing=0, **counts)

    def plus(
        self,
        needs: Sequence[frozenset[int]],
        offers: Mapping[tuple[bool, int], Sequence[Offer]],
    ) -> Tally:
        """Return the tally with one case more: its needs, each met by any of some positions."""
        rows = [offers[wide, cap] for wide in INCLUSIVE for cap in self.grid.caps]
        made = {
            "covered": [[_covers(offer, needs) for offer in row] for row in rows],
            "tools": [[len(offer.tools) for offer in row] for row in rows],
            "fallback": [[offer.fallback for offer in row] for row in rows],
        }
        found = {name: np.array(of, dtype=np.intp) for name, of in made.items()}
        shape = self.covered.shape
        if not needs:
            more = self.none_fallback + found["fallback"].reshape(shape)
            return self._with(nothing=self.nothing + 1, none_fallback=more)
        return self._with(
            cases=self.cases + 1,
            **{name: getattr(self, name) + of.reshape(shape) for name, of in found.items()},
        )

    def record(self) -> dict[str, Any]:
        """Return the tally as JSON."""
        counts = {name: getattr(self, name).ravel().tolist() for name in COUNTS}
        return {
            "thresholds": list(self.grid.thresholds),
            "caps": list(self.grid.caps),
            "cases": self.cases,
            "nothing": self.nothing,
            **counts,
        }

    def points(self) -> list[Point]:
        """Return every point, in rising order of settings; none where no case expects a tool."""
        if not self.cases:
            return []
        return sorted(
            (
                self._point(wide, cap, threshold)
                for wide in range(len(INCLUSIVE))
                for cap in range(len(self.grid.caps))
                for threshold in range(len(self.grid.thresholds))
            ),
            key=lambda point: point.setting,
        )

    def _point(self, wide: int, cap: int, threshold: int) -> Point:
        at = wide, cap, threshold
        return Point(
            setting=Operating(
                self.grid.thresholds[threshold], self.grid.caps[cap], INCLUSIVE[wide]
            ),
            coverage=int(self.covered[at]) / self.cases,
            tools=int(self.tools[at]) / self.cases,
            fallback=int(self.fallback[at]) / self.cases,
            none_fallback=int(self.none_fallback[at]) / self.nothing if self.nothing else None,
        )

    def _with(self, **changed: Any) -> Tally:
        kept = {name: getattr(self, name) for name in ("grid", "cases", "nothing", *COUNTS)}
        return Tally(**(kept | changed))


COUNTS = ("covered", "tools", "fallback", "none_fallback")


def read_tally(record: Mapping[str, Any]) -> Tally:
    """Return the tally that ``record`` wrote."""
    grid = Grid(thresholds=tuple(record["thresholds"]), caps=tuple(record["caps"]))
    shape = (len(INCLUSIVE), len(grid.caps), len(grid.thresholds))
    counts = {name: np.array(record[name], dtype=np.intp).reshape(shape) for name in COUNTS}
    return Tally(grid=grid, cases=record["cases"], nothing=record["nothing"], **counts)


def summed(tallies: Iterable[Tally]) -> Tally | None:
    """Return tallies as one; ``None`` of none, or where they are not of the same grid."""
    found: Tally | None = None
    for one in tallies:
        if found is None:
            found = one
            continue
        if one.grid != found.grid:
            return None
        sums = {name: getattr(found, name) + getattr(one, name) for name in COUNTS}
        found = Tally(
            grid=found.grid,
            cases=found.cases + one.cases,
            nothing=found.nothing + one.nothing,
            **sums,
        )
    return found


def front(points: Iterable[Point], *, near: Operating) -> list[Point]:
    """Return the points that no other beats in both, in rising order of size and coverage.

    Of settings that serve alike the one nearest to a setting speaks: the one that changes least of
    it, then by cap, then by threshold.
    """
    best: list[Point] = []
    for point in sorted(points, key=lambda one: (one.tools, -one.coverage, *_far(one, near))):
        if not best or point.coverage > best[-1].coverage:
            best.append(point)
    return best


def _far(point: Point, near: Operating) -> tuple[int, float, float]:
    one = point.setting
    changed = (
        (one.threshold != near.threshold)
        + (one.cap != near.cap)
        + (one.inclusive != near.inclusive)
    )
    return changed, abs(one.cap - near.cap), abs(one.threshold - near.threshold)


def _covers(offer: Offer, needs: Sequence[frozenset[int]]) -> bool:
    return all(need & offer.tools for need in needs)
