"""Draw a state machine: where its boxes and arrows are. Units are pixels of an SVG.

States stand in one row, those nearest to where a run begins first, so that no arrow crosses a box:
arrows past others go round above them, and those back, or to the state itself, below.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

BOX_WIDTH, BOX_HEIGHT = 150, 36
ACROSS, EDGE = 56, 24
# How much further out an arrow goes for each state it passes, and how far apart two of a box are.
LIFT, APART = 26, 20


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
    order = _order(states, initial)
    pairs = [(order[name], order[other]) for name in states for other in states[name]]
    above = max((two - one - 1 for one, two in pairs), default=0)
    below = max((one - two + 1 for one, two in pairs), default=0)
    top = EDGE + LIFT * max(above, 0)
    boxes = [Box(name, EDGE + place * (BOX_WIDTH + ACROSS), top) for name, place in order.items()]
    return Drawing(
        width=max((box.x + BOX_WIDTH for box in boxes), default=0) + EDGE,
        height=top + BOX_HEIGHT + LIFT * max(below, 0) + EDGE,
        boxes=boxes,
        arrows=[_arrow(boxes[one], boxes[two], two - one) for one, two in pairs],
    )


def _order(states: Mapping[str, Sequence[str]], initial: str | None) -> dict[str, int]:
    """Return the place of each state: as near to the beginning as a run can be there."""
    order: dict[str, int] = {}
    begin = [initial] if initial in states and initial is not None else []
    for start in (*begin, *states):
        waiting = deque([start])
        while waiting:
            name = waiting.popleft()
            if name not in order:
                order[name] = len(order)
                waiting.extend(states[name])
    return order


def _arrow(one: Box, two: Box, steps: int) -> str:
    if steps == 1:
        y = one.middle[1]
        return f"M {one.x + BOX_WIDTH} {y} L {two.x} {y}"
    x1, x2 = one.middle[0] + APART, two.middle[0] - APART
    if steps > 1:
        # A curve of this kind gets three quarters of the way to its two middle points.
        y, far = one.y, one.y - (steps - 1) * LIFT * 4 // 3
    else:
        x1, x2 = one.middle[0] - APART, two.middle[0] + APART
        y = one.y + BOX_HEIGHT
        far = y + (1 - steps) * LIFT * 4 // 3
    return f"M {x1} {y} C {x1} {far} {x2} {far} {x2} {y}"
