"""What a rule saw when it was judged, as plain numbers that are kept with it. Pure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any

from dashboard.alerts.judging import Evidence, Judged, compared
from dashboard.alerts.rules import Rule


@dataclass(frozen=True, slots=True)
class Sighting:
    """The numbers behind one look; ``None`` is unknown, or without bound.

    ``value`` is the metric, ``earlier`` that of a week before where the rule reads it, each of so
    many ``cases``. ``compared`` is what is held against the level, ``low`` and ``high`` its 95 %
    interval. ``few`` tells that there were too few cases, ``subject`` which group it is about.
    """

    value: float | None
    cases: int
    earlier: float | None
    cases_earlier: int
    compared: float | None
    low: float | None
    high: float | None
    few: bool
    simulated: bool
    subject: str = ""


def sighting(rule: Rule, judged: Judged) -> Sighting:
    """Return what a look is kept as."""
    seen, found = judged.seen, compared(rule, judged.seen)
    return Sighting(
        value=_finite(seen.now.value),
        cases=seen.now.cases,
        earlier=_finite(seen.before.value),
        cases_earlier=seen.before.cases,
        compared=_finite(found.value),
        low=_finite(found.interval[0]),
        high=_finite(found.interval[1]),
        few=judged.evidence is Evidence.FEW,
        simulated=seen.simulated,
        subject=seen.now.subject,
    )


def kept(one: Sighting) -> dict[str, Any]:
    """Return a sighting for JSON."""
    return asdict(one)


def sighting_from(said: Mapping[str, Any] | None) -> Sighting | None:
    """Return a sighting that was kept; ``None`` of nothing."""
    if said is None:
        return None
    return Sighting(**{field.name: said[field.name] for field in fields(Sighting)})


def _finite(value: float | None) -> float | None:
    # JSON has no number for what has no bound.
    return None if value is None or not isfinite(value) else value
