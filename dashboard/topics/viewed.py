"""What a topic is given, and what it gives: charts with how they stand to the period before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.functional import Promise

from catalog.models import Catalog
from dashboard.asked_traffic import AskedTraffic
from dashboard.charts import Chart
from dashboard.metrics.both import Both
from dashboard.overview_cards import NOTHING, Unit, change_of, written
from dashboard.routing_charts import Axis
from dashboard.run_links import RunLinks
from routing.rollups.sections import Section

Words = str | Promise


@dataclass(frozen=True)
class Viewed:
    """The traffic that is looked at.

    ``selections`` are read already. ``threshold`` and ``tools`` are those of the version that is
    live, ``None`` and none where several catalogs are shown or none is live. ``query`` are the
    parameters of the URL.
    """

    asked: AskedTraffic
    selections: Both
    threshold: float | None = None
    tools: Sequence[str] = ()
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def catalog(self) -> Catalog | None:
        """Return the one catalog that is looked at, if it is one."""
        return self.asked.catalog

    @cached_property
    def axis(self) -> Axis:
        """Return the buckets as labels."""
        return Axis(self.asked.periods)

    @cached_property
    def links(self) -> RunLinks:
        """Return the links to the runs behind a number."""
        return RunLinks(
            catalog=self.catalog.name if self.catalog else "",
            period=self.asked.periods.now,
            simulated=self.asked.scope.simulated,
        )

    def both(self, section: Section) -> Both:
        """Return a section's counts of both periods."""
        return Both(section, scope=self.asked.scope, periods=self.asked.periods)


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure beside the period before; ``url`` leads to its runs, where there is a way."""

    label: Words
    value: str
    change: str
    url: str = ""


def compared(
    label: Words,
    now: float | None,
    before: float | None,
    unit: Unit = "count",
    *,
    cases: int | None = None,
    url: str = "",
) -> Compared:
    """Return a figure in words, with how it moved.

    ``cases`` is what it is a share or a mean of in the period before; a count is its own.
    """
    if cases is None:
        cases = int(before or 0)
    return Compared(
        label=label,
        value=NOTHING if now is None else written(now, unit),
        change=change_of(now, before, unit, cases=cases),
        url=url,
    )


@dataclass(frozen=True, slots=True)
class Block:
    """A chart, how to read it, what it means where it is empty, and its figures in sum."""

    chart: Chart
    note: Words
    empty: Words = ""
    figures: Sequence[Compared] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """What a topic shows: charts, and what else its template (``part``) draws before them."""

    blocks: Sequence[Block] = ()
    part: str = ""
    context: Mapping[str, object] = field(default_factory=dict)
