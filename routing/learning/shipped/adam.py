"""Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

FIRST = 0.9
SECOND = 0.99


@dataclass(slots=True)
class Moments:
    """The running means of a gradient and of its square; they change with every step."""

    first: np.ndarray[Any, Any]
    second: np.ndarray[Any, Any]

    @classmethod
    def of(cls, shape: tuple[int, ...]) -> Moments:
        """Return the moments of a gradient of some shape before the first step."""
        return cls(first=np.zeros(shape), second=np.zeros(shape))

    def step(self, gradient: np.ndarray[Any, Any], number: int) -> np.ndarray[Any, Any]:
        """Return the direction to step in, of the order of one; steps are counted from 1."""
        self.first += (1 - FIRST) * (gradient - self.first)
        self.second += (1 - SECOND) * (gradient**2 - self.second)
        scale = np.sqrt(self.second / (1 - SECOND**number)) + 1e-8
        direction: np.ndarray[Any, Any] = self.first / (1 - FIRST**number) / scale
        return direction
