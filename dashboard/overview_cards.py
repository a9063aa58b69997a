"""The figures at the top of the overview, each beside the period before, in words and numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.metrics.overview import Overview, Side

Unit = Literal["count", "share", "confidence", "groups", "microseconds"]
Trend = Literal["better", "worse", ""]

NOTHING = "\u2013"  # a dash, as the tables write it
# A change is called better or worse where chance is no likely cause: a share has to move by two
# standard errors, another mean by this part of what it was, over so many cases in both periods.
STANDARD_ERRORS = 2
NOTABLE = 0.05
FEW = 30


@dataclass(frozen=True, slots=True)
class Card:
    """One figure as text. ``change`` gives its sign and size and what was before."""

    id: str
    label: str | Promise
    value: str
    detail: str
    change: str
    trend: Trend


@dataclass(frozen=True, slots=True)
class Figure:
    """How a figure is read off a period.

    ``cases`` counts what it is a share or a mean of; ``good`` tells whether more of it is good.
    """

    id: str
    label: Promise
    unit: Unit
    value: Callable[[Side], float | None]
    detail: Callable[[Side], str]
    cases: Callable[[Side], int] = lambda side: side.tally.selections
    good: bool | None = None
    is_share: bool = False


def cards(overview: Overview) -> Sequence[Card]:
    """Return the figures of a period."""
    return [_card(figure, overview) for figure in FIGURES]


def _card(figure: Figure, overview: Overview) -> Card:
    now, before = figure.value(overview.now), figure.value(overview.before)
    return Card(
        id=figure.id,
        label=figure.label,
        value=NOTHING if now is None else written(now, figure.unit),
        detail=figure.detail(overview.now),
        change=_change(figure, overview, now, before),
        trend=_trend(figure, overview, now, before),
    )


def written(value: float, unit: Unit) -> str:
    """Return a number as the reader's language writes it, with its unit."""
    if unit == "share":
        return _("%(number)s %%") % {"number": _number(value * 100, 1)}
    if unit == "microseconds":
        return _("%(number)s ms") % {"number": _number(value / 1000, 1)}
    return _number(value, {"count": 0, "confidence": 2, "groups": 2}[unit])


def _change(figure: Figure, overview: Overview, now: float | None, before: float | None) -> str:
    return change_of(now, before, figure.unit, cases=figure.cases(overview.before))


def change_of(now: float | None, before: float | None, unit: Unit, *, cases: int) -> str:
    """Return how a figure moved; of the ``cases`` before it was counted over, few say nothing."""
    # Of a handful of cases neither a percentage nor a difference says anything.
    if before is None or not 0 < cases < FEW:
        return change(now, before, unit)
    if unit == "count":
        return _("%(was)s before") % {"was": written(before, unit)}
    return _("too few before")


def change(now: float | None, before: float | None, unit: Unit) -> str:
    """Return how a figure moved: counts in percent of what was, shares in points."""
    if before is None or (unit == "count" and not before):
        return _("nothing before")
    was = written(before, unit)
    if now is None or written(now, unit) == was:
        return _("unchanged") if now is not None else _("%(was)s before") % {"was": was}
    if unit == "count":
        percent = (now - before) / before * 100
        moved = _("%(number)s %%") % {"number": _signed(percent, 0 if abs(percent) >= 1 else 1)}
    elif unit == "share":
        moved = _("%(number)s points") % {"number": _signed((now - before) * 100, 1)}
    elif unit == "microseconds":
        moved = _("%(number)s ms") % {"number": _signed((now - before) / 1000, 1)}
    else:
        moved = _signed(now - before, 2)
    return _("%(moved)s from %(was)s") % {"moved": moved, "was": was}


def _trend(figure: Figure, overview: Overview, now: float | None, before: float | None) -> Trend:
    if figure.good is None or now is None or before is None:
        return ""
    cases = figure.cases(overview.now), figure.cases(overview.before)
    if min(cases) < FEW or not is_notable(now, before, cases=cases, is_share=figure.is_share):
        return ""
    return "better" if (now > before) is figure.good else "worse"


def is_notable(now: float, before: float, *, cases: tuple[int, int], is_share: bool) -> bool:
    """Tell whether a figure moved by more than chance would move it."""
    if not is_share:
        return abs(now - before) >= NOTABLE * abs(before) and now != before
    # The standard error of a difference of two shares of independent cases.
    error = sqrt(now * (1 - now) / cases[0] + before * (1 - before) / cases[1])
    return abs(now - before) > STANDARD_ERRORS * error


def _number(value: float, decimals: int) -> str:
    return str(number_format(round(value, decimals), decimals, use_l10n=True, force_grouping=True))


def _signed(value: float, decimals: int) -> str:
    # A real minus sign, as wide as the plus.
    return ("+" if value >= 0 else "\u2212") + _number(abs(value), decimals)


def _a_run(side: Side) -> str:
    if not side.runs.began:
        return ""
    each = written(side.tally.selections / side.runs.began, "groups")
    return _("%(count)s a run") % {"count": each}


def _selections(count: int) -> str:
    return ngettext("%(count)s selection", "%(count)s selections", count) % {
        "count": written(count, "count")
    }


def _asked(side: Side) -> str:
    count = side.tally.expanded
    return ngettext("%(count)s asked for a group", "%(count)s asked for a group", count) % {
        "count": written(count, "count")
    }


def _of_ended(count: int, side: Side) -> str:
    return _("%(count)s of %(all)s that ended") % {
        "count": written(count, "count"),
        "all": written(side.runs.ended, "count"),
    }


def _within(side: Side) -> str:
    if side.latency_p95 is None:
        return ""
    return _("95 %% within %(time)s") % {"time": written(side.latency_p95, "microseconds")}


def _at_first(side: Side) -> str:
    groups = side.tally.groups_selected
    return "" if groups is None else _("%(count)s at first") % {"count": written(groups, "groups")}


FIGURES = (
    Figure(
        "selections",
        gettext_lazy("Selections"),
        "count",
        lambda side: side.tally.selections,
        _a_run,
    ),
    Figure(
        "runs",
        gettext_lazy("Runs"),
        "count",
        lambda side: side.runs.began,
        lambda side: _("%(count)s ended") % {"count": written(side.runs.ended, "count")},
    ),
    Figure(
        "solved",
        gettext_lazy("Solved"),
        "share",
        lambda side: side.runs.solved_share,
        lambda side: _of_ended(side.runs.by_outcome.get("solved", 0), side),
        cases=lambda side: side.runs.ended,
        is_share=True,
        good=True,
    ),
    Figure(
        "silent",
        gettext_lazy("Silent failures"),
        "share",
        lambda side: side.runs.silent_share,
        lambda side: _of_ended(side.runs.silent, side),
        cases=lambda side: side.runs.ended,
        is_share=True,
        good=False,
    ),
    Figure(
        "latency",
        gettext_lazy("Time to choose, median"),
        "microseconds",
        lambda side: side.latency_p50,
        _within,
        good=False,
    ),
    Figure(
        "confidence",
        gettext_lazy("Mean confidence"),
        "confidence",
        lambda side: side.tally.mean_confidence,
        lambda side: _selections(side.tally.confident),
        cases=lambda side: side.tally.confident,
        good=True,
    ),
    Figure(
        "fallbacks",
        gettext_lazy("Fallbacks"),
        "share",
        lambda side: side.tally.fallback_share,
        lambda side: _selections(side.tally.fallback_count),
        is_share=True,
        good=False,
    ),
    Figure(
        "expansions",
        gettext_lazy("Expansion rate"),
        "share",
        lambda side: side.tally.expansion_rate,
        _asked,
        is_share=True,
        good=False,
    ),
    Figure(
        "groups",
        gettext_lazy("Groups per task"),
        "groups",
        lambda side: side.tally.groups_per_task,
        _at_first,
        cases=lambda side: side.tally.opened,
        good=False,
    ),
    Figure(
        "tokens",
        gettext_lazy("Tokens saved"),
        "share",
        lambda side: side.tally.tokens_saved_share,
        lambda side: _("%(count)s tokens") % {"count": written(side.tally.tokens_saved, "count")},
        good=True,
    ),
)
