"""Draw a state machine: where its boxes and arrows are. Units are pixels of an SVG.

States stand in columns by their distance from the one a run begins in. Arrows forward leave a box
at its right; those back, or within a column, go round below.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

BOX_WIDTH, BOX_HEIGHT = 150, 36
ACROSS, DOWN = 64, 28
EDGE = 24


@dataclass(frozen=True, slots=True)
class Box:
    """A state; ``x`` and ``y`` are its upper left corner."""

    name: str
    x: int
    y: int

    @property
    def middle(self) -> tuple[int, int]:
        """Return where its name stands."""
        return self.x + BOX_WIDTH // 2, self.y + BOX_HEIGHT // 2


@dataclass(frozen=True, slots=True)
class Drawing:
    """All boxes, and the path of each arrow."""

    width: int
    height: int
    boxes: Sequence[Box]
    arrows: Sequence[str]


def draw(states: Mapping[str, Sequence[str]], *, initial: str | None) -> Drawing:
    """Return the drawing of states, each with those that may follow it."""
    columns = _columns(states, initial)
    boxes: dict[str, Box] = {}
    rows: dict[int, int] = {}
    for name, column in columns.items():
        row = rows.get(column, 0)
        rows[column] = row + 1
        x = EDGE + column * (BOX_WIDTH + ACROSS)
        boxes[name] = Box(name, x, EDGE + row * (BOX_HEIGHT + DOWN))
    bottom = max((box.y + BOX_HEIGHT for box in boxes.values()), default=EDGE)
    arrows, depth = [], 0
    for name, following in states.items():
        for other in following:
            one, two = boxes[name], boxes[other]
            if two.x > one.x:
                arrows.append(_forward(one, two))
            else:
                arrows.append(_around(one, two, bottom + 18 + 9 * depth))
                depth += 1
    return Drawing(
        width=max((box.x + BOX_WIDTH for box in boxes.values()), default=0) + EDGE,
        height=bottom + EDGE + (18 + 9 * depth if depth else 0),
        boxes=list(boxes.values()),
        arrows=arrows,
    )


def _columns(states: Mapping[str, Sequence[str]], initial: str | None) -> dict[str, int]:
    """Return the column of each state: its distance from the beginning, or from where it begins."""
    columns: dict[str, int] = {}
    begin = initial if initial in states else next(iter(states), None)
    for start in ([begin] if begin is not None else []) + list(states):
        if start in columns:
            continue
        columns[start] = 0
        waiting = deque([start])
        while waiting:
            name = waiting.popleft()
            for other in states[name]:
                if other not in columns:
                    columns[other] = columns[name] + 1
                    waiting.append(other)
    return columns


def _forward(one: Box, two: Box) -> str:
    x1, y1 = one.x + BOX_WIDTH, one.middle[1]
    x2, y2 = two.x, two.middle[1]
    bend = (x2 - x1) // 2
    return f"M {x1} {y1} C {x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}"


def _around(one: Box, two: Box, low: int) -> str:
    x1, x2 = one.middle[0] + 12, two.middle[0] - 12
    y1, y2 = one.y + BOX_HEIGHT, two.y + BOX_HEIGHT
    return f"M {x1} {y1} C {x1} {low} {x2} {low} {x2} {y2}"
