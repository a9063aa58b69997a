"""A logistic mapping that is held near one that is known: what few cases say moves it little."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from routing.selection.weights import Logistic

ROUNDS = 30
_Floats = npt.NDArray[np.float64]


def fit_held(
    rows: _Floats, wanted: npt.NDArray[np.bool_], *, names: tuple[str, ...], near: str, hold: float
) -> Logistic:
    """Return the mapping from rows, shape ``(n, len(names))``, to the probability of ``wanted``.

    The value called ``near`` is the logit of the known mapping, which has its weight of 1 and no
    other. ``hold`` is the penalty on the squared moves from there at unit spread. Newton's method
    on the penalised likelihood; the constant is free but for as little as a case of each kind.
    """
    offset = rows[:, names.index(near)]
    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    spread = np.where(spread > 1e-6, spread, np.inf)  # what never differs says nothing
    columns = np.column_stack([(rows - centre) / spread, np.ones(len(rows))])
    penalty = np.append(np.full(len(names), hold), 0.25)
    target = wanted.astype(np.float64)
    found = np.zeros(columns.shape[1])
    for _ in range(ROUNDS):
        logits = np.clip(offset + columns @ found, -30, 30)
        expected = 1 / (1 + np.exp(-logits))
        slope = columns.T @ (expected - target) + penalty * found
        curve = (columns * (expected * (1 - expected))[:, None]).T @ columns + np.diag(penalty)
        move = np.clip(np.linalg.solve(curve, slope), -2.0, 2.0)
        found -= move
        if np.abs(move).max() < 1e-6:
            break
    scaled = found[:-1] / spread
    constant = float(found[-1] - scaled @ np.where(np.isfinite(spread), centre, 0))
    scaled[names.index(near)] += 1
    return Logistic(
        names=names,
        weights=tuple(round(float(value), 6) for value in scaled),
        constant=round(constant, 6),
    )
