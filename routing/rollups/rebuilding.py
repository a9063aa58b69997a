"""Make all counts again from the spans, while old ones are read and new spans come in."""

from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from routing.models import CountedUpTo, KeptSince, Run
from routing.rollups.folding import add_run, differences, fold_all, lock_mark
from routing.rollups.reading import runs_with_spans, spans_by_run
from routing.rollups.sections import Section
from routing.rollups.storing import Totals, kept_before, replace

RUNS = 5_000

Progress = Callable[[int, int], None]
"""Is told how many of how many runs are counted."""


def rebuild(*, now: datetime, progress: Progress = lambda done, whole: None) -> None:
    """Replace every count by what the spans say.

    Spans are counted up to where counts go now, then those that were counted meanwhile, until none
    is left out; then the old rows are replaced at once. Counts of hours whose spans were dropped
    are kept as they are: nothing else tells of them.
    """
    mark = CountedUpTo.objects.filter(pk=1).first()
    upto = mark.span if mark else 0
    totals = count_all(upto=upto, progress=progress)
    while (reached := _replace(totals, upto=upto)) != upto:
        more = differences(runs_with_spans(after=upto, upto=reached), before=upto, upto=reached)
        for place, counts in more.items():
            for key, count in counts.items():
                totals[place][key] += count
        upto = reached
    fold_all(now=now)


@transaction.atomic
def _replace(totals: Totals, *, upto: int) -> int:
    """Replace every count if counts go up to a span, and return up to which they go."""
    mark = lock_mark()
    if mark.span == upto:
        kept = KeptSince.objects.filter(pk=1).first()
        replace(_with_what_was_dropped(totals, since=kept.hour) if kept else totals)
    return mark.span


def _with_what_was_dropped(totals: Totals, *, since: int) -> Totals:
    """Return counts of spans that there are, with what is known of hours whose spans are gone."""
    there = {
        (catalog, section, hour, source): counts
        for (catalog, section, hour, source), counts in totals.items()
        if hour >= since or section == Section.FACTS
    }
    return kept_before(since) | there


def count_all(*, upto: int, progress: Progress = lambda done, whole: None) -> Totals:
    """Return the counts of all spans up to an id, made from nothing."""
    totals: Totals = defaultdict(Counter)
    runs = list(Run.objects.order_by("id").values_list("id", flat=True))
    for start in range(0, len(runs), RUNS):
        for run, spans in spans_by_run(runs[start : start + RUNS], upto=upto):
            add_run(totals, run, spans)
        progress(min(start + RUNS, len(runs)), len(runs))
    return totals
