"""The curve of coverage against size, laid out for reading: a picture, a table, a choice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from routing.evaluation.operating import Operating, Point, Tally, front, read_tally

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 60, 16, 12, 40
Y_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A point of the curve with its place in the picture.

    ``is_best`` where no other covers as much with fewer tools, ``is_own`` where it is the setting
    that was evaluated, ``is_picked`` where it is looked at; ``query`` picks it.
    """

    point: Point
    x: float
    y: float
    is_best: bool
    is_own: bool
    is_picked: bool

    @property
    def query(self) -> str:
        """Return the parameters that pick the point."""
        setting = self.point.setting
        asked = {"threshold": setting.threshold, "cap": setting.cap}
        return urlencode(asked | ({"inclusive": "yes"} if setting.inclusive else {}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """All that the page shows of a curve; ``best`` is in rising order of size."""

    tally: Tally
    own: Dot
    picked: Dot | None
    best: Sequence[Dot]
    others: Sequence[tuple[float, float]]
    x_ticks: Sequence[tuple[float, int]]

    @property
    def line(self) -> str:
        """Return the best points as those of a polyline."""
        return " ".join(f"{dot.x},{dot.y}" for dot in self.best)

    @property
    def y_ticks(self) -> list[tuple[float, str]]:
        """Return the heights of the grid's lines with their words."""
        return [(_y(share), f"{share:.0%}".replace("%", " %")) for share in Y_TICKS]

    @property
    def rows(self) -> list[Dot]:
        """Return the best points and the one evaluated, by size."""
        rows = [*self.best, *([] if self.own.is_best else [self.own])]
        return sorted(rows, key=lambda dot: (dot.point.tools, dot.point.coverage))


def picture_of(curve: Mapping[str, Any], asked: QueryDict) -> Picture | None:
    """Return the picture of what a report keeps; ``None`` where no case expects a tool."""
    tally = read_tally(curve)
    own = Operating(*curve["own"])
    points = {one.setting: one for one in tally.points()}
    if not points:
        return None
    best = front(points.values(), near=own)
    picked = points.get(picked_of(asked)) if "threshold" in asked else None
    # What serves more than the most that covers anything more is off the picture.
    most = max(best[-1].tools, points[own].tools, picked.tools if picked else 0, 1)

    def dot(point: Point) -> Dot:
        return Dot(
            point=point,
            x=_x(point.tools, most),
            y=_y(point.coverage),
            is_best=point in best,
            is_own=point.setting == own,
            is_picked=point == picked,
        )

    drawn = {(_x(one.tools, most), _y(one.coverage)) for one in points.values()}
    return Picture(
        tally=tally,
        own=dot(points[own]),
        picked=dot(picked) if picked else None,
        best=[dot(one) for one in best],
        others=sorted(place for place in drawn if place[0] <= WIDTH - RIGHT),
        x_ticks=[(_x(size, most), size) for size in _ticks(most)],
    )


def picked_of(asked: QueryDict) -> Operating:
    """Return the setting that a URL picks; one that is on no grid where it says it wrongly."""
    try:
        threshold, cap = float(asked.get("threshold", "")), int(asked.get("cap", ""))
    except ValueError:
        return Operating(-1.0, 0, False)
    return Operating(threshold, cap, asked.get("inclusive") == "yes")


def _x(tools: float, most: float) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * tools / most, 1)


def _y(share: float) -> float:
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - share), 1)


def _ticks(most: float) -> range:
    step = next(step for step in (1, 2, 5, 10, 20) if most / step <= 10 or step == 20)
    return range(0, int(most) + 1, step)
