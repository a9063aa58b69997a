"""A small chart of what a rule saw over the last days, drawn by the server, with its table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from dashboard.alerts.evaluating import read_counts
from dashboard.alerts.judging import Evidence, compared, evidence
from dashboard.alerts.measuring import Counted
from dashboard.alerts.rules import Rule
from dashboard.alerts.words import unit_of
from dashboard.metrics.periods import moment
from dashboard.overview_cards import written

WIDTH, HEIGHT = 160, 40
DAYS, STEP = 7, 6
"""So many days are drawn, with a look every so many hours."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Lines as the points of SVG, one a stretch without a gap, in a box of ``WIDTH x HEIGHT``.

    ``level`` and ``clear`` are heights from the top. ``rows`` are the table, newest first.
    """

    lines: Sequence[str]
    level: str
    clear: str
    summary: str
    rows: Sequence[tuple[str, str]]


def looks_of(rules: Sequence[Rule], *, upto: int) -> Sequence[tuple[Rule, range]]:
    """Return at which hours each rule is looked at for its picture."""
    return [(rule, range(upto - DAYS * 24, upto + 1, STEP)) for rule in rules]


def pictures(catalog: int, rules: Sequence[Rule], *, upto: int, zone: tzinfo) -> dict[str, Picture]:
    """Return the picture of each rule by its key. A query a section that they read."""
    if not rules:
        return {}
    looks = looks_of(rules, upto=upto)
    counted = read_counts(catalog, due=looks)
    return {rule.key: _picture(rule, ends, counted, zone=zone) for rule, ends in looks}


def _picture(rule: Rule, ends: range, counted: Counted, *, zone: tzinfo) -> Picture:
    values: list[float | None] = []
    for end in ends:
        seen = counted.seen(rule, end=end)
        value = compared(rule, seen).value
        is_drawn = value not in (None, float("inf")) and evidence(rule, seen) is not Evidence.FEW
        values.append(value if is_drawn else None)
    known = [value for value in values if value is not None]
    low, high = min([*known, rule.level, rule.clear]), max([*known, rule.level, rule.clear])
    room = (high - low) * 0.1 or 1.0
    bottom, top = low - room, high + room

    def height(value: float) -> str:
        return f"{HEIGHT * (top - value) / (top - bottom):.1f}"

    points = [
        None if value is None else f"{WIDTH * at / (len(ends) - 1):.1f},{height(value)}"
        for at, value in enumerate(values)
    ]
    rows = [
        (date_format(moment(end, zone=zone), "j M, H:i"), _written(rule, value))
        for end, value in zip(ends, values, strict=True)
    ]
    return Picture(
        lines=list(_stretches(points)),
        level=height(rule.level),
        clear=height(rule.clear),
        summary=_summary(rule, known),
        rows=rows[::-1],
    )


def _written(rule: Rule, value: float | None) -> str:
    if value is None:
        return _("too few")
    if not rule.is_relative:
        return written(value, unit_of(rule.metric))
    moved = value if rule.is_upward else -value
    return ("+" if moved > 0 else "\u2212" if moved < 0 else "") + written(abs(moved), "share")


def _summary(rule: Rule, known: Sequence[float]) -> str:
    if not known:
        return _("Too few cases in the last 7 days.")
    ends = sorted(_signed(rule, value) for value in (min(known), max(known)))
    return _("In the last 7 days between %(low)s and %(high)s; fires past %(level)s.") % {
        "low": _written(rule, _signed(rule, ends[0])),
        "high": _written(rule, _signed(rule, ends[1])),
        "level": _written(rule, rule.level),
    }


def _signed(rule: Rule, value: float) -> float:
    """Turn a fall of so much into a change, and back."""
    return -value if rule.is_relative and not rule.is_upward else value


def _stretches(points: Sequence[str | None]) -> "list[str]":
    """Return what is joined up; one point alone is a short line, so that it is seen."""
    lines: list[list[str]] = [[]]
    for point in points:
        if point is not None:
            lines[-1].append(point)
        elif lines[-1]:
            lines.append([])
    return [" ".join(line if len(line) > 1 else line * 2) for line in lines if line]
