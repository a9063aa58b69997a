"""The charts of routing over a period, as the overview and the metrics show them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.charts import Chart, Series
from dashboard.metrics.periods import Comparison, Period
from dashboard.metrics.tallies import Confidences, Runs, Tally
from dashboard.overview_cards import written
from routing.models import Run
from routing.rollups.sections import CONFIDENCE_BINS

# As many as there are colours, less one for the rest.
SHOWN = 7

FALLBACKS: Mapping[str, Promise] = {
    "low_confidence": gettext_lazy("confidence under the threshold"),
    "no_match": gettext_lazy("nothing fits"),
    "strategy_failed": gettext_lazy("strategy failed, auto answered"),
    "nothing_available": gettext_lazy("everything is off"),
}


class Axis:
    """The buckets of a period as a chart's labels, and what they are."""

    def __init__(self, periods: Comparison) -> None:
        self.labels = bucket_labels(periods.now)
        self.title = _("Hour") if periods.now.is_hourly else _("Day")


def bucket_labels(period: Period) -> list[str]:
    """Return the day, or the weekday and hour, of each bucket."""
    form = "D H:i" if period.is_hourly else "j M"
    return [date_format(begins, form) for begins in period.bucket_moments]


def asked_chart(asked_for: Mapping[str, Sequence[int]], axis: Axis) -> Chart:
    """Return how often each group was asked for; the rarer ones together."""
    groups = list(asked_for.items())
    shown = groups[:SHOWN] if len(groups) > SHOWN + 1 else groups
    series = [Series(group, counts) for group, counts in shown]
    if rest := groups[len(shown) :]:
        label = ngettext("%(count)s other group", "%(count)s other groups", len(rest))
        counts = [sum(bucket) for bucket in zip(*(counts for _name, counts in rest), strict=True)]
        series.append(Series(label % {"count": len(rest)}, counts))
    return Chart(
        id="asked-for",
        title=gettext_lazy("Groups asked for with request_group"),
        label_title=axis.title,
        labels=axis.labels,
        series=series,
        type="bar",
        stacked=True,
    )


def confidence_chart(found: Confidences) -> Chart:
    """Return the histogram of confidences."""
    edges = [written(n / CONFIDENCE_BINS, "confidence") for n in range(CONFIDENCE_BINS + 1)]
    return Chart(
        id="confidence",
        title=gettext_lazy("Confidence of selections"),
        label_title=_("Confidence"),
        labels=[f"{low} - {high}" for low, high in pairwise(edges)],
        series=(
            [
                Series(gettext_lazy("served as proposed"), found.served),
                Series(gettext_lazy("default tools served instead"), found.fell_back),
            ]
            if any(found.served) or any(found.fell_back)
            else []
        ),
        type="bar",
        stacked=True,
    )


def confidence_trend(buckets: Sequence[Tally], found: Sequence[Confidences], axis: Axis) -> Chart:
    """Return the mean confidence over time, and what a tenth lies under."""
    lowest = [confidences.quantile(0.1) for confidences in found]
    return Chart(
        id="confidence-trend",
        title=gettext_lazy("Confidence over time"),
        label_title=axis.title,
        labels=axis.labels,
        series=[
            Series(gettext_lazy("mean"), rounded(b.mean_confidence for b in buckets)),
            Series(gettext_lazy("a tenth lies under"), rounded(lowest)),
        ],
    )


def groups_chart(buckets: Sequence[Tally], axis: Axis) -> Chart:
    """Return how many groups a task has open, with and without those asked for."""
    return Chart(
        id="groups",
        title=gettext_lazy("Groups per task"),
        label_title=axis.title,
        labels=axis.labels,
        series=[
            Series(
                gettext_lazy("with those asked for"), rounded(b.groups_per_task for b in buckets)
            ),
            Series(gettext_lazy("selected"), rounded(b.groups_selected for b in buckets)),
        ],
    )


def fallbacks_chart(buckets: Sequence[Tally], axis: Axis) -> Chart:
    """Return the fallbacks by reason."""
    found = {reason for bucket in buckets for reason in bucket.fallbacks}
    return Chart(
        id="fallbacks",
        title=gettext_lazy("Fallbacks by reason"),
        label_title=axis.title,
        labels=axis.labels,
        series=[
            Series(label, [bucket.fallbacks.get(reason, 0) for bucket in buckets])
            for reason, label in FALLBACKS.items()
            if reason in found
        ],
        type="bar",
        stacked=True,
    )


def tokens_chart(buckets: Sequence[Tally], axis: Axis) -> Chart:
    """Return the tokens saved."""
    return Chart(
        id="tokens",
        title=gettext_lazy("Tokens saved"),
        label_title=axis.title,
        labels=axis.labels,
        series=[Series(gettext_lazy("tokens"), [bucket.tokens_saved for bucket in buckets])],
        type="bar",
        unit="tokens",
    )


def deciders_chart(buckets: Sequence[Tally], whole: Tally, axis: Axis) -> Chart:
    """Return the share of selections that each strategy decided, the busiest of ``whole`` first."""
    return Chart(
        id="decided-by",
        title=gettext_lazy("Decided by"),
        label_title=axis.title,
        labels=axis.labels,
        series=[
            Series(strategy, [_percent(bucket, strategy) for bucket in buckets])
            for strategy, _count in deciders(whole)
        ],
        type="bar",
        stacked=True,
        unit="%",
    )


def deciders(tally: Tally) -> list[tuple[str, int]]:
    """Return the strategies that gave answers, the busiest first."""
    return sorted(tally.decided_by.items(), key=lambda item: (-item[1], item[0]))


def outcomes_chart(now: Runs, before: Runs) -> Chart:
    """Return the runs of both periods by outcome."""
    outcomes = Run.Outcome.choices
    sides = {gettext_lazy("this period"): now, gettext_lazy("the period before"): before}
    return Chart(
        id="outcomes",
        title=gettext_lazy("Outcomes of runs"),
        label_title=_("Outcome"),
        labels=[str(label) for _value, label in outcomes],
        series=(
            [
                Series(label, [runs.by_outcome.get(value, 0) for value, _label in outcomes])
                for label, runs in sides.items()
            ]
            if now.ended
            else []
        ),
        type="bar",
    )


def rounded(values: Iterable[float | None], places: int = 3) -> list[float | None]:
    """Return values with so many decimal places."""
    return [None if value is None else round(value, places) for value in values]


def _percent(tally: Tally, strategy: str) -> float | None:
    if not tally.selections:
        return None
    return round(100 * tally.decided_by.get(strategy, 0) / tally.selections, 2)
