"""Work spread over processes, each of which prepares itself once."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

Prepared = TypeVar("Prepared")
Argument = TypeVar("Argument")
Item = TypeVar("Item")
Result = TypeVar("Result")

Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""

_BLAS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
_state: dict[str, Any] = {}


def each(
    items: Sequence[Item],
    *,
    work: Callable[[Prepared, Item], Result],
    prepare: Callable[[Argument], Prepared],
    argument: Argument,
    processes: int,
    progress: Progress | None = None,
) -> list[Result]:
    """Return ``work(prepare(argument), item)`` for each item, in the order of the items.

    With one process all happens here. Else processes are started afresh, with one thread of BLAS
    each; what they are given must be picklable.
    """
    done: list[Result] = []
    if progress is not None:
        progress(0, len(items))
    for result in _results(items, work, prepare, argument, min(processes, len(items))):
        done.append(result)
        if progress is not None:
            progress(len(done), len(items))
    return done


def _results(
    items: Sequence[Item],
    work: Callable[[Prepared, Item], Result],
    prepare: Callable[[Argument], Prepared],
    argument: Argument,
    processes: int,
) -> Iterator[Result]:
    if processes < 2:
        prepared = prepare(argument) if items else None
        for item in items:
            yield work(prepared, item)  # type: ignore[arg-type]
        return
    for variable in _BLAS:
        os.environ.setdefault(variable, "1")
    with ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin,
        initargs=(prepare, argument),
    ) as pool:
        try:
            yield from pool.map(_continue, [work] * len(items), items)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _begin(prepare: Callable[[Argument], object], argument: Argument) -> None:
    _state["prepared"] = prepare(argument)


def _continue(work: Callable[[Any, Item], Result], item: Item) -> Result:
    return work(_state["prepared"], item)
