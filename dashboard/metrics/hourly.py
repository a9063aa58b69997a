"""What the charts count, by the hour: every read of spans and runs that a metric makes.

The functions return plain values, so that tables kept by the hour can take the place of the spans
without a change elsewhere. Each is one query that groups in the database, whatever the number of
spans. Nothing here truncates a date or takes a logarithm: on SQLite both call Python for each row.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    Q,
    Sum,
    Value,
    When,
)
from django.db.models.expressions import Combinable

from dashboard.metrics.counts import (
    ConfidenceHour,
    ExpandedHour,
    ExpansionHour,
    RunCount,
    SelectionHour,
)
from dashboard.metrics.periods import Comparison, Period, moment
from dashboard.metrics.quantiles import Bin
from routing.models import Run, Span
from routing.models.run import SIMULATED
from routing.selection.types import Fallback, Strategy

CONFIDENCE_BINS = 20
_FALLBACKS = tuple(reason.value for reason in Fallback)
_DEFAULTED = frozenset({Fallback.LOW_CONFIDENCE.value, Fallback.NO_MATCH.value})
_STRATEGIES = tuple(strategy.value for strategy in Strategy)
# Latencies from 64 µs to two minutes keep five binary digits: a bin is at most 1/32 of its value.
_LATENCY_OCTAVES = range(6, 27)
_FAILED = (Run.Outcome.FAILED.value, Run.Outcome.NEEDS_HUMAN.value)


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose traffic is counted: these catalogs, with or without what a simulation made."""

    catalogs: tuple[int, ...]
    simulated: bool = True

    def counts(self, source: str) -> bool:
        """Tell whether traffic of a source is counted."""
        return self.simulated or source != SIMULATED

    def of(self, name: Span.Name, *, start: int, end: int | None = None) -> Q:
        """Return the condition for spans of a name from the hour ``start`` on, before ``end``."""
        where = Q(catalog__in=self.catalogs, name=name, hour__gte=start)
        return where if end is None else where & Q(hour__lt=end)

    @property
    def sources(self) -> Q:
        """Return the condition for sources that are counted."""
        return Q() if self.simulated else ~Q(source=SIMULATED)


def selections_by_hour(*, scope: Scope, periods: Comparison) -> list[SelectionHour]:
    """Return the selections of both periods and of what lies between, of every source."""
    rows = (
        Span.objects.filter(_both(scope, Span.Name.ROUTE, periods))
        .order_by()
        .values("hour", "source")
        .annotate(
            selections=Count("*"),
            confident=Count("confidence"),
            confidence_sum=Sum("confidence", default=0.0),
            opened=Count("hour", filter=Q(groups_count__gt=0)),
            groups_sum=Sum("groups_count"),
            selected_sum=Sum("tokens_selected"),
            catalog_sum=Sum("tokens_catalog"),
            **{f"f{n}": _count(fallback=name) for n, name in enumerate(_FALLBACKS)},
            **{f"d{n}": _count(decided_by=name) for n, name in enumerate(_STRATEGIES)},
        )
    )
    return [
        SelectionHour(
            hour=row["hour"],
            source=row["source"],
            selections=row["selections"],
            confident=row["confident"],
            confidence_sum=row["confidence_sum"],
            opened=row["opened"],
            groups=row["groups_sum"],
            tokens_selected=row["selected_sum"],
            tokens_catalog=row["catalog_sum"],
            fallbacks=_named(row, "f", _FALLBACKS),
            decided_by=_named(row, "d", _STRATEGIES),
        )
        for row in rows
    ]


def expanded_by_hour(*, scope: Scope, periods: Comparison) -> list[ExpandedHour]:
    """Return, by the hour of the selection, which were followed by ``request_group``.

    The last expansion of a selection holds what all of them added up to. Hours before the periods
    may occur: a condition on them would make SQLite walk through every selection.
    """
    later = Span.objects.filter(
        selection=OuterRef("selection"), pk__gt=OuterRef("pk"), name=Span.Name.EXPAND
    )
    rows = (
        Span.objects.filter(scope.of(Span.Name.EXPAND, start=periods.before.start), scope.sources)
        .filter(~Exists(later))
        .order_by()
        .values_list("selection__hour")
        .annotate(
            expanded=Count("*"),
            unopened=Count("pk", filter=Q(selection__groups_count=0)),
            more_groups=Sum(F("groups_count") - F("selection__groups_count")),
            more_tokens=Sum(F("tokens_selected") - F("selection__tokens_selected")),
        )
    )
    return [ExpandedHour(*row) for row in rows]


def expansions_by_hour(*, scope: Scope, period: Period) -> list[ExpansionHour]:
    """Return which groups were asked for, by the hour of asking."""
    where = scope.of(Span.Name.EXPAND, start=period.start, end=period.end)
    rows = (
        Span.objects.filter(where, scope.sources)
        .order_by()
        .values_list("hour", "group")
        .annotate(count=Count("*"))
    )
    return [ExpansionHour(*row) for row in rows]


def confidence_by_hour(*, scope: Scope, period: Period) -> list[ConfidenceHour]:
    """Return the estimated confidences of a period by bin; assumed ones are left out."""
    where = scope.of(Span.Name.ROUTE, start=period.start, end=period.end)
    bins = Case(
        *(
            When(confidence__gte=number / CONFIDENCE_BINS, then=Value(number))
            for number in range(CONFIDENCE_BINS - 1, 0, -1)
        ),
        default=Value(0),
        output_field=IntegerField(),
    )
    rows = (
        Span.objects.filter(where, scope.sources, confidence__isnull=False)
        .order_by()
        .annotate(bin=bins)
        .values_list("hour", "bin", "fallback")
        .annotate(count=Count("*"))
    )
    return [ConfidenceHour(hour, bin_, reason in _DEFAULTED, n) for hour, bin_, reason, n in rows]


def latencies(*, scope: Scope, periods: Comparison) -> tuple[list[Bin], list[Bin]]:
    """Return the latencies of selections in microseconds, of the period and of the one before."""
    step = Case(
        *(
            When(latency_us__lt=1 << octave, then=Value(1 << octave - 6))
            for octave in _LATENCY_OCTAVES
        ),
        default=Value(1 << _LATENCY_OCTAVES.stop - 6),
        output_field=IntegerField(),
    )
    rows = (
        Span.objects.filter(_both(scope, Span.Name.ROUTE, periods), scope.sources)
        .order_by()
        .annotate(side=_side("hour", periods.now.start, periods.before.end), step=step)
        .annotate(low=_whole(F("latency_us") - F("latency_us") % F("step")))
        .values_list("side", "low", "step")
        .annotate(count=Count("*"))
    )
    bins: tuple[list[Bin], list[Bin], list[Bin]] = ([], [], [])
    for side, low, width, count in rows:
        bins[side].append(Bin(low=low, high=low + width, count=count))
    return bins[0], bins[1]


def run_counts(*, scope: Scope, periods: Comparison) -> tuple[list[RunCount], list[RunCount]]:
    """Return the runs that began in the period and in the one before, by their last outcome."""
    asked = Exists(Span.objects.filter(run=OuterRef("pk"), name=Span.Name.EXPAND))
    rows = (
        Run.objects.filter(
            scope.sources,
            catalog__in=scope.catalogs,
            started_at__gte=moment(periods.before.start),
            started_at__lt=moment(periods.now.end),
        )
        .order_by()
        .annotate(side=_side("started_at", moment(periods.now.start), moment(periods.before.end)))
        .values_list("side", "outcome")
        .annotate(count=Count("*"), silent=Count("pk", filter=Q(outcome__in=_FAILED) & ~asked))
    )
    counts: tuple[list[RunCount], list[RunCount], list[RunCount]] = ([], [], [])
    for side, outcome, count, silent in rows:
        counts[side].append(RunCount(outcome=outcome, count=count, silent=silent))
    return counts[0], counts[1]


def has_traffic(*, scope: Scope) -> bool:
    """Tell whether there ever was a selection, simulated or not."""
    return Span.objects.filter(catalog__in=scope.catalogs, name=Span.Name.ROUTE).exists()


def _count(**where: str) -> Count:
    # Counting a column of the index, where "pk" would read each row and "*" takes no filter.
    return Count("hour", filter=Q(**where))


def _named(row: Mapping[str, Any], letter: str, names: tuple[str, ...]) -> dict[str, int]:
    counts = {name: row[f"{letter}{number}"] for number, name in enumerate(names)}
    return {name: count for name, count in counts.items() if count}


def _whole(expression: Combinable) -> Combinable:
    return ExpressionWrapper(expression, output_field=IntegerField())


def _both(scope: Scope, name: Span.Name, periods: Comparison) -> Q:
    return scope.of(name, start=periods.before.start, end=periods.now.end)


def _side(field: str, start: Any, before_end: Any) -> Case:
    """Return 0 for the period, 1 for the one before, 2 for the hours in between."""
    return Case(
        When(**{f"{field}__gte": start}, then=Value(0)),
        When(**{f"{field}__lt": before_end}, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
