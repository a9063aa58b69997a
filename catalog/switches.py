"""The switches of a tool, as pages draw them: enabled, default, always on."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalog.access import Action, may
from catalog.editing import Flag
from catalog.models import Tool


@dataclass(frozen=True, slots=True)
class Kind:
    """A flag: the field that keeps it, and what a person calls it."""

    field: Flag
    label: Promise


KINDS: Mapping[str, Kind] = {
    "enabled": Kind("enabled", _("Enabled")),
    "default": Kind("is_default", _("Default tool")),
    "always-on": Kind("always_on", _("Always on")),
}


def switch_of(tool: Tool, kind: str, *, refusal: str = "") -> dict[str, object]:
    """Return what ``catalog/_switch.html`` needs to draw a switch of a tool."""
    return {
        "id": f"{kind}-{tool.pk}",
        "label": KINDS[kind].label,
        "on": getattr(tool, KINDS[kind].field),
        "refusal": refusal,
        "may_edit": may(tool.catalog, Action.EDIT),
        "tool": tool,
        "url": reverse(
            "catalog:tool_flag",
            kwargs={"catalog": tool.catalog.name, "tool": tool.name, "flag": kind},
        ),
    }
