"""A pair that looks alike, and when it does."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

# Chosen on public sets by tasks that were kept aside, see docs/look-alikes.md. Of the pairs that
# these let through more are truly confused than of as many that are merely the likest.
SHARE = 0.15
"""Of the sample tasks of both, so many go to the wrong one of the two."""
ALIKE, VERY_ALIKE = 0.3, 0.6
"""Cosines from which two tasks gone wrong are enough, and one."""
SAME = 0.7
"""The cosine from which two without any sample task are told of."""
SURE_SHARE, SURE_FLIPS, SURE_ALIKE = 0.3, 2, 0.5
"""From these on all, more than four in five pairs are confused by other tasks too."""
NEAR = 3
"""A task that ranks its own tool lower than this is not about two tools: it fits none well."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A sample task ``of`` one of the two that the other is ranked higher for."""

    task: str
    of: str


@dataclass(frozen=True, slots=True)
class LookAlike:
    """Two ``tools`` or ``groups``, in catalog order.

    ``score`` is the cosine of what the encoder makes of their texts, ``tried`` counts the sample
    tasks of both, and ``flips`` are those that go to the wrong one. ``keys`` name what each says:
    while they hold, so does this.
    """

    kind: str
    names: tuple[str, str]
    keys: tuple[str, str]
    score: float
    tried: int
    flips: tuple[Flip, ...]

    @property
    def sure(self) -> bool:
        """Tell whether so many tasks go wrong that others surely will."""
        wrong = len(self.flips)
        return wrong >= SURE_FLIPS and wrong >= SURE_SHARE * self.tried and self.score >= SURE_ALIKE

    def record(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> "LookAlike":
        """Return what ``record`` wrote."""
        first, second = record["names"]
        one, other = record["keys"]
        return cls(
            kind=record["kind"],
            names=(first, second),
            keys=(one, other),
            score=record["score"],
            tried=record["tried"],
            flips=tuple(Flip(**flip) for flip in record["flips"]),
        )


def is_look_alike(*, score: float, tried: int, flipped: int) -> bool:
    """Tell whether two look alike: by their sample tasks, and without any by what they say."""
    if not tried:
        return score >= SAME
    enough = 1 if score >= VERY_ALIKE else 2
    return score >= ALIKE and flipped >= enough and flipped >= SHARE * tried
