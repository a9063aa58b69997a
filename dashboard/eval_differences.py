"""The measures of two evaluations in words: what differs, how surely, and which test says so."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.eval_rows import COUNTS, MEASURES, number
from routing.datasets.comparing import RIGHT
from routing.evaluation.paired import McNemar
from routing.evaluation.side_by_side import Compared

LOWER_IS_BETTER = frozenset(
    {"mean_tools", "mean_groups", "expansion_rate", "fallback_rate", "ece", "ms_per_selection"}
)
LABELS = {RIGHT: (gettext_lazy("Right"), gettext_lazy("cases that did not fail")), **MEASURES}
FIRST_MEASURES = (
    RIGHT,
    "coverage",
    "mean_tools",
    "group_coverage",
    "expansion_rate",
    "fallback_rate",
)
MOST_CHANCE = 0.05
"""A share is surely another only where its test says so, too: few pairs bend the bootstrap."""
NO_NUMBER = "–"  # noqa: RUF001 - as pages have it


@dataclass(frozen=True, slots=True)
class MeasureLine:
    """A measure of both in words; ``verdict`` is ``better``, ``worse`` or nothing that is sure."""

    name: str
    label: Promise
    about: Promise
    before: str
    after: str
    difference: str
    interval: str
    test: str
    verdict: str


def measure_lines(measures: Mapping[str, Compared]) -> Iterator[MeasureLine]:
    """Yield the measures that either has, in the order of the page."""
    for name, (label, about) in LABELS.items():
        if name in measures:
            yield _line(name, label, about, measures[name])


def _line(name: str, label: Promise, about: Promise, one: Compared) -> MeasureLine:
    difference = one.difference
    shown, interval, verdict = NO_NUMBER, "", ""
    if difference is not None:
        shown = _signed(name, difference.value)
        if difference.interval is not None:
            low, high = difference.interval
            interval = f"{_signed(name, low)} … {_signed(name, high)}"
        if difference.is_sure and (one.test is None or one.test.p_value < MOST_CHANCE):
            rises = difference.value > 0
            verdict = "better" if rises is not (name in LOWER_IS_BETTER) else "worse"
    elif one.before is not None and one.after is not None:
        shown = _signed(name, one.after - one.before)
    return MeasureLine(
        name=name,
        label=label,
        about=about,
        before=number(name, one.before),
        after=number(name, one.after),
        difference=shown,
        interval=interval,
        test=_test(one.test) if one.test else "",
        verdict=verdict,
    )


def _signed(name: str, value: float) -> str:
    places = 2 if name in COUNTS else 3
    rounded = round(value, places) + 0  # minus zero has no sign
    return f"{'+' if rounded > 0 else ''}{number_format(rounded, places)}"


def _test(test: McNemar) -> str:
    said = {"exact": _("exact McNemar"), "chi_square": _("McNemar, chi-square")}[test.test]
    p_value = f"p = {number_format(round(test.p_value, 3), 3)}"
    if test.p_value < 0.001:
        p_value = f"p < {number_format(0.001, 3)}"
    counts = _("%(lost)s only before, %(won)s only after") % {"lost": test.lost, "won": test.won}
    return f"{p_value}, {said}, {counts}"
