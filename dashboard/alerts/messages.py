"""What is sent of an alert: numbers, names and where to look; nothing that was said in a run."""

from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import formats, timezone, translation
from django.utils.translation import gettext as _

from dashboard.alerts.ruled import rule_from
from dashboard.alerts.sightings import sighting_from
from dashboard.alerts.words import asks, name_of, saw
from dashboard.metrics.periods import moment
from dashboard.models import AlertChange, AlertDelivery
from routing.signed_posts import timestamp


def page_of(catalog: str) -> str:
    """Return the whole address of a catalog's alerts."""
    return f"{settings.SITE_URL}{reverse('dashboard:alerts', args=[catalog])}"


def payload(one: AlertDelivery) -> dict[str, Any]:
    """Return the JSON of a message; a test has the same fields, of an alert that there is not."""
    catalog, change = one.target.catalog.name, one.change
    told: dict[str, Any] = {
        "event": one.event,
        "id": str(one.uid),
        "catalog": catalog,
        "at": timestamp(change.at if change else one.made_at),
        "alert": change.key if change else None,
        "title": None,
        "rule": change.rule if change else None,
        "counted_up_to": timestamp(moment(change.upto)) if change else None,
        "seen": change.seen if change else None,
        "url": page_of(catalog),
    }
    if change:
        told["title"] = name_of(rule_from(change.rule))
    return told


def subject_and_text(one: AlertDelivery) -> tuple[str, str]:
    """Return an e-mail in its receiver's language. The subject is one line, whatever was named."""
    with translation.override(one.target.language or settings.LANGUAGE_CODE):
        catalog = one.target.catalog.name
        if one.change is None:
            subject = _("%(catalog)s: a test") % {"catalog": catalog}
            lines = [_("This is a test: alerts of %(catalog)s arrive here.") % {"catalog": catalog}]
        else:
            subject, lines = _told(catalog, one.event, one.change)
        text = "\n\n".join([*lines, page_of(catalog)])
        return " ".join(f"[Toolcrib] {subject}".split()), text + "\n"


def _told(catalog: str, event: str, change: AlertChange) -> tuple[str, list[str]]:
    rule = rule_from(change.rule)
    found = {"catalog": catalog, "alert": name_of(rule)}
    if event == AlertDelivery.Event.FIRED:
        subject = _("%(catalog)s: alert: %(alert)s") % found
    else:
        subject = _("%(catalog)s: over: %(alert)s") % found
    when = formats.date_format(timezone.localtime(change.at), "DATETIME_FORMAT")
    lines = [
        name_of(rule),
        saw(rule, sighting_from(change.seen)),
        asks(rule),
        _("At %(time)s.") % {"time": f"{when} ({timezone.get_current_timezone_name()})"},
    ]
    if change.cause == AlertChange.Cause.RULE:
        lines.insert(1, str(AlertChange.Cause.RULE.label))
    if change.seen and change.seen["simulated"]:
        lines.append(_("A simulation made some of this traffic."))
    return subject, lines
