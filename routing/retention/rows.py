"""Delete runs that are over, a few at a time, so that others hardly wait."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import SET_NULL, Q

from catalog.models import Catalog
from routing.models import Approval, Run, Span, Text, ToolCall
from routing.retention.boundary import Boundary

RUNS = 200
"""So many runs are deleted in one transaction."""

OF_RUNS = (Approval, ToolCall, Text, Span)
"""What goes with a run, in an order in which nothing refers to what is gone. The rest stays."""


@dataclass(slots=True)
class Gone:
    """How much was dropped; ``partitions`` are those of spans, with what was in them."""

    runs: int = 0
    spans: int = 0
    partitions: int = 0


def delete_runs(
    boundary: Boundary, *, gone: Gone, stop: Callable[[], bool] = lambda: False, most: int = RUNS
) -> bool:
    """Delete what is over, and tell whether that was all: it ends early when told to stop."""
    for catalog in Catalog.objects.order_by("pk").values_list("pk", flat=True):
        place: tuple[datetime, int] | None = None
        while some := _some(boundary, catalog=catalog, after=place, most=most):
            _delete(boundary, [pk for _, pk in some], gone)
            place = some[-1]
            if stop():
                return False
    return True


def _some(
    boundary: Boundary, *, catalog: int, after: tuple[datetime, int] | None, most: int
) -> list[tuple[datetime, int]]:
    rows = boundary.over().filter(catalog=catalog).order_by("started_at", "pk")
    if after is not None:
        at, pk = after
        # The first condition alone finds its place in the index.
        rows = rows.filter(started_at__gte=at).exclude(Q(started_at=at, pk__lte=pk))
    return list(rows.values_list("started_at", "pk")[:most])


@transaction.atomic
def _delete(boundary: Boundary, runs: list[int], gone: Gone) -> None:
    # Who adds to a run holds it until then: it is looked at again once nobody does.
    held = Run.objects.filter(pk__in=runs).order_by("pk").select_for_update(skip_locked=True)
    over = boundary.over().filter(pk__in=[run.pk for run in held.only("pk")])
    pks = list(over.values_list("pk", flat=True))
    for relation in Run._meta.related_objects:  # noqa: SLF001 - Django's public name
        if relation.on_delete is SET_NULL:
            name, others = relation.field.name, relation.field.model._base_manager  # noqa: SLF001
            others.filter(**{f"{name}__in": pks}).update(**{name: None})
    for model in OF_RUNS:
        rows = model._base_manager.filter(run__in=pks)  # noqa: SLF001 - Django's public name
        count = rows._raw_delete(rows.db)  # noqa: SLF001 - nothing refers to it that is not here
        if model is Span:
            gone.spans += count
    runs_over = Run.objects.filter(pk__in=pks)
    gone.runs += runs_over._raw_delete(runs_over.db)  # noqa: SLF001
