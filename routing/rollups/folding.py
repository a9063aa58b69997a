"""Add new spans to the counts of their hours, each once."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import monotonic

from django.db import transaction

from routing.models import CountedUpTo, Span
from routing.partitions.until import note_late_steps
from routing.rollups.contribution import SpanRow, contribution
from routing.rollups.reading import RunRow, runs_with_spans, spans_by_run, tool_name
from routing.rollups.settled import settled
from routing.rollups.storing import Totals, add

MOST = 5_000
"""So many spans are counted at once."""


@dataclass(frozen=True, slots=True)
class Folded:
    """Up to which span counts go now, and whether there is more to count at once."""

    upto: int
    more: bool


def fold(*, now: datetime, most: int = MOST) -> Folded:
    """Count spans that do not count yet, at most ``most`` of them.

    They are read and counted before anything is locked; their counts and how far counts go are then
    written together, unless somebody else was quicker. A process that dies between two folds, or
    in one, loses nothing and counts nothing twice.
    """
    mark, _ = CountedUpTo.objects.get_or_create(pk=1)
    reach = settled(mark)
    upto = _some_up_to(reach.span, after=mark.span, most=most)
    if (upto, reach.seen, reach.horizon) == (mark.span, mark.seen, mark.horizon):
        return Folded(upto=upto, more=False)
    runs = runs_with_spans(after=mark.span, upto=upto) if upto > mark.span else ()
    totals = differences(runs, before=mark.span, upto=upto)
    with transaction.atomic():
        locked = lock_mark()
        if locked.span != mark.span:
            return Folded(upto=locked.span, more=locked.span < reach.span)
        add(totals)
        note_late_steps(after=mark.span, upto=upto)
        locked.span, locked.seen, locked.horizon = upto, reach.seen, reach.horizon
        locked.at = now
        locked.save()
    return Folded(upto=upto, more=upto < reach.span)


def fold_all(*, now: datetime) -> Folded:
    """Count until everything counts that can."""
    while (folded := fold(now=now)).more:
        pass
    return folded


def fold_for(seconds: float, *, now: datetime, clock: Callable[[], float] = monotonic) -> bool:
    """Count for at most about so many seconds; tell whether everything counts now."""
    end = clock() + seconds
    while fold(now=now).more:
        if clock() >= end:
            return False
    return True


def catch_up(*, now: datetime, most: int = MOST) -> bool:
    """Count what came since the last fold, if that is little; tell whether everything counts now.

    For a page that is about to show counts. Where nobody works in the background it sees to it that
    they are there; a long way behind is left to the worker.
    """
    return not fold(now=now, most=most).more


def lock_mark() -> CountedUpTo:
    """Return the row that says how far counts go, locked until the transaction ends."""
    CountedUpTo.objects.get_or_create(pk=1)
    return CountedUpTo.objects.select_for_update().get(pk=1)


def _some_up_to(span: int, *, after: int, most: int) -> int:
    """Return the number of the last of the next ``most`` spans, at most ``span``.

    Numbers have gaps: those of each day begin with a multiple of 2^36 (``routing.partitions``).
    """
    if span - after <= most:
        return span
    following = Span.objects.filter(id__gt=after, id__lte=span).order_by("id")
    last = following.values_list("id", flat=True)[most - 1 : most].first()
    return span if last is None else last


def differences(runs: Iterable[int], *, before: int, upto: int) -> Totals:
    """Return what runs add by their spans up to one, less what they add by those up to another.

    Runs are there as a whole or not at all (``routing.retention``), else this would count a run
    again of which some spans are gone.
    """
    totals: Totals = defaultdict(Counter)
    for run, spans in spans_by_run(runs, upto=upto):
        add_run(totals, run, spans)
        add_run(totals, run, [span for span in spans if span.id <= before], sign=-1)
    return totals


def add_run(totals: Totals, run: RunRow, spans: Sequence[SpanRow], *, sign: int = 1) -> None:
    """Add to totals what a run adds by some of its spans, or take it away."""
    sums = contribution(spans, began=run.began, tool_name=tool_name)
    for (hour, section), counts in sums.items():
        total = totals[run.catalog, section.value, hour, run.source]
        for key, count in counts.items():
            total[key] += sign * count
