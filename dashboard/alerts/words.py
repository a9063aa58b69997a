"""Alerts in the reader's language: what a rule asks, what it saw, and how it stands."""

from collections.abc import Mapping

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.alerts.rules import Comparison, Metric, Rule
from dashboard.alerts.sightings import Sighting
from dashboard.overview_cards import Unit, written

METRICS: Mapping[Metric, Promise] = {
    Metric.GROUPS: gettext_lazy("Groups per task"),
    Metric.EXPANSIONS: gettext_lazy("Expansion rate"),
    Metric.ASKED: gettext_lazy("Share that asks for one group"),
    Metric.FALLBACKS: gettext_lazy("Share of fallbacks"),
    Metric.CONFIDENCE: gettext_lazy("Mean confidence"),
    Metric.COMPLETE: gettext_lazy("Complete selections"),
    Metric.SILENT: gettext_lazy("Silent failures"),
    Metric.REFUSALS: gettext_lazy("Refused calls"),
    Metric.LATENCY: gettext_lazy("Time to choose (95th percentile)"),
    Metric.TRAFFIC: gettext_lazy("Selections"),
}
CASES: Mapping[Metric, Promise] = {
    Metric.GROUPS: gettext_lazy("tasks with a group"),
    Metric.EXPANSIONS: gettext_lazy("selections"),
    Metric.ASKED: gettext_lazy("selections"),
    Metric.FALLBACKS: gettext_lazy("selections"),
    Metric.CONFIDENCE: gettext_lazy("selections with an estimated confidence"),
    Metric.COMPLETE: gettext_lazy("selections with calls"),
    Metric.SILENT: gettext_lazy("runs that ended"),
    Metric.REFUSALS: gettext_lazy("proposed calls"),
    Metric.LATENCY: gettext_lazy("selections"),
    Metric.TRAFFIC: gettext_lazy("selections the week before"),
}
COMPARISONS: Mapping[Comparison, Promise] = {
    Comparison.ABOVE: gettext_lazy("is above"),
    Comparison.BELOW: gettext_lazy("is below"),
    Comparison.RISEN: gettext_lazy("has risen, against the week before, by more than"),
    Comparison.FALLEN: gettext_lazy("has fallen, against the week before, by more than"),
}
_NAMES: Mapping[Comparison, Promise] = {
    Comparison.ABOVE: gettext_lazy("%(metric)s above %(level)s"),
    Comparison.BELOW: gettext_lazy("%(metric)s below %(level)s"),
    Comparison.RISEN: gettext_lazy("%(metric)s: risen by %(level)s"),
    Comparison.FALLEN: gettext_lazy("%(metric)s: fallen by %(level)s"),
}
_UNITS: Mapping[Metric, Unit] = {
    Metric.GROUPS: "groups",
    Metric.CONFIDENCE: "confidence",
    Metric.LATENCY: "microseconds",
    Metric.TRAFFIC: "count",
}


def unit_of(metric: Metric) -> Unit:
    """Return what a metric is measured in."""
    return _UNITS.get(metric, "share")


def level_words(rule: Rule, level: float) -> str:
    """Return a level of a rule as it was typed, with its unit; of a rise or a fall in per cent."""
    unit = "share" if rule.is_relative else unit_of(rule.metric)
    if unit == "share":
        return _("%(number)s %%") % {"number": _typed(level * 100)}
    if unit == "microseconds":
        return _("%(number)s ms") % {"number": _typed(level / 1000)}
    return _typed(level)


def _typed(number: float) -> str:
    text = f"{number:.4f}".rstrip("0").rstrip(".")
    return number_format(text, len(text.partition(".")[2]), force_grouping=True)


def name_of(rule: Rule) -> str:
    """Return what a rule is called: its own name, else what it asks, in short."""
    if rule.title:
        return rule.title
    if _asks_for_silence(rule):
        return ngettext(
            "No traffic for %(hours)s hour", "No traffic for %(hours)s hours", rule.window
        ) % {"hours": rule.window}
    return str(_NAMES[rule.comparison]) % {
        "metric": METRICS[rule.metric],
        "level": level_words(rule, rule.level),
    }


def asks(rule: Rule) -> str:
    """Return when a rule fires and when it is over, in a sentence or two."""
    over = ngettext("the last hour", "the last %(hours)s hours", rule.window) % {
        "hours": rule.window
    }
    sentences = [
        _("Over %(window)s: fires past %(level)s, is over at %(clear)s.")
        % {
            "window": over,
            "level": level_words(rule, rule.level),
            "clear": level_words(rule, rule.clear),
        }
    ]
    if rule.is_relative:
        sentences.append(_("Compared with the same hours of the week before."))
    if _asks_for_silence(rule):
        sentences = [
            _("Over %(window)s: fires where there is none, is over with the first.")
            % {"window": over}
        ]
    sentences.append(
        _("Needs %(count)s %(cases)s.")
        % {"count": written(rule.minimum, "count"), "cases": CASES[rule.metric]}
    )
    if rule.in_a_row > 1:
        sentences.append(_("%(count)s hours in a row must say so.") % {"count": rule.in_a_row})
    return " ".join(sentences)


def saw(rule: Rule, seen: Sighting | None) -> str:
    """Return what a rule saw, in words: the value, its interval, and of how many cases."""
    if seen is None:
        return _("not judged yet")
    if seen.few or seen.value is None:
        fewest = min(seen.cases, seen.cases_earlier) if rule.is_relative else seen.cases
        if rule.metric is Metric.TRAFFIC:
            fewest = seen.cases_earlier
        return _("too few to judge: %(count)s of %(minimum)s %(cases)s") % {
            "count": written(fewest, "count"),
            "minimum": written(rule.minimum, "count"),
            "cases": CASES[rule.metric],
        }
    value = written(seen.value, unit_of(rule.metric))
    if seen.subject:
        value = f"{seen.subject}: {value}"
    if rule.is_relative:
        return _("%(value)s, %(change)s against %(earlier)s the week before") % {
            "value": value,
            "change": _change(rule, seen),
            "earlier": written(seen.earlier or 0, unit_of(rule.metric)),
        }
    if rule.metric is Metric.TRAFFIC:
        return _("%(value)s selections; %(earlier)s the week before") % {
            "value": value,
            "earlier": written(seen.cases_earlier, "count"),
        }
    found = {"value": value, "interval": _interval(rule, seen), "cases": CASES[rule.metric]}
    return _("%(value)s%(interval)s of %(count)s %(cases)s") % {
        **found,
        "count": written(seen.cases, "count"),
    }


def _change(rule: Rule, seen: Sighting) -> str:
    if seen.compared is None:
        return _("risen from nothing")
    moved = seen.compared if rule.is_upward else -seen.compared
    low, high = (seen.low, seen.high) if rule.is_upward else (_less(seen.high), _less(seen.low))
    between = _between(low, high, "share")
    if moved >= 0:
        return _("up %(change)s%(interval)s") % {
            "change": written(moved, "share"),
            "interval": between,
        }
    return _("down %(change)s%(interval)s") % {
        "change": written(-moved, "share"),
        "interval": between,
    }


def _less(value: float | None) -> float | None:
    return None if value is None else -value


def _interval(rule: Rule, seen: Sighting) -> str:
    return _between(seen.low, seen.high, unit_of(rule.metric))


def _between(low: float | None, high: float | None, unit: Unit) -> str:
    if low is None or high is None:
        return ""
    bounds = {"low": written(low, unit), "high": written(high, unit)}
    return " " + _("(%(low)s to %(high)s)") % bounds


def _asks_for_silence(rule: Rule) -> bool:
    return rule.metric is Metric.TRAFFIC and rule.comparison is Comparison.BELOW and rule.level <= 1
