"""Alerts as rows, written past the worker: one that fires, one silenced, a message that failed."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from catalog.models import Catalog
from dashboard.alerts.ruled import plain
from dashboard.alerts.rules import DEFAULT_OF
from dashboard.models import (
    AlertChange,
    AlertDelivery,
    AlertSilence,
    AlertState,
    AlertTarget,
)
from routing.models import HourlyCount
from routing.spans import hour_of

SEEN = {
    "value": 0.4,
    "cases": 200,
    "earlier": 0.2,
    "cases_earlier": 180,
    "compared": 1.0,
    "low": 0.6,
    "high": 1.6,
    "few": False,
    "simulated": False,
    "subject": "",
}


def alerted(catalog: Catalog, *, now: datetime) -> AlertChange:
    """Have the rule on fallbacks fire, that on confidence be silenced, and a webhook refuse."""
    AlertState.objects.create(
        catalog=catalog,
        key="fallbacks",
        state="firing",
        since=now,
        upto=hour_of(now),
        judged_at=now,
        seen=SEEN,
        told=True,
    )
    AlertSilence.objects.create(
        catalog=catalog,
        key="confidence",
        until=now + timedelta(days=1),
        at=now,
        reason="The portal is known to send little.",
    )
    change = AlertChange.objects.create(
        catalog=catalog,
        key="fallbacks",
        at=now,
        upto=hour_of(now),
        before="ok",
        after="firing",
        rule=plain(DEFAULT_OF["fallbacks"]),
        seen=SEEN,
    )
    target = AlertTarget.objects.create(
        catalog=catalog, kind="webhook", address="https://example.com/hook?key=1", secret="tcw_x"
    )
    AlertDelivery.objects.create(
        target=target,
        change=change,
        event="alert.fired",
        made_at=now,
        last_at=now,
        next_at=now + timedelta(minutes=1),
        tries=2,
        last_error="The address answered 500.",
    )
    return change


def count_hour(
    catalog: Catalog, hour: int, counts: Mapping[str, int], *, source: str = "api"
) -> None:
    """Write the counts of selections of an hour, in place of what is there."""
    HourlyCount.objects.update_or_create(
        catalog=catalog,
        section="selections",
        hour=hour,
        source=source,
        defaults={"counts": dict(counts)},
    )


def count_hours(
    catalog: Catalog, counts: Mapping[int, Mapping[str, int]], *, source: str = "api"
) -> None:
    """Write the counts of selections of hours that have none yet."""
    HourlyCount.objects.bulk_create(
        HourlyCount(catalog=catalog, section="selections", hour=hour, source=source, counts=dict(n))
        for hour, n in counts.items()
    )
