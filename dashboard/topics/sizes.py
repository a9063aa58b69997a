"""What selections hold, how small they are, what they save and how long they take."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.charts import Chart, Series
from dashboard.metrics.quantiles import quantiles
from dashboard.metrics.tallies import Tally, latencies, tally
from dashboard.overview_charts import ESTIMATED
from dashboard.routing_charts import rounded, tokens_chart
from dashboard.topics.viewed import Block, Shown, Viewed, compared
from routing.rollups.sections import Section

PERCENTILES = (0.5, 0.95, 0.99)


def sizes_topic(viewed: Viewed) -> Shown:
    """Show coverage beside size, tokens, and latency. One section."""
    selections = viewed.selections
    now, before = tally(selections.now), tally(selections.before)
    buckets = [tally(counts) for counts in selections.buckets]
    return Shown(
        blocks=(
            _coverage(viewed, buckets, now, before),
            _cost(viewed, buckets, now, before),
            _saved(viewed, buckets, now, before),
            _latency(viewed),
        )
    )


def _coverage(viewed: Viewed, buckets: Sequence[Tally], now: Tally, before: Tally) -> Block:
    chart = Chart(
        id="coverage",
        title=gettext_lazy("Coverage and size"),
        label_title=viewed.axis.title,
        labels=viewed.axis.labels,
        label_urls=viewed.links.by_bucket(),
        series=[
            Series(gettext_lazy("complete"), [_percent(one.coverage.value) for one in buckets]),
            Series(
                gettext_lazy("tools offered"), rounded((b.mean_size for b in buckets), 2), unit=""
            ),
            Series(
                gettext_lazy("selections with calls"),
                [one.coverage.whole for one in buckets],
                drawn=False,
                unit="",
            ),
        ],
        unit="%",
    )
    return Block(
        chart,
        gettext_lazy(
            "Complete: everything that the run called next had been offered. Coverage rises by "
            "itself with the number of tools, so it is read beside it. Selections without a call "
            "have no label and are left out of coverage."
        ),
        figures=[
            compared(
                _("complete"),
                now.coverage.value,
                before.coverage.value,
                "share",
                cases=before.coverage.whole,
            ),
            compared(
                _("tools offered"),
                now.mean_size,
                before.mean_size,
                "groups",
                cases=before.selections,
            ),
            compared(_("selections with calls"), now.coverage.whole, before.coverage.whole),
        ],
    )


def _cost(viewed: Viewed, buckets: Sequence[Tally], now: Tally, before: Tally) -> Block:
    return Block(
        Chart(
            id="cost",
            title=gettext_lazy("Tokens with and without the router"),
            label_title=viewed.axis.title,
            labels=viewed.axis.labels,
            label_urls=viewed.links.by_bucket(),
            series=[
                Series(gettext_lazy("with"), [one.tokens_carried for one in buckets]),
                Series(gettext_lazy("without"), [one.tokens_catalog for one in buckets]),
            ],
            type="bar",
            unit="tokens",
        ),
        gettext_lazy(
            "What the definitions of the same selections cost as they were, expansions too, and "
            "what they would have cost with every tool of the route."
        ),
        figures=[
            compared(_("with"), now.tokens_carried, before.tokens_carried, cases=before.selections),
            compared(
                _("without"), now.tokens_catalog, before.tokens_catalog, cases=before.selections
            ),
        ],
    )


def _saved(viewed: Viewed, buckets: Sequence[Tally], now: Tally, before: Tally) -> Block:
    return Block(
        replace(tokens_chart(buckets, viewed.axis), label_urls=viewed.links.by_bucket()),
        ESTIMATED,
        figures=[
            compared(_("tokens"), now.tokens_saved, before.tokens_saved, cases=before.selections),
            compared(
                _("share saved"),
                now.tokens_saved_share,
                before.tokens_saved_share,
                "share",
                cases=before.selections,
            ),
        ],
    )


def _latency(viewed: Viewed) -> Block:
    found = viewed.both(Section.LATENCY)
    by_bucket = [_quantiles(counts) for counts in found.buckets]
    now, before = _quantiles(found.now), _quantiles(found.before)
    cases = sum(one.count for one in latencies(found.before))
    names = [_("%(percent)s %% within") % {"percent": round(100 * share)} for share in PERCENTILES]
    return Block(
        Chart(
            id="latency",
            title=gettext_lazy("Time to choose"),
            label_title=viewed.axis.title,
            labels=viewed.axis.labels,
            label_urls=viewed.links.by_bucket(),
            series=[
                Series(name, [_milliseconds(values[at]) for values in by_bucket])
                for at, name in enumerate(names)
            ],
            unit="ms",
        ),
        gettext_lazy(
            "On the server, from the request read to the answer chosen, exact to an eighth."
        ),
        figures=[
            compared(name, now[at], before[at], "microseconds", cases=cases)
            for at, name in enumerate(names)
        ],
    )


def _quantiles(counts: Mapping[str, int]) -> list[float | None]:
    return list(quantiles(latencies(counts), shares=PERCENTILES))


def _milliseconds(microseconds: float | None) -> float | None:
    return None if microseconds is None else round(microseconds / 1000, 2)


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)
