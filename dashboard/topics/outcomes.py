"""How runs end, and the failures that nobody hears of."""

from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.charts import Chart, Series
from dashboard.metrics.tallies import Runs, runs
from dashboard.overview_charts import NO_OUTCOME, silent_note
from dashboard.routing_charts import outcomes_chart
from dashboard.topics.viewed import Block, Shown, Viewed, compared
from routing.models import Run
from routing.rollups.sections import Section


def outcomes_topic(viewed: Viewed) -> Shown:
    """Show outcomes beside those before and over time, and silent failures. One section."""
    found = viewed.both(Section.RUNS)
    now, before = runs(found.now), runs(found.before)
    buckets = [runs(counts) for counts in found.buckets]
    links = viewed.links
    whole = replace(
        outcomes_chart(now, before),
        label_urls=[links.of(outcome=value) for value in Run.Outcome.values]
        if links.catalog
        else (),
    )
    return Shown(
        blocks=(
            Block(
                _silent(viewed, buckets),
                silent_note(now),
                gettext_lazy("No run failed without having asked for another group."),
                figures=[
                    compared(
                        _("silent failures"),
                        now.silent,
                        before.silent,
                        url=links.of(silent="1"),
                    ),
                    compared(
                        _("share of those that ended"),
                        now.silent_share,
                        before.silent_share,
                        "share",
                        cases=before.ended,
                        url=links.of(silent="1"),
                    ),
                ],
            ),
            Block(
                whole,
                gettext_lazy("By the last outcome that a run has told."),
                NO_OUTCOME,
                figures=[
                    compared(
                        _("solved"),
                        now.solved_share,
                        before.solved_share,
                        "share",
                        cases=before.ended,
                        url=links.of(outcome="solved"),
                    ),
                    compared(_("runs that ended"), now.ended, before.ended),
                ],
            ),
            Block(
                _over_time(viewed, buckets),
                gettext_lazy("By the day or hour in which the run began, whenever it ended."),
                NO_OUTCOME,
                figures=[
                    compared(
                        label,
                        now.by_outcome.get(value, 0),
                        before.by_outcome.get(value, 0),
                        url=links.of(outcome=value),
                    )
                    for value, label in Run.Outcome.choices
                ],
            ),
        )
    )


def _silent(viewed: Viewed, buckets: list[Runs]) -> Chart:
    return Chart(
        id="silent",
        title=gettext_lazy("Silent failures"),
        label_title=viewed.axis.title,
        labels=viewed.axis.labels,
        label_urls=viewed.links.by_bucket(silent="1"),
        series=[Series(gettext_lazy("runs"), [one.silent for one in buckets])]
        if any(one.silent for one in buckets)
        else [],
        type="bar",
    )


def _over_time(viewed: Viewed, buckets: list[Runs]) -> Chart:
    return Chart(
        id="outcomes-trend",
        title=gettext_lazy("Outcomes over time"),
        label_title=viewed.axis.title,
        labels=viewed.axis.labels,
        label_urls=viewed.links.by_bucket(),
        series=[
            Series(
                label,
                [one.by_outcome.get(value, 0) for one in buckets],
                url=viewed.links.of(outcome=value),
            )
            for value, label in Run.Outcome.choices
        ]
        if any(one.ended for one in buckets)
        else [],
        type="bar",
        stacked=True,
    )
