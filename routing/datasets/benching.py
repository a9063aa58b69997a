"""What the cases of an evaluation are tried on: an index with the names that lead to it."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from catalog.document import parse
from catalog.shelf import Shelf
from routing import encoding
from routing.datasets.naming import Names, names_of_document, names_of_draft, on_version
from routing.datasets.results import Result, expectation_of, result_of
from routing.datasets.rows import mark_of, value_of
from routing.encoding import Missing, encoder_of_release
from routing.encoding.names import ReleaseEncoder
from routing.evaluation.cases import Case
from routing.evaluation.judging import Homes, judge, memberships
from routing.evaluation.queries import encode_ahead, query_of
from routing.fitted.carrying import served_with
from routing.fitted.storing import compiling_of
from routing.models import EvalCase, EvalRun
from routing.selection import (
    Circumstances,
    Encoder,
    Index,
    Query,
    Strategy,
    compile_index,
    texts_to_embed,
)
from routing.selection.pipeline import Decision, decide
from routing.selection.uncut import uncut
from routing.vectors import ensure_vectors

# What a run is of never changes, so that its pages need to compile it once.
benches: Shelf[int, "Bench"] = Shelf(size=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """An index, ready to choose for cases."""

    index: Index
    homes: Homes
    names: Names
    strategy: Strategy | None

    def query(self, case: Case) -> Query:
        """Return what an agent would ask for a case."""
        return query_of(case, self.index, strategy=self.strategy)

    def decide(self, case: Case) -> Decision:
        """Choose for a case, as an agent would have been answered without any circuit open."""
        return decide(self.query(case), self.index, Circumstances())


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of ``cases``, in their order; ``unknown`` are the numbers not to be tried."""

    cases: list[Case] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)


def try_rows(bench: Bench, rows: Sequence[EvalCase]) -> Trial:
    """Return what comes of cases; the vectors of all their tasks are made at once.

    Raises what encoders do.
    """
    trial = Trial()
    tried: list[tuple[EvalCase, Case]] = []
    for row in rows:
        case = on_version(value_of(row), bench.names)
        if case is None:
            trial.unknown.append(row.number)
        else:
            tried.append((row, case))
    trial.cases.extend(case for _, case in tried)
    encode_ahead(bench.index, trial.cases)
    trial.results.extend(_result(bench, row, case) for row, case in tried)
    return trial


def document_of(one: EvalRun) -> Mapping[str, Any]:
    """Return the document that a run is of, with its settings as the run has them."""
    if one.release is not None:
        document: dict[str, Any] = one.release.version.parsed()
    else:
        document = parse(zlib.decompress(bytes(one.document or b"")))
    said = {
        "threshold": one.threshold,
        "max_tools": one.max_tools,
        "inclusive": one.inclusive,
    }
    settings = {name: value for name, value in said.items() if value is not None}
    return {**document, "settings": {**document["settings"], **settings}}


def bench_of(one: EvalRun, *, patient: bool) -> Bench:
    """Return what a run's cases are tried on. A patient one raises what encoders do."""
    document = document_of(one)
    if one.release is not None:
        learned = compiling_of(one.release)
    else:
        learned = served_with(document, after=one.follows, encoder=one.encoder).compiling
    encoder = _patient(one.encoder) if patient else encoder_of_release(one.encoder)
    texts = texts_to_embed(document)
    vectors: Mapping[str, Any] = (
        encoder.stand_ins(texts)
        if isinstance(encoder, Missing)
        else ensure_vectors(texts=texts, encoder=encoder)
    )
    index = compile_index(document, encoder=encoder, vectors=vectors, **learned)
    return Bench(
        index=index,
        homes=memberships(index),
        names=names_of_document(document, later=names_of_draft(one.catalog)),
        strategy=Strategy(one.strategy) if one.strategy else None,
    )


def tried(one: EvalRun, row: EvalCase) -> tuple[Case, Bench] | None:
    """Return a case and what a run tried it on; ``None`` where it cannot be tried there."""
    bench = benches.get(one.pk, lambda: bench_of(one, patient=False))
    case = on_version(value_of(row), bench.names)
    return (case, bench) if case is not None else None


def _patient(written_name: str) -> Encoder | None:
    name = ReleaseEncoder.parse(written_name).encoder
    return encoding.load_encoder(name, patient=True)


def _result(bench: Bench, row: EvalCase, case: Case) -> Result:
    started = perf_counter()
    decision = bench.decide(case)
    seconds = perf_counter() - started
    answer = uncut(decision)
    outcome = judge(case, answer, bench.index, homes=bench.homes, seconds=seconds)
    unwanted = {bench.index.position[name] for name in case.not_expected}
    return result_of(
        number=row.number,
        asked=mark_of(row),
        expectation=expectation_of(value_of(row)),
        selection=answer.selection,
        unwanted=sorted(unwanted.intersection(answer.selection.tools)),
        outcome=outcome,
    )
