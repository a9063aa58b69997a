"""Hold a document against what is live: the gate set, and a sample of last week's tasks.

What was done stays done: a worker that is killed goes on with the batch that it was at. What is
live was tried before, if it was the same release and asked the same: that is used again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from random import Random
from typing import Any

from django.db.models import Q

from catalog.documents import document_of
from catalog.models import Catalog, CatalogVersion
from catalog.publishing import DraftHasProblems, freeze_and_check
from routing import encoding
from routing.background import Stopping, Watch, carrying_out, end, keep_newest
from routing.compiled import CompiledRelease, compiled_release
from routing.datasets.naming import names_of_document, names_of_draft
from routing.datasets.rows import value_of
from routing.datasets.splitting import split
from routing.encoding import EncoderFailed, Missing
from routing.gate.rules import CASE, gate_set
from routing.gate_checks.recent import draw, read_tasks
from routing.gate_checks.reporting import report_of
from routing.gate_checks.rows import Row, Served, read_all, written
from routing.gate_checks.trying import Side, Task, try_tasks
from routing.look_alikes import known_look_alikes
from routing.models import EvalCase, EvalDataset, GateCheck, GateResults
from routing.moves import current_move
from routing.preview import compiled_draft
from routing.selection import texts_to_embed
from routing.vectors import ensure_vectors

AT_A_TIME = 128
MOST_CASES = 5_000
"""Cases of the gate set that are tried; of more, so many by dice."""
KEPT, LET_KEPT = 10, 50
"""Finished checks of a catalog that are kept, and those that were let pass."""

Clock = Callable[[], datetime]
Item = tuple[int, ...]
Hashed = tuple[str, Mapping[str, Any]]
"""A document with its hash."""


class _Changed(Exception):
    """The draft, or what is live, is not what the check is of."""


def carry_out(
    one: GateCheck,
    *,
    clock: Clock,
    stopping: Callable[[], bool],
    progress: Callable[[int, int], object] = lambda made, total: None,
) -> None:
    """Try what is not tried yet on both sides, and write the report.

    Raises ``Stopping`` after the step in which ``stopping`` came true. Stops early where the check
    was cancelled.
    """
    try:
        with carrying_out(one, clock=clock):
            report = _report(one, stopping=stopping, progress=progress)
            end(one, at=clock(), report=report)
            _forget_old(one.catalog)
    except (_Changed, DraftHasProblems):
        end(one, at=clock(), problem=GateCheck.Problem.CHANGED)


def rows_of(one: GateCheck) -> list[Row]:
    """Return what came of a check's tasks so far, in their order."""
    return read_all(GateResults.objects.filter(check_of=one).values_list("rows", flat=True))


def side_of(release: CompiledRelease, catalog: Catalog) -> Side:
    """Return a compiled release as a side of a comparison."""
    names = names_of_document(release.document, later=names_of_draft(catalog))
    return Side(index=release.index, names=names, tokens=release.selection_tokens)


def _report(
    one: GateCheck, *, stopping: Callable[[], bool], progress: Callable[[int, int], object]
) -> dict[str, Any]:
    before, after, documents = _sides(one, stopping=stopping)
    if not one.drawn:
        _draw(one)
    items: Sequence[Item] = [*((pk,) for pk in one.cases), *map(tuple, one.tasks)]
    done = set(GateResults.objects.filter(check_of=one).values_list("start", flat=True))
    known = _known(one) if len(done) * AT_A_TIME < len(items) else {}
    watch = Watch(one=one, stopping=stopping, progress=progress)
    for begin in range(0, len(items), AT_A_TIME):
        batch = items[begin : begin + AT_A_TIME]
        if begin not in done:
            rows = try_tasks(before, after, list(_tasks(one, batch)), known=known)
            GateResults.objects.update_or_create(
                check_of=one, start=begin, defaults={"rows": [written(row) for row in rows]}
            )
        watch(begin + len(batch), len(items))
    report = report_of(rows_of(one), seed=one.seed)
    return report | {"asked": len(items), "look_alikes": _new_look_alikes(*documents)}


def _sides(
    one: GateCheck, *, stopping: Callable[[], bool]
) -> tuple[Side, Side, tuple[Hashed, Hashed]]:
    """Return what is live and the document as sides, and both documents. Raises ``_Changed``."""

    def made(_count: int, _total: int) -> None:
        if stopping():
            raise Stopping

    catalog = one.catalog
    live = current_move(catalog)
    if live is None or live.release_id != one.against_id or one.encoder != encoding.current():
        raise _Changed
    frozen = freeze_and_check(catalog) if one.version is None else None
    if frozen is not None and (frozen.sha256 != one.sha256 or frozen.problems):
        raise _Changed
    value = frozen.value if frozen is not None else document_of(_of_version(one))
    encoder = encoding.load_encoder(encoding.wanted(), patient=True)
    ensure_vectors(texts=texts_to_embed(value), encoder=encoder, progress=made)
    then = compiled_release(one.against_id)
    if isinstance(then.index.encoder, Missing):
        raise EncoderFailed(str(then.index.encoder.name))
    now = (
        compiled_draft(catalog, now=one.asked_at)  # as it would be served if it went live now
        if frozen is not None
        else compiled_release(one.release_id or _newest_release(_of_version(one)))
    )
    if now.sha256 != one.sha256:
        raise _Changed
    documents = ((then.sha256, then.document), (one.sha256, value))
    return side_of(then, catalog), side_of(now, catalog), documents


def _of_version(one: GateCheck) -> CatalogVersion:
    if one.version is None:
        raise _Changed
    return one.version


def _newest_release(version: CatalogVersion) -> int:
    newest = version.releases.order_by("-number").values_list("pk", flat=True).first()
    if newest is None:
        raise _Changed
    return int(newest)


def _draw(one: GateCheck) -> None:
    """Write down what is tried, so that whoever goes on tries the same."""
    datasets, part = one.asked["datasets"], one.asked["part"]
    if part:
        of_catalog = EvalDataset.objects.filter(catalog=one.catalog)
        for dataset in of_catalog.filter(pk__in=datasets) if datasets else of_catalog:
            split(dataset, patient=True)
    cases = gate_set(one.catalog, datasets=datasets, part=part)
    found = list(cases.order_by("pk").values_list("pk", flat=True))
    if len(found) > MOST_CASES:
        found = sorted(Random(one.seed).sample(found, MOST_CASES))  # noqa: S311 - no secret
    drawn = draw(one.catalog, until=one.asked_at, most=one.asked["replayed"], seed=one.seed)
    one.cases, one.tasks = found, [list(task) for task in drawn]
    one.drawn, one.total = True, len(found) + len(drawn)
    one.save(update_fields=["cases", "tasks", "drawn", "total"])


def _tasks(one: GateCheck, batch: Sequence[Item]) -> Iterator[Task]:
    """Yield what is tried of a batch; what is no longer there is left out."""
    rows = EvalCase.objects.in_bulk([item[0] for item in batch if len(item) == 1])
    for item in batch:
        row = rows.get(item[0]) if len(item) == 1 else None
        if row is not None:
            yield Task(kind=CASE, ref=row.pk, case=value_of(row))
    drawn = [(span, run, weight) for span, run, weight in (i for i in batch if len(i) > 1)]
    if drawn:
        yield from read_tasks(drawn, until=one.asked_at)


def _known(one: GateCheck) -> dict[str, Served]:
    """Return what is known of what is live: the newest check against the same release tried it."""
    checks = GateCheck.objects.done().filter(catalog=one.catalog, against=one.against_id)
    last = checks.exclude(pk=one.pk).first()
    return {row.key: row.before for row in rows_of(last)} if last else {}


def _new_look_alikes(before: Hashed, after: Hashed) -> dict[str, Any]:
    """Return the pairs that only the second document has, as far as both are known."""
    then, now = _look_alikes(before), _look_alikes(after)
    if then is None or now is None:
        return {"known": False, "pairs": []}
    new = [
        [kind, *names, *counts]
        for (kind, names), counts in now.items()
        if (kind, names) not in then
    ]
    return {"known": True, "pairs": new}


def _look_alikes(
    document: Hashed,
) -> dict[tuple[str, tuple[str, ...]], tuple[int, int]] | None:
    sha256, value = document
    known = known_look_alikes(sha256=sha256, value=value)
    if not known.exact:
        return None
    return {
        (pair.kind, tuple(sorted(pair.names))): (len(pair.flips), pair.tried)
        for pair in known.pairs
    }


def _forget_old(catalog: Catalog) -> None:
    finished = GateCheck.objects.finished().filter(catalog=catalog)
    let = Q(let_at__isnull=False)
    for some, most in ((finished.exclude(let), KEPT), (finished.filter(let), LET_KEPT)):
        keep_newest(some, most=most)
