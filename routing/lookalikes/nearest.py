"""The nearest neighbours of many vectors, by products of blocks: never all pairs at once."""

from collections.abc import Iterator

import numpy as np

from routing.selection.arrays import FloatArray

BLOCK = 512
NEIGHBOURS = 3


def unit(vectors: FloatArray) -> FloatArray:
    """Return vectors of length one, shape ``(n, d)``; one of zeros stays so."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    found: FloatArray = vectors / lengths
    return found


def near_pairs(
    vectors: FloatArray, *, least: float, block: int = BLOCK, neighbours: int = NEIGHBOURS
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of rows, lower number first, whose cosine is at least ``least``.

    ``vectors`` are of length one, shape ``(n, d)``. Of each row so many nearest neighbours count. A
    product of ``(block, n)`` numbers is the most that is held: 10 MB at 5,000 rows.
    """
    seen: set[tuple[int, int]] = set()
    for start in range(0, len(vectors), block):
        cosines = vectors[start : start + block] @ vectors.T
        rows = np.arange(len(cosines))
        cosines[rows, start + rows] = -1.0
        count = min(neighbours, len(vectors) - 1)
        for row in rows.tolist():
            # By number where equal, so that the answer does not hang on the order of a sort.
            best = np.argsort(-cosines[row], kind="stable")[:count]
            for other in best[cosines[row][best] >= least].tolist():
                pair = (min(start + row, other), max(start + row, other))
                if pair not in seen:
                    seen.add(pair)
                    yield pair
