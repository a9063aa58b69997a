"""A run as people look at it: with its steps in order.

Everything is read within the catalogs that a query is given; what else there is does not exist.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import OuterRef, Q, Subquery

from catalog.models import Catalog
from routing.compiled import CompiledRelease, compiled_release
from routing.models import Approval, Run, Span, ToolCall

STEPS = 200


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
