"""Make all counts again from the spans, while old ones are read and new spans come in."""

from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from routing.models import CountedUpTo, Run
from routing.rollups.folding import add_run, fold_all, lock_mark
from routing.rollups.reading import spans_by_run
from routing.rollups.storing import Totals, replace

RUNS = 5_000

Progress = Callable[[int, int], None]
"""Is told how many of how many runs are counted."""


def rebuild(*, now: datetime, progress: Progress = lambda done, whole: None) -> None:
    """Replace every count by what the spans say.

    Spans are counted up to where counts go now; then the old rows are replaced at once, and what
    came meanwhile is counted as ever. Counts of hours whose spans were pruned are gone with it.
    """
    mark = CountedUpTo.objects.filter(pk=1).first()
    upto = mark.span if mark else 0
    totals = count_all(upto=upto, progress=progress)
    with transaction.atomic():
        mark = lock_mark()
        replace(totals)
        mark.span, mark.seen, mark.horizon = upto, 0, 0
        mark.save()
    fold_all(now=now)


def count_all(*, upto: int, progress: Progress = lambda done, whole: None) -> Totals:
    """Return the counts of all spans up to an id, made from nothing."""
    totals: Totals = defaultdict(Counter)
    runs = list(Run.objects.order_by("id").values_list("id", flat=True))
    for start in range(0, len(runs), RUNS):
        for run, spans in spans_by_run(runs[start : start + RUNS], upto=upto):
            add_run(totals, run, spans)
        progress(min(start + RUNS, len(runs)), len(runs))
    return totals
