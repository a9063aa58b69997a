"""Read what is on record: a run with its spans, in the order in which they were written."""

from collections.abc import Sequence
from dataclasses import dataclass

from routing.admission import NotFound
from routing.compiled import CompiledRelease, compiled_release
from routing.keys import within_reach
from routing.models import ApiKey, Run, Span
from routing.partitions.since import ids_since

PAGE = 1000


@dataclass(frozen=True, slots=True)
class RunPage:
    """A run and some of its spans; ``next`` is what to read on after, 0 at the end."""

    run: Run
    release: CompiledRelease
    spans: Sequence[Span] = ()
    next: int = 0


def read_run(*, key: ApiKey, run_id: str, after: int = 0) -> RunPage:
    """Return a page of a run's spans, with their words; raises ``NotFound``."""
    reach = within_reach(key=key.pk, everywhere=key.all_catalogs)
    run = Run.objects.filter(reach, key=key, run_id=run_id).first()
    if run is None:
        raise NotFound("There is no such run for this key.")
    # Not joined: each number names its partition, where the database has any.
    rows = run.spans.filter(pk__gt=max(after, ids_since(run.started_at) - 1)).order_by("pk")
    rows = rows.prefetch_related("text", "selection")
    spans = list(rows[: PAGE + 1])
    return RunPage(
        run=run,
        release=compiled_release(run.release_id),
        spans=spans[:PAGE],
        next=spans[PAGE - 1].pk if len(spans) > PAGE else 0,
    )
