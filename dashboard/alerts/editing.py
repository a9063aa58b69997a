"""What people change of alerts: rules, silences, where they are sent. Each is in the audit log."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from catalog.models import Catalog
from catalog.recording import note_deed
from dashboard.alerts.judging import State
from dashboard.alerts.ruled import mark_of, plain, rules_of
from dashboard.alerts.rules import DEFAULT_OF, MOST_RULES, Rule
from dashboard.alerts.telling import hand_over
from dashboard.alerts.words import name_of
from dashboard.models import (
    AlertAcknowledgement,
    AlertChange,
    AlertDelivery,
    AlertRule,
    AlertSilence,
    AlertState,
    AlertTarget,
)
from routing.signed_posts import make_secret

KIND, TARGET = "alerts", "alert_targets"


class Overtaken(Exception):
    """Somebody else changed the rule meanwhile."""


class NotFiring(Exception):
    """The alert is over, or was never fired."""


class Enough(Exception):
    """The catalog has as many rules as it may have."""


def new_key() -> str:
    """Return a key that no other rule has, nor ever had."""
    return f"own-{secrets.token_hex(6)}"


@transaction.atomic
def save_rule(*, catalog: Catalog, rule: Rule, now: datetime, seen: str | None = None) -> None:
    """Add a rule, or change what is there under its key; it is judged anew from the start.

    ``seen`` is the mark of the rule that the change was thought of for. Raises ``Overtaken``, and
    ``Enough`` where it would be one more than there may be.
    """
    before = _hold(catalog, rule.key)
    if before == rule:
        return
    if seen is not None and (before is None or mark_of(before) != seen):
        raise Overtaken
    if before is None and catalog.alert_rules.count() >= MOST_RULES:
        raise Enough
    values = plain(rule)
    values.pop("key")
    AlertRule.objects.update_or_create(catalog=catalog, key=rule.key, defaults=values)
    _begin_anew(catalog, before or rule, now=now)
    _note(catalog, "alert_rule" if before else "alert_rule_made", rule, before, rule, now=now)


@transaction.atomic
def switch_rule(*, catalog: Catalog, key: str, enabled: bool, now: datetime) -> None:
    """Switch a rule off, or on again. Raises ``KeyError`` where there is none."""
    before = _hold(catalog, key)
    if before is None:
        raise KeyError(key)
    if before.enabled == enabled:
        return
    after = replace(before, enabled=enabled)
    values = plain(after)
    values.pop("key")
    AlertRule.objects.update_or_create(catalog=catalog, key=key, defaults=values)
    _begin_anew(catalog, before, now=now)
    _note(catalog, "alert_rule_on" if enabled else "alert_rule_off", after, None, None, now=now)


@transaction.atomic
def drop_rule(*, catalog: Catalog, key: str, now: datetime) -> None:
    """Remove a rule of a catalog's own, or have a default hold again as it was.

    Raises ``KeyError`` where there is none.
    """
    before = _hold(catalog, key)
    if before is None:
        raise KeyError(key)
    deleted, _ = AlertRule.objects.filter(catalog=catalog, key=key).delete()
    if not deleted:
        return
    AlertSilence.objects.filter(catalog=catalog, key=key).exclude(key__in=DEFAULT_OF).delete()
    _begin_anew(catalog, before, now=now)
    default = DEFAULT_OF.get(key)
    action = "alert_rule_restored" if default else "alert_rule_removed"
    _note(catalog, action, before, before, default, now=now)


def _hold(catalog: Catalog, key: str) -> Rule | None:
    """Lock a catalog until the transaction ends, and return one of its rules."""
    Catalog.objects.select_for_update(no_key=True).get(pk=catalog.pk)
    return next((rule for rule in rules_of(catalog.pk) if rule.key == key), None)


def _begin_anew(catalog: Catalog, rule: Rule, *, now: datetime) -> None:
    """Forget how a rule stood: what it asks now was never judged."""
    found = AlertState.objects.filter(catalog=catalog, key=rule.key).select_for_update()
    state = found.first()
    if state is None:
        return
    if state.state == State.FIRING:
        AlertChange.objects.create(
            catalog=catalog,
            key=rule.key,
            at=now,
            upto=state.upto or 0,
            before=state.state,
            after=State.UNKNOWN,
            cause=AlertChange.Cause.RULE,
            rule=plain(rule),
            seen=state.seen,
        )
    state.state, state.streak, state.since = State.UNKNOWN, 0, now
    state.upto = state.seen = None
    state.revision += 1
    state.save()


def _note(
    catalog: Catalog,
    action: str,
    rule: Rule,
    before: Rule | None,
    after: Rule | None,
    *,
    now: datetime,
) -> None:
    note_deed(
        catalog=catalog,
        action=action,
        kind=KIND,
        subject=name_of(rule),
        before=_facts(before),
        after=_facts(after),
        now=now,
    )


def _facts(rule: Rule | None) -> Mapping[str, Any] | None:
    if rule is None:
        return None
    return {name: value for name, value in plain(rule).items() if name != "key"}


@transaction.atomic
def silence(
    *, catalog: Catalog, key: str, until: datetime, reason: str, by: User, now: datetime
) -> None:
    """Tell nobody of a rule until a time. Raises ``KeyError`` where there is none."""
    rule = _hold(catalog, key)
    if rule is None:
        raise KeyError(key)
    AlertSilence.objects.update_or_create(
        catalog=catalog, key=key, defaults={"until": until, "by": by, "at": now, "reason": reason}
    )
    note_deed(
        catalog=catalog,
        action="alert_silenced",
        kind=KIND,
        subject=name_of(rule),
        after={"until": until.isoformat(timespec="minutes")},
        note=reason,
        now=now,
    )


@transaction.atomic
def end_silence(*, catalog: Catalog, key: str, now: datetime) -> None:
    """Have a rule tell again, within a minute, where it still stands so."""
    rule = _hold(catalog, key)
    deleted, _ = AlertSilence.objects.filter(catalog=catalog, key=key).delete()
    if deleted:
        note_deed(
            catalog=catalog,
            action="alert_unsilenced",
            kind=KIND,
            subject=name_of(rule) if rule else key,
            now=now,
        )


@transaction.atomic
def acknowledge(*, catalog: Catalog, key: str, note: str, by: User, now: datetime) -> None:
    """Note that somebody looks after an alert, until it is over; the last who says so stands.

    Raises ``KeyError`` where there is no such rule, and ``NotFiring``.
    """
    rule = _hold(catalog, key)
    if rule is None:
        raise KeyError(key)
    state = AlertState.objects.filter(catalog=catalog, key=key, state=State.FIRING).first()
    if state is None or state.since is None:
        raise NotFiring
    changes = AlertChange.objects.filter(catalog=catalog, key=key, after=State.FIRING)
    fired = changes.filter(at=state.since).first()
    if fired is None:
        raise NotFiring
    said = {"by": by, "at": now, "note": note}
    AlertAcknowledgement.objects.update_or_create(change=fired, defaults=said)
    note_deed(
        catalog=catalog,
        action="alert_acknowledged",
        kind=KIND,
        subject=name_of(rule),
        note=note,
        now=now,
    )


@transaction.atomic
@sensitive_variables("secret")
def add_target(
    *, catalog: Catalog, kind: str, address: str, language: str = "", now: datetime
) -> AlertTarget:
    """Have alerts sent to an address; a webhook is given its secret."""
    secret = make_secret() if kind == AlertTarget.Kind.WEBHOOK else ""
    target = AlertTarget.objects.create(
        catalog=catalog, kind=kind, address=address, language=language, secret=secret
    )
    _note_target("alert_target_added", target, now=now)
    return target


@transaction.atomic
@sensitive_variables("secret")
def rotate_secret(*, target: AlertTarget, now: datetime) -> str:
    """Give a webhook another secret, which signs from now on, and return it."""
    secret = make_secret()
    AlertTarget.objects.filter(pk=target.pk).update(secret=secret)
    _note_target("alert_target_secret", target, now=now)
    return secret


@transaction.atomic
def remove_target(*, target: AlertTarget, now: datetime) -> None:
    """Send nothing there from now on, and forget what was sent."""
    _note_target("alert_target_removed", target, now=now)
    target.delete()


def _note_target(action: str, target: AlertTarget, *, now: datetime) -> None:
    # The rest of a webhook's address may hold a secret of who is told.
    is_webhook = target.kind == AlertTarget.Kind.WEBHOOK
    subject = urlsplit(target.address).hostname or "" if is_webhook else target.address
    note_deed(catalog=target.catalog, action=action, kind=TARGET, subject=subject, now=now)


def try_target(*, target: AlertTarget, now: datetime) -> AlertDelivery:
    """Have the worker send one test there."""
    return hand_over(target, event=AlertDelivery.Event.TEST, change=None, now=now)
