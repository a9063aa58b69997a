"""How often pairs that are told of are confused by tasks that nobody showed: for the thresholds."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from routing.lookalikes.looking import look_alikes
from routing.lookalikes.nearest import unit
from routing.selection import Circumstances, Encoder, Query, Strategy, compile_index
from routing.selection.arrays import FloatArray
from routing.selection.pipeline import decide

CONFUSED = 0.15
"""Of the tasks of both, so many go to the wrong one of a pair that counts as confused."""
SOMETIMES = 0.05
Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class Told:
    """Some pairs: how many, which share is confused and at least sometimes, and what was missed."""

    pairs: int
    precision: float
    sometimes: float
    recall: float


def measured(
    document: Mapping[str, Any],
    *,
    shown: Mapping[str, Sequence[str]],
    aside: Mapping[str, Sequence[str]],
    encoder: Encoder,
    vectors_of: Callable[[Mapping[str, Any]], Mapping[str, FloatArray]],
) -> tuple[Told, Told]:
    """Return what is told of tools with ``shown`` sample tasks, and of as many by likeness alone.

    ``aside`` are the tasks by which pairs count as confused, on the index that knows ``shown``.
    """
    document = {
        **document,
        "tools": [
            {**tool, "examples": list(shown.get(tool["name"], ()))} for tool in document["tools"]
        ],
    }
    vectors = vectors_of(document)
    found = [
        frozenset(one.names)
        for one in look_alikes(document, encoder=encoder, vectors=vectors)
        if one.kind == "tools"
    ]
    index = compile_index(document, encoder=encoder, vectors=vectors)
    if index.vectors is None:
        raise ValueError("Vectors are missing.")
    wrong: Counter[Pair] = Counter()
    for tool, tasks in aside.items():
        for task in tasks:
            query = Query(task=task, strategy=Strategy.EMBEDDING)
            proposal = decide(query, index, Circumstances()).proposal
            if proposal is None or proposal.scores is None:
                continue
            scores = np.asarray(proposal.scores, dtype=np.float64)
            above = np.nonzero(scores > scores[index.position[tool]])[0]
            wrong.update(frozenset((tool, index.tools[one])) for one in above)
    rates: defaultdict[Pair, float] = defaultdict(float)
    for pair, count in wrong.items():
        rates[pair] = count / sum(len(aside.get(name, ())) for name in pair)
    likest = _likest(index.tools, index.vectors.tools.exact, len(found))
    return _told(found, rates), _told(likest, rates)


def _told(pairs: Sequence[Pair], rates: Mapping[Pair, float]) -> Told:
    confused = {pair for pair, rate in rates.items() if rate >= CONFUSED}
    return Told(
        pairs=len(pairs),
        precision=_share(pair in confused for pair in pairs),
        sometimes=_share(rates.get(pair, 0.0) >= SOMETIMES for pair in pairs),
        recall=_share(pair in set(pairs) for pair in confused),
    )


def _share(those: Iterable[bool]) -> float:
    counted = list(those)
    return sum(counted) / len(counted) if counted else 0.0


def _likest(names: Sequence[str], vectors: FloatArray, count: int) -> list[Pair]:
    """Return so many pairs of the highest cosine: what one would tell of without any task."""
    rows = unit(np.asarray(vectors))
    cosines = rows @ rows.T
    one, other = np.triu_indices(len(names), k=1)
    best = np.argsort(-cosines[one, other], kind="stable")[:count]
    return [frozenset((names[one[place]], names[other[place]])) for place in best.tolist()]
