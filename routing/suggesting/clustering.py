"""Clusters of at most so many tools: average linkage whose merges keep to a size.

The pair of clusters that are most alike on average is merged (Sokal and Michener's average linkage,
1958, with Lance and Williams' update), unless they were too many together; that ends at a likeness
that the catalog itself sets: half a standard deviation above the mean of all pairs of its tools.
Equal likenesses go to the first, so that the same tools always make the same clusters.
"""

import numpy as np

from routing.selection.arrays import FloatArray

# The cut in standard deviations over the mean of all pairs; a tool left alone joins down to 0.
CUT = 0.5
_NEVER = np.float32(-9)


def clusters_of(rows: FloatArray, *, most: int) -> list[list[int]]:
    """Return the clusters of rows, each with its members in order, in the order of their first.

    ``rows`` are as of ``likeness.rows_of``, shape ``(n, d)``. Takes memory and time of ``n ** 2``.
    """
    count = len(rows)
    if count < 2 or most < 2:
        return [[number] for number in range(count)]
    likeness = rows @ rows.T
    mean, deviation = _spread(likeness)
    clusters = _merged(likeness, most=most, least=mean + CUT * deviation)
    return sorted(_with_the_lonely(rows, clusters, most=most, least=mean))


def _spread(likeness: FloatArray) -> tuple[float, float]:
    """Return the mean and the standard deviation of the likenesses of different tools."""
    pairs = likeness.shape[0] * (likeness.shape[0] - 1)
    own = np.diagonal(likeness).astype(np.float64)
    mean = (likeness.sum(dtype=np.float64) - own.sum()) / pairs
    squares = np.einsum("ij,ij->", likeness, likeness, dtype=np.float64) - (own**2).sum()
    return float(mean), float(np.sqrt(max(0.0, squares / pairs - mean**2)))


def _merged(likeness: FloatArray, *, most: int, least: float) -> list[list[int]]:
    """Merge until no two clusters may be; ``likeness`` is used up."""
    count = len(likeness)
    np.fill_diagonal(likeness, _NEVER)
    members = [[number] for number in range(count)]
    size = np.ones(count, dtype=np.int64)
    nearest = likeness.argmax(axis=1)
    best = likeness[np.arange(count), nearest]
    while best[kept := int(best.argmax())] >= least:
        kept, gone = sorted((kept, int(nearest[kept])))
        row = size[kept] * likeness[kept] + size[gone] * likeness[gone]
        row /= size[kept] + size[gone]
        barred = (likeness[kept] == _NEVER) | (likeness[gone] == _NEVER)
        size[kept] += size[gone]
        row[barred | (size + size[kept] > most)] = _NEVER
        likeness[kept] = likeness[:, kept] = row
        likeness[gone] = likeness[:, gone] = _NEVER
        members[kept] += members[gone]
        members[gone] = []
        best[gone] = _NEVER
        # Whose nearest was one of the two looks again; others may have a nearer one now.
        again = np.flatnonzero((best != _NEVER) & ((nearest == kept) | (nearest == gone)))
        for number in {*again.tolist(), kept}:
            nearest[number] = likeness[number].argmax()
            best[number] = likeness[number, nearest[number]]
        nearer = row > best
        nearest[nearer], best[nearer] = kept, row[nearer]
    return [sorted(group) for group in members if group]


def _with_the_lonely(
    rows: FloatArray, clusters: list[list[int]], *, most: int, least: float
) -> list[list[int]]:
    """Put each tool that is alone into the nearest cluster with room, if that is near at all."""
    homes = [cluster for cluster in clusters if len(cluster) > 1]
    alone = []
    for cluster in clusters:
        if len(cluster) > 1:
            continue
        near = [
            float(rows[home].mean(axis=0) @ rows[cluster[0]]) if len(home) < most else -np.inf
            for home in homes
        ]
        if near and max(near) > least:
            homes[int(np.argmax(near))].append(cluster[0])
        else:
            alone.append(cluster)
    return [sorted(cluster) for cluster in (*homes, *alone)]
