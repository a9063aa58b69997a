"""The mark of what a circuit has switched off."""

import re

from django import template
from django.utils import timezone
from django.utils.translation import gettext

from catalog.models import Catalog, Tool
from routing.circuits import standing
from routing.models import Circuit
from routing.policy.circuits import Opening, State

register = template.Library()

_FAILURES = re.compile(r"(?P<failed>\d+) of (?P<settled>\d+) within (?P<seconds>\d+) s failed\.")


@register.filter
def why(circuit: Circuit) -> str:
    """Return why a circuit was opened: a person's words, or failures in the reader's language."""
    counted = None if circuit.by_hand else _FAILURES.fullmatch(circuit.reason)
    if counted is None:
        return circuit.reason
    said = gettext("%(failed)s of %(settled)s calls within %(seconds)s s failed.")
    return said % counted.groupdict()


@register.inclusion_tag("dashboard/_circuit_badge.html")
def circuit_badge(tool: Tool, catalog: str) -> dict[str, object]:
    """Mark a tool of the catalog of a name whose circuit, or its capability's, is open.

    How circuits stand is read once a second at most, however many tools a page has.
    """
    now = timezone.now()
    gate = standing(tool.catalog_id).gate(tool=tool.name, capability=tool.capability, now=now)
    opening: Opening | None = gate.stopped_by or next(iter(gate.probing), None)
    is_half_open = opening is not None and opening.state(now=now) is State.HALF_OPEN
    return {"opening": opening, "is_half_open": is_half_open, "catalog": catalog}


@register.inclusion_tag("dashboard/_circuit_link.html")
def circuit_link(tool: Tool, catalog: Catalog) -> dict[str, object]:
    """Lead whoever may switch a tool off at once to the form for it."""
    return {"tool": tool, "catalog": catalog}
