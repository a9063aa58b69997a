"""How sure selections are, whether they are right to be, and what decides them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.charts import Chart, Series
from dashboard.metrics.reliability import Bin, calibration_error, reliability
from dashboard.metrics.tallies import Confidences, Tally, confidences, tally
from dashboard.overview_cards import written
from dashboard.overview_charts import (
    DEFAULTS,
    NO_ESTIMATE,
    NO_FALLBACK,
    assumed_note,
    threshold_note,
)
from dashboard.routing_charts import (
    FALLBACKS,
    confidence_chart,
    confidence_trend,
    deciders,
    deciders_chart,
    fallbacks_chart,
)
from dashboard.run_links import RunLinks
from dashboard.topics.viewed import Block, Compared, Shown, Viewed, compared
from routing.rollups.sections import CONFIDENCE_BINS, Section


def confidence_topic(viewed: Viewed) -> Shown:
    """Show confidences, their reliability, fallbacks and who decided. Two sections."""
    counted = viewed.both(Section.CONFIDENCE)
    selections = viewed.selections
    now, before = tally(selections.now), tally(selections.before)
    buckets = [tally(counts) for counts in selections.buckets]
    trend = confidence_trend(
        buckets, [confidences(counts) for counts in counted.buckets], viewed.axis
    )
    found, found_before = confidences(counted.now), confidences(counted.before)
    links = viewed.links
    return Shown(
        blocks=(
            Block(
                _histogram(found, links),
                threshold_note(found, viewed.threshold),
                NO_ESTIMATE,
                figures=_quantiles(found, found_before),
            ),
            Block(
                replace(trend, label_urls=links.by_bucket()),
                assumed_note(now),
                NO_ESTIMATE,
                figures=[
                    compared(
                        _("mean"),
                        now.mean_confidence,
                        before.mean_confidence,
                        "confidence",
                        cases=before.confident,
                    )
                ],
            ),
            _reliability(counted.now, counted.before, links),
            _fallbacks(viewed, buckets, now, before),
            _deciders(viewed, buckets, now, before),
        )
    )


def _histogram(found: Confidences, links: RunLinks) -> Chart:
    urls = [
        links.of(min_confidence=at / CONFIDENCE_BINS, max_confidence=(at + 1) / CONFIDENCE_BINS)
        for at in range(CONFIDENCE_BINS)
    ]
    return replace(confidence_chart(found), label_urls=urls if links.catalog else ())


def _quantiles(now: Confidences, before: Confidences) -> list[Compared]:
    shares = {0.1: gettext_lazy("a tenth lies under"), 0.5: gettext_lazy("half lie under")}
    return [
        compared(
            label, now.quantile(share), before.quantile(share), "confidence", cases=before.count
        )
        for share, label in shares.items()
    ]


def _reliability(now: Counter[str], before: Counter[str], links: RunLinks) -> Block:
    bins, bins_before = reliability(now), reliability(before)
    error = calibration_error(bins)
    labelled, labelled_before = (
        sum(one.complete.whole for one in side) for side in (bins, bins_before)
    )
    note = _(
        "Of selections at 0.8 about four in five should be complete: have offered every tool that "
        "their run called. Where the default tools were served instead, that says nothing of the "
        "confidence: such selections are left out. Bins with fewer than 20 are in the table only."
    )
    return Block(
        _reliability_chart(bins, links),
        note,
        gettext_lazy("Every bin has fewer than 20 selections with calls: too few to say.")
        if labelled
        else gettext_lazy("No selection with an estimated confidence was followed by a call."),
        figures=[
            compared(
                _("calibration error"),
                error,
                calibration_error(bins_before),
                "confidence",
                cases=labelled_before,
            ),
            compared(_("labelled selections"), labelled, labelled_before),
        ],
    )


def _reliability_chart(bins: Sequence[Bin], links: RunLinks) -> Chart:
    plain = [not one.complete.is_few for one in bins]
    return Chart(
        id="reliability",
        title=gettext_lazy("Reliability of confidence"),
        label_title=_("Confidence"),
        labels=[
            f"{written(one.low, 'confidence')} - {written(one.high, 'confidence')}" for one in bins
        ],
        label_urls=[links.of(min_confidence=one.low, max_confidence=one.high) for one in bins]
        if links.catalog
        else (),
        series=[
            Series(
                gettext_lazy("stated"),
                [_percent(one.stated) if ok else None for one, ok in zip(bins, plain, strict=True)],
            ),
            Series(
                gettext_lazy("complete"),
                [
                    _percent(one.complete.value) if ok else None
                    for one, ok in zip(bins, plain, strict=True)
                ],
            ),
            Series(
                gettext_lazy("selections with calls"),
                [one.complete.whole for one in bins],
                drawn=False,
                unit="",
            ),
            Series(
                gettext_lazy("complete ones"),
                [one.complete.part for one in bins],
                drawn=False,
                unit="",
            ),
            Series(
                gettext_lazy("at least (95 %)"),
                [_percent(one.complete.low) if one.complete.whole else None for one in bins],
                drawn=False,
            ),
            Series(
                gettext_lazy("at most (95 %)"),
                [_percent(one.complete.high) if one.complete.whole else None for one in bins],
                drawn=False,
            ),
        ],
        type="bar",
        unit="%",
    )


def _fallbacks(viewed: Viewed, buckets: Sequence[Tally], now: Tally, before: Tally) -> Block:
    chart, links = fallbacks_chart(buckets, viewed.axis), viewed.links
    by_label = {str(label): reason for reason, label in FALLBACKS.items()}
    series = [replace(one, url=links.of(fallback=by_label[str(one.label)])) for one in chart.series]
    figures = [
        compared(
            label,
            now.fallbacks.get(reason, 0),
            before.fallbacks.get(reason, 0),
            url=links.of(fallback=reason),
        )
        for reason, label in FALLBACKS.items()
        if reason in now.fallbacks or reason in before.fallbacks
    ]
    share = compared(
        _("share of all"),
        now.fallback_share,
        before.fallback_share,
        "share",
        cases=before.selections,
    )
    return Block(
        replace(chart, series=series, label_urls=links.by_bucket()),
        DEFAULTS,
        NO_FALLBACK,
        figures=[*figures, share],
    )


def _deciders(viewed: Viewed, buckets: Sequence[Tally], now: Tally, before: Tally) -> Block:
    chart, links = deciders_chart(buckets, now, viewed.axis), viewed.links
    series = [replace(one, url=links.of(decided=str(one.label))) for one in chart.series]
    return Block(
        replace(chart, series=series, label_urls=links.by_bucket()),
        gettext_lazy(
            "Rules need no encoder and answer fastest. In production, others see seven or eight of "
            "ten tasks decided by rules."
        ),
        figures=[
            compared(
                strategy,
                count / now.selections,
                before.decided_by.get(strategy, 0) / before.selections
                if before.selections
                else None,
                "share",
                cases=before.selections,
                url=links.of(decided=strategy),
            )
            for strategy, count in deciders(now)
        ],
    )


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)
