"""The shipped mapping from scores to a confidence, until a catalog has one fitted to it.

Four plain features, each of which can only raise the confidence as it grows:

- ``nearness``: the best cosine among the groups (or tools, where there are no groups);
- ``margin``: how far the last group opened lies before the first one left closed (0..1, on the
  sums of scaled scores);
- ``agreement``: 1 if words and meaning name the same best group, 0 if not, scaled by ``explained``;
- ``explained``: the share of the task's rarity that occurs in the catalog.

They are added with the weights below and squashed by a logistic function. The weights were set by
hand: a task whose words and meaning point to one group passes 0.6, one that lies equally near to
several groups does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

BIAS = -4.0
NEARNESS = 7.0
MARGIN = 4.0
AGREEMENT = 1.0
EXPLAINED = 0.5
LEXICAL_BIAS = -2.0
LEXICAL_MARGIN = 3.0
LEXICAL_EXPLAINED = 3.0


@dataclass(frozen=True, slots=True)
class Features:
    """What a confidence is made of; ``nearness`` is ``None`` where no vectors were compared."""

    nearness: float | None
    margin: float
    agreement: float
    explained: float


def confidence(features: Features) -> float:
    """Return the shipped confidence, 0..1, of a selection with these features."""
    if features.nearness is None:
        logit = (
            LEXICAL_BIAS + LEXICAL_MARGIN * features.margin + LEXICAL_EXPLAINED * features.explained
        )
    else:
        logit = (
            BIAS
            + NEARNESS * features.nearness
            + MARGIN * features.margin
            + AGREEMENT * features.agreement * features.explained
            + EXPLAINED * features.explained
        )
    return 1 / (1 + exp(-logit))
