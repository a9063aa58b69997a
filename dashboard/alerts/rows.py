"""The alerts of a catalog as its page lists them: firing first, each with where to look."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from urllib.parse import urlencode

from django.urls import reverse

from catalog.models import Catalog
from dashboard.alerts.judging import State
from dashboard.alerts.pictures import Picture, pictures
from dashboard.alerts.ruled import rule_from, rules_of
from dashboard.alerts.rules import DEFAULT_OF, Metric, Rule
from dashboard.alerts.sightings import Sighting, sighting_from
from dashboard.alerts.taken import taken_of
from dashboard.alerts.words import asks, name_of, saw
from dashboard.metrics.periods import Period
from dashboard.models import (
    AlertAcknowledgement,
    AlertChange,
    AlertDelivery,
    AlertSilence,
    AlertState,
)
from dashboard.run_links import RunLinks
from routing.spans import hour_of

OFF = "off"
_ORDER = (State.FIRING, State.UNKNOWN, State.OK, OFF)
# The filters of the runs behind a metric, and the topic of Metrics that says more.
_RUNS: Mapping[Metric, Mapping[str, str]] = {
    Metric.GROUPS: {"expanded": "1"},
    Metric.EXPANSIONS: {"expanded": "1"},
    Metric.ASKED: {"expanded": "1"},
    Metric.FALLBACKS: {"fallback": "any"},
    Metric.CONFIDENCE: {"max_confidence": "0.5"},
    Metric.SILENT: {"silent": "1"},
    Metric.REFUSALS: {"refused": "any"},
}
_TOPICS: Mapping[Metric, str] = {
    Metric.GROUPS: "advice",
    Metric.EXPANSIONS: "advice",
    Metric.ASKED: "advice",
    Metric.COMPLETE: "advice",
    Metric.FALLBACKS: "confidence",
    Metric.CONFIDENCE: "confidence",
    Metric.SILENT: "outcomes",
    Metric.REFUSALS: "calls",
    Metric.LATENCY: "sizes",
    Metric.TRAFFIC: "sizes",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One rule and how it stands. ``standing`` is a ``State``, or ``OFF``."""

    rule: Rule
    standing: str
    state: AlertState | None
    silence: AlertSilence | None
    taken: AlertAcknowledgement | None
    picture: Picture | None
    name: str
    asks: str
    saw: str
    simulated: bool
    runs_url: str
    more_url: str
    is_advice: bool

    @property
    def judged_at(self) -> datetime | None:
        """Return when it was judged last; ``None`` where it never was."""
        return self.state.judged_at if self.state else None

    @property
    def is_own(self) -> bool:
        """Tell whether the rule is the catalog's own."""
        return self.rule.key not in DEFAULT_OF

    @property
    def is_changed(self) -> bool:
        """Tell whether a default was changed."""
        return self.rule.key in DEFAULT_OF and self.rule != DEFAULT_OF[self.rule.key]


def rows_of(
    catalog: Catalog, *, now: datetime, zone: tzinfo, only: str | None = None
) -> Sequence[Row]:
    """Return the rules of a catalog, or the one of a key. Nine queries at most."""
    rules = [rule for rule in rules_of(catalog.pk) if only in (None, rule.key)]
    states = {state.key: state for state in catalog.alert_states.all()}
    silences = catalog.alert_silences.holding(now=now).select_related("by")
    silenced = {one.key: one for one in silences}
    taken = taken_of(states.values())
    drawn = pictures(catalog.pk, rules, upto=hour_of(now), zone=zone)
    rows = [
        replace(
            _row(catalog, rule, states.get(rule.key), drawn[rule.key], zone),
            silence=silenced.get(rule.key),
            taken=taken.get((catalog.pk, rule.key)),
        )
        for rule in rules
    ]
    return sorted(rows, key=lambda row: _ORDER.index(row.standing))


def _row(
    catalog: Catalog,
    rule: Rule,
    state: AlertState | None,
    picture: Picture,
    zone: tzinfo,
) -> Row:
    seen = sighting_from(state.seen) if state else None
    standing = State(state.state) if state else State.UNKNOWN
    topic = _TOPICS[rule.metric]
    page = reverse("dashboard:metrics_topic", kwargs={"topic": topic})
    return Row(
        rule=rule,
        standing=standing if rule.enabled else OFF,
        state=state,
        silence=None,
        taken=None,
        picture=picture,
        name=name_of(rule),
        asks=asks(rule),
        saw=saw(rule, seen),
        simulated=bool(seen and seen.simulated),
        runs_url=_runs_url(catalog, rule, state, seen, zone),
        more_url=f"{page}?{urlencode({'catalog': catalog.name, 'period': '7d'})}",
        is_advice=topic == "advice",
    )


def _runs_url(
    catalog: Catalog, rule: Rule, state: AlertState | None, seen: Sighting | None, zone: tzinfo
) -> str:
    """Return the runs that a rule looked at last; nothing where it saw none."""
    if state is None or state.upto is None or seen is None or not seen.value:
        return ""
    start, end = state.upto - rule.window, state.upto
    period = Period(name="24h", zone=zone, start=start, end=end, starts=(start,))
    filters = dict(_RUNS.get(rule.metric, {}))
    if seen.subject:
        filters = {"asked": seen.subject}
    return RunLinks(catalog=catalog.name, period=period).of(**filters)


@dataclass(frozen=True, slots=True)
class Past:
    """A change of the history, in words."""

    change: AlertChange
    name: str
    saw: str


def past_of(changes: Sequence[AlertChange]) -> Sequence[Past]:
    """Return changes in words, each by the rule as it was then."""
    return [_past(change) for change in changes]


def _past(change: AlertChange) -> Past:
    rule = rule_from(change.rule)
    return Past(change, name_of(rule), saw(rule, sighting_from(change.seen)))


@dataclass(frozen=True, slots=True)
class Sent:
    """A message, and what the rule that it tells of is called; empty of a test."""

    delivery: AlertDelivery
    name: str


def sent_to(deliveries: Iterable[AlertDelivery]) -> Sequence[Sent]:
    """Return messages with the names of their rules, as they were then."""
    return [
        Sent(one, name_of(rule_from(one.change.rule)) if one.change else "") for one in deliveries
    ]
