"""Fit the combination: how much each feature of a tool says, and when nothing fits.

A softmax over a task's candidates and *nothing*: its cross-entropy to what the task needs (shared
equally where it needs several tools; all on nothing where no tool fits) is lowered by Adam. The
fit is linear: an MLP over the same features did no better on families left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from routing.learning.shipped.adam import Moments
from routing.selection.arrays import FloatArray
from routing.selection.features import CONTEXT, FEATURES, SIZE
from routing.selection.weights import Combination

STEPS = 3_000
BATCH = 64
RATE = 1e-2
WARM = 100
HOLD = 1e-4
SET = {"shown_group_gap": 28.0}
"""Weights that public sets say nothing of: none has example tasks as owners of groups write them.

This one was chosen on the sample catalogs, in three languages."""
SIZED = ("lexical", "semantic", "group", "group_gap")
"""Features that weigh more or less with the size of the catalog.

Left out family by family, these four raised NDCG@10 on whole catalogs from .812 to .817 and lowered
it on catalogs of 20 and 50 tools from .882 to .878; all of them gained less and cost more."""

_SIZED = [FEATURES.index(name) for name in SIZED]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What was seen of tasks: ``features``, shape ``(n, k, features)``, 0 past a task's candidates.

    ``there``, shape ``(n, k)``, marks the candidates; ``wanted``, shape ``(n, k + 1)``, is what
    should be believed, nothing last. ``context`` has shape ``(n, context)``.
    """

    features: FloatArray
    there: np.ndarray
    wanted: FloatArray
    context: FloatArray
    weight: float


def fit_combination(seen: Sequence[Seen], *, unused: Sequence[str], seed: int) -> Combination:
    """Return the combination that explains best what was seen, without the unused features.

    The weights of ``SET`` are set, not fitted; the others are fitted beside them.
    """
    chance = np.random.default_rng(seed)
    shares = np.array([one.weight for one in seen], dtype=np.float64)
    shares /= shares.sum()
    contexts = np.concatenate([one.context for one in seen])
    context_spread, context_centre = _spread(contexts), contexts.mean(axis=0)
    size = float(context_centre[SIZE])
    widened = [_widened(one, size) for one in seen]
    rows = np.concatenate([wide[one.there] for wide, one in zip(widened, seen, strict=True)])
    centre = rows.mean(axis=0)
    names = (*FEATURES, *SIZED)
    used = np.array([name not in (*unused, *SET) for name in names], np.float32) / _spread(rows)
    context_used = np.array([name not in unused for name in CONTEXT]) / context_spread
    given = np.array([SET.get(name, 0.0) * (name not in unused) for name in FEATURES])
    weights = np.zeros(len(names) + len(CONTEXT) + 1)
    weights[0] = 1
    moments = Moments.of(weights.shape)
    ready = [
        (
            (wide - centre) * used,
            (one.context - context_centre) * context_used,
            one.features @ given,
        )
        for wide, one in zip(widened, seen, strict=True)
    ]
    for step in range(1, STEPS + 1):
        part = int(chance.choice(len(seen), p=shares))
        batch = chance.integers(0, len(seen[part].wanted), BATCH)
        gradient = _gradient(seen[part], *ready[part], batch, weights) + HOLD * weights
        rate = RATE * min(1, step / WARM) * (1 - step / (STEPS + 1))
        weights -= rate * moments.step(gradient, step)
    found = weights[: len(names)] * used
    context = weights[len(names) : -1] * context_used
    # The centres cancel between tools, not between a tool and nothing.
    constant = weights[-1] - context @ context_centre + found @ centre
    by_size = np.zeros(len(FEATURES))
    by_size[_SIZED] = found[len(FEATURES) :]
    return Combination(
        features=(found[: len(FEATURES)] + given - size * by_size).astype(np.float32),
        by_size=by_size.astype(np.float32),
        context=context.astype(np.float32),
        constant=float(constant),
    )


def _widened(seen: Seen, size: float) -> FloatArray:
    """Return the features, and those of ``SIZED`` again times how much larger a catalog is."""
    larger = seen.context[:, SIZE, None, None] - size
    return np.concatenate([seen.features, seen.features[:, :, _SIZED] * larger], axis=2)


def _gradient(
    seen: Seen,
    features: FloatArray,
    context: FloatArray,
    given: FloatArray,
    batch: np.ndarray,
    weights: np.ndarray,
) -> np.ndarray:
    size = features.shape[2]
    tools = np.where(seen.there[batch], features[batch] @ weights[:size] + given[batch], -1e9)
    nothing = context[batch] @ weights[size:-1] + weights[-1]
    logits = np.concatenate([tools, nothing[:, None]], axis=1)
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    error = (raised / raised.sum(axis=1, keepdims=True) - seen.wanted[batch]) / len(batch)
    return np.concatenate(
        [
            np.einsum("nk,nkf->f", error[:, :-1], features[batch]),
            error[:, -1] @ context[batch],
            [error[:, -1].sum()],
        ]
    )


def _spread(rows: FloatArray) -> FloatArray:
    spread = rows.std(axis=0)
    return np.asarray(np.where(spread > 1e-6, spread, 1), dtype=np.float32)
