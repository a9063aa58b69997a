"""What agents propose to call, what is refused and why, and how it ends."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.call_words import DECISIONS, STATUSES
from dashboard.charts import Chart, Series
from dashboard.metrics.calls import Calls, calls
from dashboard.topics.viewed import Block, Compared, Shown, Viewed, Words, compared
from dashboard.words import REFUSALS
from routing.rollups.sections import Section


def calls_topic(viewed: Viewed) -> Shown:
    """Show decisions, refusals by reason, and results by status. One section."""
    found = viewed.both(Section.CALLS)
    now, before = calls(found.now), calls(found.before)
    buckets = [calls(counts) for counts in found.buckets]
    return Shown(
        blocks=(
            _decisions(viewed, buckets, now, before),
            _refusals(viewed, buckets, now, before),
            _results(viewed, buckets, now, before),
        )
    )


def _decisions(viewed: Viewed, buckets: Sequence[Calls], now: Calls, before: Calls) -> Block:
    def url_of(code: str) -> str:
        return viewed.links.of(decision=code)

    title = gettext_lazy("Calls by decision")
    counted = [one.decided for one in buckets]
    return Block(
        _chart("decisions", title, viewed, counted, DECISIONS, url_of),
        gettext_lazy("A call that needs approval is proposed again once a person has decided."),
        gettext_lazy("No call was proposed."),
        figures=[
            *_compared(now.decided, before.decided, DECISIONS, url_of),
            compared(
                _("share refused"),
                now.refusals.value,
                before.refusals.value,
                "share",
                cases=before.proposed,
            ),
        ],
    )


def _refusals(viewed: Viewed, buckets: Sequence[Calls], now: Calls, before: Calls) -> Block:
    def url_of(code: str) -> str:
        return viewed.links.of(refused=code)

    title = gettext_lazy("Refusals by reason")
    counted = [one.refused for one in buckets]
    return Block(
        _chart("refusals", title, viewed, counted, REFUSALS, url_of),
        gettext_lazy(
            "What was not offered belongs in a selection; what does not fit the schema asks for a "
            "clearer description."
        ),
        gettext_lazy("No call was refused."),
        figures=_compared(now.refused, before.refused, REFUSALS, url_of),
    )


def _results(viewed: Viewed, buckets: Sequence[Calls], now: Calls, before: Calls) -> Block:
    def url_of(code: str) -> str:
        return viewed.links.of(status=code)

    title = gettext_lazy("Results by status")
    counted = [one.results for one in buckets]
    return Block(
        _chart("results", title, viewed, counted, STATUSES, url_of),
        gettext_lazy("A retried call has a result for each attempt."),
        gettext_lazy("No result was told."),
        figures=[
            *_compared(now.results, before.results, STATUSES, url_of),
            compared(
                _("share ok"),
                now.successes.value,
                before.successes.value,
                "share",
                cases=before.successes.whole,
            ),
        ],
    )


def _chart(
    chart: str,
    title: Words,
    viewed: Viewed,
    buckets: Sequence[Mapping[str, int]],
    words: Mapping[str, Words],
    url_of: Callable[[str], str],
) -> Chart:
    codes = _most(buckets)
    return Chart(
        id=chart,
        title=title,
        label_title=viewed.axis.title,
        labels=viewed.axis.labels,
        label_urls=viewed.links.by_bucket(),
        series=[
            Series(
                words.get(code, code),
                [counts.get(code, 0) for counts in buckets],
                url=url_of(code),
            )
            for code in codes
        ],
        type="bar",
        stacked=True,
    )


def _compared(
    now: Mapping[str, int],
    before: Mapping[str, int],
    words: Mapping[str, Words],
    url_of: Callable[[str], str],
) -> list[Compared]:
    return [
        compared(words.get(code, code), now.get(code, 0), before.get(code, 0), url=url_of(code))
        for code in _most((now, before))
    ]


def _most(counted: Iterable[Mapping[str, int]]) -> list[str]:
    totals: dict[str, int] = {}
    for counts in counted:
        for code, count in counts.items():
            totals[code] = totals.get(code, 0) + count
    return sorted(totals, key=lambda code: (-totals[code], code))
