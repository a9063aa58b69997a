"""A share of counted cases, and how far chance alone could have moved it."""

from dataclasses import dataclass
from math import sqrt

FEW = 20
"""Of fewer cases a share is shown as few, and nothing is advised from it."""
_Z = 1.959964
"""Standard errors of a normal distribution that hold 95 % of it."""


@dataclass(frozen=True, slots=True)
class Share:
    """``part`` of ``whole`` cases."""

    part: int
    whole: int

    @property
    def value(self) -> float | None:
        """Return the share, 0 to 1; ``None`` of nothing."""
        return self.part / self.whole if self.whole else None

    @property
    def is_few(self) -> bool:
        """Tell whether there are too few cases to conclude anything."""
        return self.whole < FEW

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the share, 0 to 1; of nothing, all of it.

        Wilson's score interval, which holds for small numbers and for shares near 0 and 1 too.
        E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
        Journal of the American Statistical Association 22 (1927).
        """
        if not self.whole:
            return 0.0, 1.0
        share, n = self.part / self.whole, self.whole
        middle = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        reach = _Z * sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
        return max(middle - reach, 0.0), min(middle + reach, 1.0)

    @property
    def low(self) -> float:
        """Return the lower end of the interval."""
        return self.interval[0]

    @property
    def high(self) -> float:
        """Return the upper end of the interval."""
        return self.interval[1]
