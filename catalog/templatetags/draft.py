"""Tags of the draft's pages."""

import re
from typing import Any

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from catalog.models import Tool
from catalog.switches import switch_of

register = template.Library()


@register.inclusion_tag("catalog/_switch.html", takes_context=True)
def switch(context: dict[str, Any], tool: Tool, kind: str) -> dict[str, object]:
    """Draw a switch of a tool that saves with one click: ``{% switch tool "enabled" %}``."""
    request = context["request"]
    return {
        **switch_of(tool, kind),
        "next": request.get_full_path(),
        "csrf_token": context["csrf_token"],
    }


@register.filter
def breakable(name: str) -> SafeString:
    """Let a name be broken after its underscores and hyphens, and a pattern after its bars."""
    return mark_safe(re.sub("([_|-])", r"\1<wbr>", escape(name)))  # noqa: S308 - escaped just here
