"""Who looks after the alerts that fire now."""

from collections.abc import Iterable, Mapping

from dashboard.alerts.judging import State
from dashboard.models import AlertAcknowledgement, AlertState


def taken_of(states: Iterable[AlertState]) -> Mapping[tuple[int, str], AlertAcknowledgement]:
    """Return who said so since each fired, by catalog and key. One query, none of nothing."""
    since = {(one.catalog_id, one.key): one.since for one in states if one.state == State.FIRING}
    if not since:
        return {}
    found = AlertAcknowledgement.objects.filter(
        change__catalog__in={catalog for catalog, _key in since},
        change__at__in=set(since.values()),
        change__after=State.FIRING,
    ).select_related("change", "by")
    by_alert = {(one.change.catalog_id, one.change.key): one for one in found}
    return {alert: one for alert, one in by_alert.items() if since.get(alert) == one.change.at}
