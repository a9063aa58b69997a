"""The cosines of a task and all tools; in a large catalog exact for the nearest tools alone.

One product of a task and thousands of vectors is bound by memory: it reads all of them. So a large
catalog keeps a second, coarse form of its tools, a quarter as wide: what they have along the
directions in which they differ most (the leading eigenvectors of their second moments, as in
principal component analysis). A task is compared with the coarse form first, and exactly with the
tools that come out nearest and with the farthest, which a scale is made from. The cosines of the
others are off by one or two hundredths; they only stand behind.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray, IntArray
from routing.selection.ranking import least_of_each

MANY = 3_000
"""Tools from which on there is a coarse form: below, the exact product is as fast.

A task of several clauses is compared exactly with what is nearest to any of them. That soon is most
of a smaller catalog, and rows taken here and there are slower to read than all from end to end.
"""
PART = 4
"""The part of a vector's length that the coarse form keeps is one in so many."""
NEAREST = 384
"""How many tools a task is compared with exactly, for they are nearest by the coarse form.

On public catalogs of 2,500 to 4,100 tools the 40 nearest of all were among the 190 that the coarse
form puts first, for each of 240 tasks; groups go by tools a little further off.
"""
FARTHEST = 32
"""How many, for they are farthest: scores are scaled between the two ends."""
BEST_BY_WORDS = 128
"""How many, for the words that they share with it: they may be looked at closely as well."""
AT_ONCE = 128
"""How many rows are taken at a time: they are in the processor's cache when they are multiplied."""


@dataclass(frozen=True, slots=True)
class Tools:
    """Vectors of tools, ``exact`` of shape ``(n, d)`` and unit length.

    Of many tools ``coarse``, shape ``(n, d / PART)``, is what they have along the columns of
    ``basis``, shape ``(d, d / PART)``; both are ``None`` otherwise. What is scanned as a whole is
    in Fortran order, what rows are taken of in C order.
    """

    exact: FloatArray
    coarse: FloatArray | None = None
    basis: FloatArray | None = None

    def cosines(
        self,
        tasks: FloatArray,
        words: FloatArray | None = None,
        candidates: BoolArray | None = None,
    ) -> FloatArray:
        """Return the cosines of tasks, shape ``(m, d)``, and all tools, shape ``(m, n)``.

        ``words``, same shape, are the tools' scores by words: those with the best are compared
        exactly as well. ``candidates`` masks the tools of which the nearest are wanted, ``None``:
        all.
        """
        if self.coarse is None or self.basis is None:
            return products(tasks, self.exact)
        found = products(tasks @ self.basis, self.coarse)
        reached = _ends(found)
        if candidates is not None and candidates.any():
            inside = np.where(candidates, found, found[:, candidates].mean(axis=1, keepdims=True))
            reached |= candidates & _ends(inside)
        for said in words if words is not None else ():
            reached[_best_by_words(said)] = True
        places = reached.nonzero()[0]
        turned = tasks.T
        for start in range(0, len(places), AT_ONCE):
            some = places[start : start + AT_ONCE]
            found[:, some] = (self.exact[some] @ turned).T
        return found


def products(tasks: FloatArray, vectors: FloatArray) -> FloatArray:
    """Return the products of a few tasks, shape ``(m, d)``, and vectors, ``(n, d)``: ``(m, n)``.

    Task by task: for two or more at once BLAS copies all vectors first, which takes longer than
    reading them again.
    """
    found = np.empty((len(tasks), len(vectors)), dtype=np.float32)
    columns = vectors.T
    for row, task in zip(found, tasks, strict=True):
        np.dot(task, columns, out=row)
    return found


def compile_tools(vectors: FloatArray) -> Tools:
    """Return vectors of tools, shape ``(n, d)``, as they are scanned."""
    width = vectors.shape[1] // PART
    if len(vectors) < MANY or not width:
        return Tools(exact=np.asfortranarray(vectors))
    # The largest eigenvalues come last; a quarter of the directions holds most of what tells
    # tools apart (83 % and more of the squared length on public catalogs).
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    basis = np.ascontiguousarray(directions[:, -width:], dtype=np.float32)
    return Tools(
        exact=np.ascontiguousarray(vectors),
        coarse=np.asfortranarray(vectors @ basis),
        basis=basis,
    )


def _ends(rows: FloatArray) -> BoolArray:
    """Return a mask of where any row is highest and where any is lowest."""
    size = rows.shape[1]
    if size <= NEAREST + FARTHEST:
        return np.ones(size, dtype=np.bool_)
    high, low = least_of_each(rows, NEAREST)[:, None], -least_of_each(-rows, FARTHEST)[:, None]
    ends: BoolArray = np.logical_or.reduce((rows >= high) | (rows <= low), axis=0)
    return ends


def _best_by_words(said: FloatArray) -> IntArray:
    """Return the tools that words speak most for, at least ``BEST_BY_WORDS`` if there are any."""
    places = said.nonzero()[0]
    if len(places) > BEST_BY_WORDS:
        scores = said[places]
        places = places[scores >= np.partition(scores, -BEST_BY_WORDS)[-BEST_BY_WORDS]]
    return places
