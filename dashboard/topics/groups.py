"""Which groups agents ask for with ``request_group``, and what their runs had begun with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext_lazy as _

from dashboard.metrics.asking import Cell, Matrix, asked_by_bucket, matrix
from dashboard.metrics.both import Both
from dashboard.metrics.counts import named
from dashboard.metrics.tallies import tally
from dashboard.overview_charts import BELONGS, NOBODY_ASKED, OPENED_ONLY
from dashboard.routing_charts import SHOWN, asked_chart, groups_chart
from dashboard.run_links import RunLinks
from dashboard.topics.viewed import Block, Compared, Shown, Viewed, compared
from routing.rollups.sections import Section


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell of the matrix with its link and how dark it is drawn, 0 to 4."""

    cell: Cell
    url: str
    shade: int


@dataclass(frozen=True, slots=True)
class ShownOrigin:
    """A row of the matrix."""

    group: str
    runs: int
    url: str
    cells: Sequence[ShownCell]


def groups_topic(viewed: Viewed) -> Shown:
    """Show what was asked for over time and from where, and the groups of a task. Three queries."""
    found = matrix(viewed.both(Section.BEGAN))
    return Shown(
        blocks=(_asked(viewed, viewed.both(Section.ASKED)), _groups(viewed)),
        part="dashboard/metrics/_matrix.html",
        context={"matrix": found, "origins": _origins(found, viewed.links)},
    )


def _asked(viewed: Viewed, asked: Both) -> Block:
    by_bucket = asked_by_bucket(asked)
    before = named(asked.before, "group")
    chart = asked_chart(by_bucket, viewed.axis)
    # A series of what is left over has no group of its own to look for.
    series = [
        replace(one, url=viewed.links.of(asked=str(one.label))) if one.label in by_bucket else one
        for one in chart.series
    ]
    urls = viewed.links.by_bucket(expanded="1")
    figures = [
        compared(group, sum(counts), before.get(group, 0), url=viewed.links.of(asked=group))
        for group, counts in list(by_bucket.items())[: SHOWN + 1]
    ]
    return Block(
        replace(chart, series=series, label_urls=urls), BELONGS, NOBODY_ASKED, figures=figures
    )


def _groups(viewed: Viewed) -> Block:
    selections = viewed.selections
    now, before = tally(selections.now), tally(selections.before)
    chart = groups_chart([tally(counts) for counts in selections.buckets], viewed.axis)
    figures: list[Compared] = [
        compared(
            _("with those asked for"),
            now.groups_per_task,
            before.groups_per_task,
            "groups",
            cases=before.opened,
        ),
        compared(
            _("selected"),
            now.groups_selected,
            before.groups_selected,
            "groups",
            cases=before.opened,
        ),
        compared(
            _("expansion rate"),
            now.expansion_rate,
            before.expansion_rate,
            "share",
            cases=before.selections,
            url=viewed.links.of(expanded="1"),
        ),
    ]
    return Block(replace(chart, label_urls=viewed.links.by_bucket()), OPENED_ONLY, figures=figures)


def _origins(found: Matrix, links: RunLinks) -> Sequence[ShownOrigin]:
    return [
        ShownOrigin(
            group=origin.group,
            runs=origin.runs,
            url=links.of(began=origin.group) if origin.group else links.of(fallback="any"),
            cells=[
                ShownCell(
                    cell=cell,
                    url=links.of(began=origin.group, asked=cell.asked)
                    if origin.group
                    else links.of(fallback="any", asked=cell.asked),
                    shade=_shade(cell),
                )
                for cell in origin.cells
            ],
        )
        for origin in found.origins
    ]


def _shade(cell: Cell) -> int:
    """Return how dark a share is drawn: by the lower end of its interval, in steps of a tenth."""
    if cell.now.is_few or not cell.now.part:
        return 0
    return min(int(cell.now.low * 10), 4)
