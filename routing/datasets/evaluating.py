"""Hold the accepted cases of a dataset against a release or the draft, batch by batch.

What was done stays done: a worker that is killed goes on with the batch that it was at. A selection
is a function of the document and the case, so that no more of it is kept than a list shows.
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from catalog.document import parse
from catalog.models import Catalog
from catalog.publishing import DraftHasProblems, FrozenDraft
from catalog.recording import note_deed
from catalog.shelf import Shelf
from routing import encoding
from routing.background import Stopping, end, hand_over
from routing.datasets.naming import Names, names_of_document, names_of_draft, on_version
from routing.datasets.reporting import report_of
from routing.datasets.results import Result, read_all, result_of, written
from routing.datasets.rows import value_of
from routing.datasets.splitting import split
from routing.encoding import EncoderFailed, Missing, encoder_of_release
from routing.encoding.names import ReleaseEncoder
from routing.evaluation.cases import Case
from routing.evaluation.judging import Homes, judge, memberships
from routing.models import EvalCase, EvalDataset, EvalResults, EvalRun, Release
from routing.selection import (
    Circumstances,
    Encoder,
    Index,
    Query,
    Strategy,
    UnknownEncoder,
    compile_index,
    texts_to_embed,
)
from routing.selection.encoders import memory_of
from routing.selection.pipeline import Decision, decide
from routing.selection.reading import texts_read
from routing.selection.uncut import uncut
from routing.vectors import ensure_vectors

CASES_AT_A_TIME = 64
MOST_OPEN = 5
"""Evaluations of a catalog that wait or run at a time."""

# What a run is of never changes, so that its pages need to compile it once.
_benches: Shelf[int, "Bench"] = Shelf(size=4)

Start = Callable[[EvalRun], str]
Clock = Callable[[], datetime]


class NoCases(Exception):
    """There is no accepted case to hold against anything."""


class TooManyOpen(Exception):
    """Enough evaluations of the catalog wait or run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What stands in for the document's own settings; ``None`` and nothing leave them."""

    strategy: str = ""
    threshold: float | None = None
    max_tools: int | None = None
    inclusive: bool | None = None
    part: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A run's index, ready to choose."""

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


def query_of(case: Case, index: Index, *, strategy: Strategy | None = None) -> Query:
    """Return what an agent would ask for a case; a phase counts only where there are any."""
    return Query(
        task=case.task,
        history=case.history,
        phase=case.phase if index.phases else None,
        channel=case.channel,
        route=case.route,
        strategy=strategy,
    )


@transaction.atomic
def ask(
    *,
    dataset: EvalDataset,
    subject: Release | FrozenDraft,
    setting: Setting,
    by: User | None,
    now: datetime,
    start: Start | None = None,
) -> EvalRun:
    """Have the accepted cases evaluated; notes the deed.

    Raises ``NoCases``, ``TooManyOpen``, and ``DraftHasProblems`` for a draft that could not be
    published. Without ``start`` nobody is handed it: the caller carries it out.
    """
    catalog = Catalog.objects.select_for_update().get(pk=dataset.catalog_id)
    if EvalRun.objects.open().filter(catalog=catalog).count() >= MOST_OPEN:
        raise TooManyOpen
    cases = dataset.cases.accepted()
    if setting.part:
        cases = cases.filter(part=setting.part)
    numbers = list(cases.values_list("number", flat=True))
    if not numbers:
        raise NoCases
    if isinstance(subject, FrozenDraft) and subject.problems:
        raise DraftHasProblems(list(subject.problems))
    last = EvalRun.objects.filter(catalog=catalog).aggregate(last=Max("number"))["last"]
    one = EvalRun.objects.create(
        catalog=catalog,
        dataset=dataset,
        number=(last or 0) + 1,
        **_subject(subject),
        part=setting.part,
        strategy=setting.strategy,
        threshold=setting.threshold,
        max_tools=setting.max_tools,
        inclusive=setting.inclusive,
        seed=setting.seed,
        numbers=numbers,
        total=len(numbers),
        asked_by=by,
        asked_at=now,
    )
    _note(one, "eval_started", now=now)
    if start is not None:
        hand_over(one, start=start)
    return one


def _subject(subject: Release | FrozenDraft) -> dict[str, Any]:
    if isinstance(subject, Release):
        sha256, encoder = subject.version.sha256, subject.encoder
        return {"release": subject, "sha256": sha256, "encoder": encoder}
    kept = {"document": zlib.compress(subject.content), "sha256": subject.sha256}
    return {**kept, "encoder": encoding.current()}


def carry_out(
    one: EvalRun,
    *,
    clock: Clock,
    stopping: Callable[[], bool],
    progress: Callable[[int, int], object] = lambda made, total: None,
) -> None:
    """Evaluate what is not done yet, and write the report.

    Raises ``Stopping`` after the batch in which ``stopping`` came true. Stops early where the run
    is cancelled.
    """
    try:
        split(one.dataset, patient=True)
        bench = bench_of(one, patient=True)
        done = set(EvalResults.objects.filter(run=one).values_list("start", flat=True))
        for begin in range(0, len(one.numbers), CASES_AT_A_TIME):
            if EvalRun.objects.filter(pk=one.pk, cancel_asked=True).exists():
                return
            if begin not in done:
                _batch(one, bench, begin)
            made = min(begin + CASES_AT_A_TIME, len(one.numbers))
            EvalRun.objects.filter(pk=one.pk).update(made=made)
            progress(made, len(one.numbers))
            if stopping() and made < len(one.numbers):
                raise Stopping
    except (EncoderFailed, UnknownEncoder) as error:
        end(one, at=clock(), problem=EvalRun.Problem.ENCODER, detail=str(error))
        return
    results = results_of(one)
    if not results:
        end(one, at=clock(), problem=EvalRun.Problem.NOTHING)
        return
    cases = {
        row.number: bench_case
        for row in one.dataset.cases.filter(number__in=[result.number for result in results])
        if (bench_case := on_version(value_of(row), bench.names)) is not None
    }
    kept = [result for result in results if result.number in cases]
    said = report_of(kept, cases, seed=one.seed)
    end(one, at=clock(), report=said, made=len(one.numbers))


def results_of(one: EvalRun) -> list[Result]:
    """Return what came of a run's cases so far, in their order."""
    return read_all(EvalResults.objects.filter(run=one).values_list("rows", flat=True))


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
    encoder = encoder_of_release(one.encoder) if not patient else _patient(one.encoder)
    texts = texts_to_embed(document)
    if isinstance(encoder, Missing):
        vectors: Mapping[str, Any] = encoder.stand_ins(texts)
    else:
        vectors = ensure_vectors(texts=texts, encoder=encoder)
    index = compile_index(document, encoder=encoder, vectors=vectors)
    return Bench(
        index=index,
        homes=memberships(index),
        names=names_of_document(document, later=names_of_draft(one.catalog)),
        strategy=Strategy(one.strategy) if one.strategy else None,
    )


def tried(one: EvalRun, row: EvalCase) -> tuple[Case, Bench] | None:
    """Return a case and what a run tried it on; ``None`` where it cannot be tried there."""
    bench = _benches.get(one.pk, lambda: bench_of(one, patient=False))
    case = on_version(value_of(row), bench.names)
    return (case, bench) if case is not None else None


def cancel(one: EvalRun, *, now: datetime) -> None:
    """End a run; what is done of it stays. A worker that is at it stops after its batch."""
    with transaction.atomic():
        going_on = EvalRun.objects.filter(pk=one.pk, finished_at=None)
        problem = EvalRun.Problem.CANCELLED
        if going_on.update(cancel_asked=True, finished_at=now, problem=problem):
            _note(one, "eval_cancelled", now=now)


def resume(one: EvalRun, *, now: datetime, start: Start) -> bool:
    """Go on with a run that was cancelled or that failed, and tell whether it does."""
    with transaction.atomic():
        ended = EvalRun.objects.filter(pk=one.pk, finished_at__isnull=False).exclude(problem="")
        if not ended.update(
            finished_at=None, problem="", detail="", cancel_asked=False, attempts=0
        ):
            return False
        _note(one, "eval_resumed", now=now)
        one.refresh_from_db()
        hand_over(one, start=start)
    return True


def delete_run(one: EvalRun, *, now: datetime) -> None:
    """Delete a run with what came of it."""
    with transaction.atomic():
        _note(one, "eval_deleted", now=now)
        one.delete()


def _patient(written_name: str) -> Encoder | None:
    name = ReleaseEncoder.parse(written_name).encoder
    return encoding.load_encoder(name, patient=True)


def _batch(one: EvalRun, bench: Bench, begin: int) -> None:
    numbers = one.numbers[begin : begin + CASES_AT_A_TIME]
    rows = {row.number: row for row in one.dataset.cases.accepted().filter(number__in=numbers)}
    tried: list[tuple[EvalCase, Case]] = []
    skipped: dict[str, str] = {}
    for number in numbers:
        row = rows.get(number)
        case = on_version(value_of(row), bench.names) if row else None
        if row is None or case is None:
            skipped[str(number)] = "gone" if row is None else "names"
        else:
            tried.append((row, case))
    _encode(bench.index, [case for _, case in tried])
    made = [written(_result(bench, row, case)) for row, case in tried]
    with transaction.atomic():
        EvalResults.objects.update_or_create(run=one, start=begin, defaults={"rows": made})
        if skipped:
            one.skipped = {**one.skipped, **skipped}
            one.save(update_fields=["skipped"])


def _encode(index: Index, cases: Sequence[Case]) -> None:
    """Have the vectors of a batch made at once, alike in length beside each other."""
    if index.encoder is None or index.vectors is None:
        return
    texts = {text for case in cases for text in texts_read(case.task, case.history)}
    # Of a batch whose cases are all passed over there are none.
    if texts:
        memory_of(index.encoder).vectors(sorted(texts, key=lambda text: (len(text), text)))


def _result(bench: Bench, row: EvalCase, case: Case) -> Result:
    started = perf_counter()
    decision = bench.decide(case)
    seconds = perf_counter() - started
    answer = uncut(decision)
    outcome = judge(case, answer, bench.index, homes=bench.homes, seconds=seconds)
    unwanted = {bench.index.position[name] for name in case.not_expected}
    return result_of(
        number=row.number,
        digest=row.digest,
        selection=answer.selection,
        unwanted=sorted(unwanted.intersection(answer.selection.tools)),
        outcome=outcome,
    )


def _note(one: EvalRun, action: str, *, now: datetime) -> None:
    said = {"dataset": one.dataset.name, "version": subject_name(one)}
    if one.strategy:
        said["strategy"] = one.strategy
    note_deed(
        catalog=one.catalog,
        action=action,
        kind="evals",
        subject=str(one.number),
        after=said,
        now=now,
    )


def subject_name(one: EvalRun) -> str:
    """Return what a run is of, as agents name it."""
    return str(one.release.version) if one.release else f"{one.catalog.name}@draft"
