"""Evaluate strategies on cases: every case through the pipeline, held against what it expects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from routing.evaluation.cases import Case
from routing.evaluation.encoding import Prepared
from routing.evaluation.judging import Homes, judge, memberships
from routing.evaluation.outcomes import Outcome, Outcomes, gathered
from routing.evaluation.processes import Progress, each
from routing.evaluation.queries import query_of
from routing.selection import Circumstances, Index, Strategy, compile_index
from routing.selection.arrays import FloatArray
from routing.selection.pipeline import decide
from routing.selection.uncut import uncut

CASES_AT_A_TIME = 64

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is evaluated.

    ``encoder`` is a name, ``none`` to compare by words only. ``vectors`` are by content hash, those
    of the document; ``task_vectors`` are by text, those of the cases. ``compiling`` are further
    arguments of ``compile_index``: fitted weights, a classifier.
    """

    document: Mapping[str, Any]
    encoder: str
    vectors: Mapping[str, FloatArray] = field(default_factory=dict)
    task_vectors: Mapping[str, FloatArray] = field(default_factory=dict)
    compiling: Mapping[str, Any] = field(default_factory=dict)


def evaluate(
    subject: Subject,
    *,
    cases: Sequence[Case],
    strategies: Sequence[Strategy],
    clock: Clock,
    processes: int = 1,
    progress: Progress | None = None,
) -> dict[Strategy, Outcomes]:
    """Return the outcomes of all cases by strategy, in the cases' order.

    They do not depend on the number of processes, their ``seconds`` aside. ``clock`` counts
    seconds; a selection is timed with the vectors of its task in memory already.
    """
    starts = range(0, len(cases), CASES_AT_A_TIME)
    parts = [
        (strategy, start, start + CASES_AT_A_TIME) for strategy in strategies for start in starts
    ]
    made = each(
        parts,
        work=_work,
        prepare=_prepare,
        argument=_Task(subject=subject, cases=tuple(cases), clock=clock),
        processes=processes,
        progress=progress,
    )
    found: dict[Strategy, list[Outcome]] = {strategy: [] for strategy in strategies}
    for (strategy, _, _), outcomes in zip(parts, made, strict=True):
        found[strategy].extend(outcomes)
    return {strategy: gathered(outcomes) for strategy, outcomes in found.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    subject: Subject
    cases: tuple[Case, ...]
    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bench:
    """What a process works at: the compiled index, and the rest of the task."""

    index: Index
    homes: Homes
    cases: tuple[Case, ...]
    clock: Clock


def _prepare(task: _Task) -> _Bench:
    subject = task.subject
    encoder = None
    if subject.encoder != "none":
        encoder = Prepared(name=subject.encoder, vectors=subject.task_vectors)
    index = compile_index(
        subject.document, encoder=encoder, vectors=subject.vectors, **subject.compiling
    )
    return _Bench(index=index, homes=memberships(index), cases=task.cases, clock=task.clock)


def _work(bench: _Bench, part: tuple[Strategy, int, int]) -> list[Outcome]:
    strategy, start, stop = part
    return [_outcome(bench, case, strategy) for case in bench.cases[start:stop]]


def _outcome(bench: _Bench, case: Case, strategy: Strategy) -> Outcome:
    query = query_of(case, bench.index, strategy=strategy)
    started = bench.clock()
    decision = decide(query, bench.index, Circumstances())
    seconds = bench.clock() - started
    return judge(case, uncut(decision), bench.index, homes=bench.homes, seconds=seconds)
