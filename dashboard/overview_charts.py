"""The charts of the overview, each with the sentence that tells how to read it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.charts import Chart
from dashboard.metrics.overview import Overview
from dashboard.metrics.tallies import Confidences, Runs, Tally
from dashboard.overview_cards import written
from dashboard.routing_charts import (
    Axis,
    asked_chart,
    confidence_chart,
    confidence_trend,
    deciders,
    deciders_chart,
    fallbacks_chart,
    groups_chart,
    outcomes_chart,
    tokens_chart,
)

NO_ESTIMATE = gettext_lazy("No selection has an estimated confidence.")
NO_OUTCOME = gettext_lazy("No run has an outcome yet.")
NOBODY_ASKED = gettext_lazy("No agent asked for another group.")
NO_FALLBACK = gettext_lazy("Every selection is what its strategy proposed.")
BELONGS = gettext_lazy(
    "A group that is often asked for belongs in the first selection of such tasks."
)
OPENED_ONLY = gettext_lazy("The mean over tasks for which any group was opened, at first or later.")
DEFAULTS = gettext_lazy(
    "Under the threshold, and where nothing fits, the default tools are served: they only read."
)
ESTIMATED = gettext_lazy(
    "Estimated tokens of definitions that agents did not carry, less what request_group added."
)


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
    axis, buckets, tally = Axis(overview.periods), overview.buckets, overview.now.tally
    found, by_bucket = overview.confidences, overview.confidences_by_bucket
    runs, before = overview.now.runs, overview.before.runs
    return (
        Reading(asked_chart(overview.asked_for, axis), BELONGS, NOBODY_ASKED),
        Reading(confidence_chart(found), threshold_note(found, threshold), NO_ESTIMATE),
        Reading(confidence_trend(buckets, by_bucket, axis), assumed_note(tally), NO_ESTIMATE),
        Reading(groups_chart(buckets, axis), OPENED_ONLY),
        Reading(fallbacks_chart(buckets, axis), DEFAULTS, NO_FALLBACK),
        Reading(tokens_chart(buckets, axis), ESTIMATED),
        Reading(deciders_chart(buckets, tally, axis), deciders_note(tally)),
        Reading(outcomes_chart(runs, before), silent_note(runs), NO_OUTCOME),
    )


def threshold_note(found: Confidences, threshold: float | None) -> str:
    """Return where the threshold lies, and what half of the confidences lie under."""
    if threshold is None:
        return _("Under the threshold of its catalog a selection serves the default tools.")
    median = found.quantile(0.5)
    note = _("Threshold now: %(threshold)s; under it the default tools are served.") % {
        "threshold": written(threshold, "confidence")
    }
    if median is None:
        return note
    return note + " " + _("Half lie under %(median)s.") % {"median": written(median, "confidence")}


def assumed_note(tally: Tally) -> str:
    """Return how many selections have no estimate, and why."""
    assumed = tally.selections - tally.confident
    if not assumed:
        return _("Every selection of the period has an estimated confidence.")
    return ngettext(
        "Left out: %(count)s selection that a rule decided, whose confidence is assumed.",
        "Left out: %(count)s selections that rules decided, whose confidence is assumed.",
        assumed,
    ) % {"count": written(assumed, "count")}


def deciders_note(tally: Tally) -> str:
    """Return the share of selections that each strategy decided."""
    shares = (
        f"{strategy}: {written(count / tally.selections, 'share')}"
        for strategy, count in deciders(tally)
    )
    return _("In the whole period %(shares)s.") % {"shares": ", ".join(shares)}


def silent_note(runs: Runs) -> str:
    """Return how many runs failed silently."""
    silent = runs.silent
    if not silent:
        return _("No run failed without having asked for another group.")
    return ngettext(
        "%(count)s run failed or needed a person and never asked for another group: the costly, "
        "silent failure, for the right group may have been left out.",
        "%(count)s runs failed or needed a person and never asked for another group: the costly, "
        "silent failure, for the right group may have been left out.",
        silent,
    ) % {"count": written(silent, "count")}
