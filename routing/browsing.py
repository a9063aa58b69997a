"""A run as people look at it: with its steps in order.

Everything is read within the catalogs that a query is given; what else there is does not exist.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from catalog.models import Catalog
from routing.compiled import CompiledRelease, compiled_release
from routing.models import Approval, Run, Span, ToolCall
from routing.partitions.since import ids_since
from routing.rollups.contribution import SpanRow, complete
from routing.rollups.reading import COLUMNS

MOST = 2_000
"""Of so many steps of a run it is told what came of its selections."""


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What came of a selection; tools are positions.

    ``label`` is whether it had offered everything that was called, ``None`` where nothing was.
    ``used`` were called and allowed, ``missed`` were called and had not been offered by it.
    """

    label: bool | None
    used: frozenset[int]
    missed: frozenset[int]


@dataclass(frozen=True, slots=True)
class Story:
    """A run with some of its spans, and what is known of their calls and approvals by uid.

    ``next`` is the span to read on after, 0 at the end. ``last_outcome`` is the span of the
    outcome that counts. ``aftermath`` is by the primary key of the selection.
    """

    run: Run
    release: CompiledRelease
    spans: Sequence[Span]
    calls: Mapping[UUID, ToolCall]
    approvals: Mapping[UUID, Approval]
    last_outcome: int | None
    aftermath: Mapping[int, Aftermath]
    next: int = 0


def find_run(*, catalog: Catalog, pk: int) -> Run | None:
    """Return a run of a catalog with its key and the span of the outcome that counts. Two reads."""
    rows = Run.objects.filter(catalog=catalog, pk=pk).select_related("key", "catalog__text_age")
    run = rows.first()
    if run is not None:
        least = ids_since(run.started_at)
        outcomes = run.spans.filter(name=Span.Name.OUTCOME, pk__gte=least).order_by("-pk")
        run.last_outcome = (  # type: ignore[attr-defined]
            outcomes.values_list("pk", flat=True).first()
        )
    return run


def story_of(run: Run, *, after: int = 0, steps: int) -> Story:
    """Return so many steps of what happened in a run that ``find_run`` read. Four reads."""
    # Not joined: each number names its partition, where the database has any.
    rows = run.spans.filter(pk__gt=max(after, ids_since(run.started_at) - 1)).order_by("pk")
    spans = list(rows.prefetch_related("text")[: steps + 1])
    shown = spans[:steps]
    calls = {span.call for span in shown if span.call}
    named = {UUID(uid) for span in shown if (uid := (span.details or {}).get("approval"))}
    approvals = Approval.objects.select_related("decided_by", "used_by").filter(run=run)
    approvals = approvals.filter(Q(uid__in=named) | Q(used_by__uid__in=calls))
    return Story(
        run=run,
        release=compiled_release(run.release_id),
        spans=shown,
        calls={call.uid: call for call in ToolCall.objects.filter(run=run, uid__in=calls)},
        approvals={one.uid: one for one in approvals},
        last_outcome=run.last_outcome,  # type: ignore[attr-defined]
        aftermath=dict(_aftermaths(run)),
        next=shown[-1].pk if len(spans) > steps else 0,
    )


def _aftermaths(run: Run) -> Iterator[tuple[int, Aftermath]]:
    of_run = run.spans.filter(pk__gte=ids_since(run.started_at)).order_by("pk")
    rows = of_run.values_list(*COLUMNS)[:MOST]
    spans = [SpanRow._make(row) for row in rows]
    following: dict[int | None, list[SpanRow]] = defaultdict(list)
    for span in spans:
        following[span.selection].append(span)
    for span in spans:
        if span.name == Span.Name.ROUTE:
            yield span.id, _aftermath(span, following[span.id])


def _aftermath(selection: SpanRow, following: Sequence[SpanRow]) -> Aftermath:
    used = {span.tool for span in following if span.decision == "allowed"}
    refused = {span.tool for span in following if span.reason == "tool_not_offered"}
    asked_anew = {span.tool for span in following if span.name == Span.Name.ROUTE}
    called = (used | refused | asked_anew) - {None}
    return Aftermath(
        label=complete(selection, following),
        used=frozenset(tool for tool in used if tool is not None),
        missed=frozenset(tool for tool in called - set(selection.offered) if tool is not None),
    )
