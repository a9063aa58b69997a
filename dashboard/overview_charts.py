"""The charts of the overview, each with the sentence that tells how to read it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.charts import Chart, Series
from dashboard.metrics.overview import Overview
from dashboard.metrics.periods import Period
from dashboard.metrics.tallies import Tally
from dashboard.overview_cards import written
from routing.models import Run
from routing.rollups.sections import CONFIDENCE_BINS

# As many groups as there are colours, less one for the rest.
GROUPS_SHOWN = 7
NO_ESTIMATE = gettext_lazy("No selection has an estimated confidence.")

_FALLBACKS = {
    "low_confidence": gettext_lazy("confidence under the threshold"),
    "no_match": gettext_lazy("nothing fits"),
    "strategy_failed": gettext_lazy("strategy failed, auto answered"),
    "nothing_available": gettext_lazy("everything is off"),
}


@dataclass(frozen=True, slots=True)
class Reading:
    """A chart, how to read it, and what it means where there is nothing to draw."""

    chart: Chart
    note: str | Promise
    empty: str | Promise = ""


def readings(overview: Overview, *, threshold: float | None) -> Sequence[Reading]:
    """Return the charts in the order of the page.

    ``threshold`` is that of the version that is live, ``None`` where several catalogs are shown.
    """
    labels = bucket_labels(overview.periods.now)
    by = _("Hour") if overview.periods.now.is_hourly else _("Day")
    buckets = overview.buckets
    return (
        Reading(
            _asked_for(overview, labels, by),
            gettext_lazy(
                "A group that is often asked for belongs in the first selection of such tasks."
            ),
            gettext_lazy("No agent asked for another group."),
        ),
        Reading(
            _confidence_distribution(overview), _threshold_note(overview, threshold), NO_ESTIMATE
        ),
        Reading(
            _confidence_trend(overview, labels, by),
            _assumed_note(overview.now.tally),
            NO_ESTIMATE,
        ),
        Reading(
            _groups(buckets, labels, by),
            gettext_lazy("The mean over tasks for which any group was opened, at first or later."),
        ),
        Reading(
            _fallbacks(buckets, labels, by),
            gettext_lazy(
                "Under the threshold, and where nothing fits, the default tools are served: "
                "they only read."
            ),
            gettext_lazy("Every selection is what its strategy proposed."),
        ),
        Reading(
            _tokens(buckets, labels, by),
            gettext_lazy(
                "Estimated tokens of definitions that agents did not carry, "
                "less what request_group added."
            ),
        ),
        Reading(_decided_by(overview, labels, by), _deciders_note(overview.now.tally)),
        Reading(
            _outcomes(overview), _silent_note(overview), gettext_lazy("No run has an outcome yet.")
        ),
    )


def bucket_labels(period: Period) -> list[str]:
    """Return the day, or the weekday and hour, of each bucket."""
    form = "D H:i" if period.is_hourly else "j M"
    return [date_format(begins, form) for begins in period.bucket_moments]


def _asked_for(overview: Overview, labels: list[str], by: str) -> Chart:
    groups = list(overview.asked_for.items())
    shown = groups[:GROUPS_SHOWN] if len(groups) > GROUPS_SHOWN + 1 else groups
    series = [Series(group, counts) for group, counts in shown]
    if rest := groups[len(shown) :]:
        label = ngettext("%(count)s other group", "%(count)s other groups", len(rest))
        counts = [sum(bucket) for bucket in zip(*(counts for _name, counts in rest), strict=True)]
        series.append(Series(label % {"count": len(rest)}, counts))
    return Chart(
        id="asked-for",
        title=gettext_lazy("Groups asked for with request_group"),
        label_title=by,
        labels=labels,
        series=series,
        type="bar",
        stacked=True,
    )


def _confidence_distribution(overview: Overview) -> Chart:
    edges = [written(n / CONFIDENCE_BINS, "confidence") for n in range(CONFIDENCE_BINS + 1)]
    found = overview.confidences
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
            if overview.now.tally.confident
            else []
        ),
        type="bar",
        stacked=True,
    )


def _threshold_note(overview: Overview, threshold: float | None) -> str:
    if threshold is None:
        return _("Under the threshold of its catalog a selection serves the default tools.")
    median = overview.confidences.quantile(0.5)
    note = _("Threshold now: %(threshold)s; under it the default tools are served.") % {
        "threshold": written(threshold, "confidence")
    }
    if median is None:
        return note
    return note + " " + _("Half lie under %(median)s.") % {"median": written(median, "confidence")}


def _confidence_trend(overview: Overview, labels: list[str], by: str) -> Chart:
    lowest = [found.quantile(0.1) for found in overview.confidences_by_bucket]
    return Chart(
        id="confidence-trend",
        title=gettext_lazy("Confidence over time"),
        label_title=by,
        labels=labels,
        series=[
            Series(gettext_lazy("mean"), _rounded(b.mean_confidence for b in overview.buckets)),
            Series(gettext_lazy("a tenth lies under"), _rounded(lowest)),
        ],
    )


def _assumed_note(tally: Tally) -> str:
    assumed = tally.selections - tally.confident
    if not assumed:
        return _("Every selection of the period has an estimated confidence.")
    return ngettext(
        "Left out: %(count)s selection that a rule decided, whose confidence is assumed.",
        "Left out: %(count)s selections that rules decided, whose confidence is assumed.",
        assumed,
    ) % {"count": written(assumed, "count")}


def _groups(buckets: Sequence[Tally], labels: list[str], by: str) -> Chart:
    return Chart(
        id="groups",
        title=gettext_lazy("Groups per task"),
        label_title=by,
        labels=labels,
        series=[
            Series(
                gettext_lazy("with those asked for"), _rounded(b.groups_per_task for b in buckets)
            ),
            Series(gettext_lazy("selected"), _rounded(b.groups_selected for b in buckets)),
        ],
    )


def _fallbacks(buckets: Sequence[Tally], labels: list[str], by: str) -> Chart:
    found = {reason for bucket in buckets for reason in bucket.fallbacks}
    return Chart(
        id="fallbacks",
        title=gettext_lazy("Fallbacks by reason"),
        label_title=by,
        labels=labels,
        series=[
            Series(label, [bucket.fallbacks.get(reason, 0) for bucket in buckets])
            for reason, label in _FALLBACKS.items()
            if reason in found
        ],
        type="bar",
        stacked=True,
    )


def _tokens(buckets: Sequence[Tally], labels: list[str], by: str) -> Chart:
    return Chart(
        id="tokens",
        title=gettext_lazy("Tokens saved"),
        label_title=by,
        labels=labels,
        series=[Series(gettext_lazy("tokens"), [bucket.tokens_saved for bucket in buckets])],
        type="bar",
        unit="tokens",
    )


def _decided_by(overview: Overview, labels: list[str], by: str) -> Chart:
    buckets = overview.buckets
    return Chart(
        id="decided-by",
        title=gettext_lazy("Decided by"),
        label_title=by,
        labels=labels,
        series=[
            Series(strategy, [_percent(bucket, strategy) for bucket in buckets])
            for strategy, _count in _deciders(overview.now.tally)
        ],
        type="bar",
        stacked=True,
        unit="%",
    )


def _deciders(tally: Tally) -> list[tuple[str, int]]:
    """Return the strategies that gave answers, the busiest first."""
    return sorted(tally.decided_by.items(), key=lambda item: (-item[1], item[0]))


def _percent(tally: Tally, strategy: str) -> float | None:
    if not tally.selections:
        return None
    return round(100 * tally.decided_by.get(strategy, 0) / tally.selections, 2)


def _deciders_note(tally: Tally) -> str:
    shares = (
        f"{strategy}: {written(count / tally.selections, 'share')}"
        for strategy, count in _deciders(tally)
    )
    return _("In the whole period %(shares)s.") % {"shares": ", ".join(shares)}


def _outcomes(overview: Overview) -> Chart:
    outcomes = Run.Outcome.choices
    sides = {
        gettext_lazy("this period"): overview.now.runs,
        gettext_lazy("the period before"): overview.before.runs,
    }
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
            if overview.now.runs.ended
            else []
        ),
        type="bar",
    )


def _silent_note(overview: Overview) -> str:
    silent = overview.now.runs.silent
    if not silent:
        return _("No run failed without having asked for another group.")
    return ngettext(
        "%(count)s run failed or needed a person and never asked for another group: the costly, "
        "silent failure, for the right group may have been left out.",
        "%(count)s runs failed or needed a person and never asked for another group: the costly, "
        "silent failure, for the right group may have been left out.",
        silent,
    ) % {"count": written(silent, "count")}


def _rounded(values: Iterable[float | None]) -> list[float | None]:
    return [None if value is None else round(value, 3) for value in values]
