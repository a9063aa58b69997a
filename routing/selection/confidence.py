"""The shipped mapping from scores to a confidence, until a catalog has one fitted to it.

The things that a task may be about (groups, or tools where there are no groups) and *nothing in
particular* share one unit of belief: a softmax of their scores over a temperature. The score of a
thing is that of ``evidence``; cosines and shares, it means the same in every catalog. The score of
nothing is a constant, for tasks that lie far from everything, raised by the task's nearness to
sentences that ask for something without saying what (``vagueness``). So a confidence is high where
one thing lies clearly before all others, and low where several are equally near, where none is, and
where little is said.

The numbers were set by hand, in the middle of a wide range that did equally well on public tasks
and on tasks in three languages.
"""

from __future__ import annotations

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.evidence import Evidence

TEMPERATURE = 0.03
NOTHING = 0.15
VAGUENESS = 1.75
LEXICAL_TEMPERATURE = 0.02
LEXICAL_NOTHING = 0.04


def shares(evidence: Evidence, scores: FloatArray) -> FloatArray:
    """Return the share of belief of each score, same shape; what they lack to 1 is nothing's."""
    if evidence.vague is None:
        temperature, nothing = LEXICAL_TEMPERATURE, LEXICAL_NOTHING
    else:
        temperature, nothing = TEMPERATURE, NOTHING + VAGUENESS * evidence.vague
    top = max(float(scores.max(initial=nothing)), nothing)
    raised = np.exp((scores - top) / temperature)
    whole = float(raised.sum()) + float(np.exp((nothing - top) / temperature))
    return np.asarray(raised / whole, dtype=np.float32)
