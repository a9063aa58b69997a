"""Runs as people look at them: the newest of a catalog, and one with its steps in order.

Everything is read within the catalogs that a query is given; what else there is does not exist.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Left

from catalog.models import Catalog
from routing.compiled import CompiledRelease, compiled_release
from routing.models import Approval, Run, Span, Text, ToolCall

RUNS = 50
STEPS = 200
UNFINISHED = "unfinished"
"""The outcome to ask for where none was told."""
_TASK_LENGTH = 200


@dataclass(frozen=True, slots=True)
class RunList:
    """Some runs, newest first, each with its ``task``; ``next`` is the run to read on before."""

    runs: Sequence[Run]
    next: int = 0


@dataclass(frozen=True, slots=True)
class Story:
    """A run with some of its spans, and what is known of their calls and approvals by uid.

    ``next`` is the span to read on after, 0 at the end. ``last_outcome`` is the span of the
    outcome that counts.
    """

    run: Run
    release: CompiledRelease
    spans: Sequence[Span]
    calls: Mapping[UUID, ToolCall]
    approvals: Mapping[UUID, Approval]
    last_outcome: int | None
    next: int = 0


def newest_runs(*, catalog: Catalog, outcome: str = "", before: int = 0) -> RunList:
    """Return runs of a catalog, newest first, of one outcome if one is named. One read.

    Only those that began ``before`` a run of the catalog, if one is named.
    """
    rows = Run.objects.filter(catalog=catalog)
    if outcome:
        rows = rows.filter(outcome="" if outcome == UNFINISHED else outcome)
    if before:
        rows = _before(rows, Run.objects.filter(catalog=catalog, pk=before))
    tasks = Text.objects.filter(run=OuterRef("pk"), span__name=Span.Name.ROUTE).order_by("span_id")
    rows = rows.select_related("key", "release__version").defer("release__version__document")
    rows = rows.annotate(task=Subquery(tasks.values(start=Left("task", _TASK_LENGTH))[:1]))
    found = list(rows.order_by("-started_at", "-id")[: RUNS + 1])
    return RunList(found[:RUNS], next=found[RUNS - 1].pk if len(found) > RUNS else 0)


def _before(rows: "QuerySet[Run]", mark: "QuerySet[Run]") -> "QuerySet[Run]":
    """Keep runs that began before the one of ``mark``; of the same moment, those of lower ids."""
    began = Subquery(mark.values("started_at")[:1])
    same_moment = Q(started_at=began, pk__lt=Subquery(mark.values("pk")[:1]))
    return rows.filter(Q(started_at__lt=began) | same_moment)


def find_run(*, catalog: Catalog, pk: int) -> Run | None:
    """Return a run of a catalog with its key and the span of the outcome that counts."""
    outcomes = Span.objects.filter(run=OuterRef("pk"), name=Span.Name.OUTCOME).order_by("-id")
    rows = Run.objects.filter(catalog=catalog, pk=pk).select_related("key")
    return rows.annotate(last_outcome=Subquery(outcomes.values("pk")[:1])).first()


def story_of(run: Run, *, after: int = 0) -> Story:
    """Return a page of what happened in a run that ``find_run`` read. Three reads."""
    rows = run.spans.filter(pk__gt=after).select_related("text", "selection").order_by("pk")
    spans = list(rows[: STEPS + 1])
    shown = spans[:STEPS]
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
        next=shown[-1].pk if len(spans) > STEPS else 0,
    )
