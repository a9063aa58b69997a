"""Whom a change concerns: messages to be sent are rows, written with the change that they tell."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from catalog.models import Catalog
from dashboard.alerts.judging import State
from dashboard.models import AlertChange, AlertDelivery, AlertSilence, AlertState, AlertTarget
from dashboard.tasks import send_alert

OVERDUE = timedelta(minutes=5)
"""A message that nobody has sent for so long is handed over anew: its task was lost."""


def tell(
    catalog: Catalog,
    states: Sequence[AlertState],
    *,
    latest: Mapping[str, AlertChange],
    silenced: Collection[str],
    now: datetime,
) -> None:
    """Write messages of states that receivers do not know of, and mark these as told.

    A rule that is silenced is told of when that is over, if it still stands so. The caller saves
    the states, in the transaction of this.
    """
    due = [
        state
        for state in states
        if state.told != (state.state == State.FIRING) and state.key not in silenced
    ]
    if not due:
        return
    targets = list(AlertTarget.objects.filter(catalog=catalog))
    for state in due:
        state.told = not state.told
        change = latest.get(state.key) or _latest(catalog, state.key)
        if change is None:
            continue
        event = AlertDelivery.Event.FIRED if state.told else AlertDelivery.Event.CLEARED
        for target in targets:
            hand_over(target, event=event, change=change, now=now)


def _latest(catalog: Catalog, key: str) -> AlertChange | None:
    return AlertChange.objects.filter(catalog=catalog, key=key).order_by("-id").first()


def tell_pending(*, now: datetime) -> None:
    """Tell of what a silence kept back that is over, and of rules that were changed."""
    fires = Q(state=State.FIRING)
    pending = AlertState.objects.filter((fires & Q(told=False)) | (~fires & Q(told=True)))
    catalogs = {one.pk: one for one in Catalog.objects.filter(alert_states__in=pending)}
    for catalog in catalogs.values():
        with transaction.atomic():
            # Read again: what is locked is what is told.
            states = list(pending.filter(catalog=catalog).order_by("pk").select_for_update())
            silences = AlertSilence.objects.filter(catalog=catalog).holding(now=now)
            silenced = set(silences.values_list("key", flat=True))
            told = [state for state in states if state.key not in silenced]
            tell(catalog, told, latest={}, silenced=(), now=now)
            for state in told:
                state.revision += 1
            AlertState.objects.bulk_update(told, ["told", "revision"])


def hand_over(
    target: AlertTarget, *, event: str, change: AlertChange | None, now: datetime
) -> AlertDelivery:
    """Write a message and have the worker send it: both rows, or neither."""
    with transaction.atomic():
        one = AlertDelivery.objects.create(
            target=target, event=event, change=change, made_at=now, next_at=now
        )
        send_alert.enqueue(one.pk)
    return one


def send_overdue(*, now: datetime) -> int:
    """Hand messages over anew whose task was lost; return how many there are."""
    lost = AlertDelivery.objects.filter(next_at__lt=now - OVERDUE)
    count = 0
    for pk, due in list(lost.values_list("pk", "next_at")):
        with transaction.atomic():
            if AlertDelivery.objects.filter(pk=pk, next_at=due).update(next_at=now):
                send_alert.enqueue(pk)
                count += 1
    return count
