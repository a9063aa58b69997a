"""The alerts that fire now, for whoever looks at something else."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.alerts.ruled import rules_by_catalog
from dashboard.alerts.sightings import sighting_from
from dashboard.alerts.taken import taken_of
from dashboard.alerts.words import name_of, saw
from dashboard.models import AlertState


@dataclass(frozen=True, slots=True)
class OpenAlert:
    """A rule of a catalog that fires and that nobody silenced, in words; who looks after it."""

    catalog: str
    key: str
    name: str
    saw: str
    taken_by: str = ""


def open_alerts(*, catalogs: Collection[int], now: datetime) -> Sequence[OpenAlert]:
    """Return what fires in some catalogs, newest first. Three queries, or one."""
    found = AlertState.objects.open(now=now).filter(catalog__in=catalogs)
    states = list(found.select_related("catalog").order_by("-since", "pk"))
    if not states:
        return ()
    of = rules_by_catalog({state.catalog_id for state in states})
    taken = {alert: one.by.get_username() for alert, one in taken_of(states).items() if one.by}
    rules = {(pk, rule.key): rule for pk, rules in of.items() for rule in rules}
    return [
        OpenAlert(
            catalog=state.catalog.name,
            key=state.key,
            name=name_of(rule),
            saw=saw(rule, sighting_from(state.seen)),
            taken_by=taken.get((state.catalog_id, state.key), ""),
        )
        for state in states
        if (rule := rules.get((state.catalog_id, state.key)))
    ]
