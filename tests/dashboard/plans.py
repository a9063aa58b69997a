"""What a page of suggested groups shows, and what its form sends."""

import re
from html import unescape
from typing import Any

from catalog.models import Catalog, Tool
from tests.drafts import empty_catalog

PAGE = "/catalogs/shop/start/groups"
VERBS = {"order": "create list get cancel", "invoice": "issue find send"}
NAMES = [f"{verb}_{thing}" for thing, verbs in VERBS.items() for verb in verbs.split()]


def shop_of(*names: str, **fields: Any) -> Catalog:
    catalog = empty_catalog("shop")
    Tool.objects.bulk_create(
        Tool(catalog=catalog, name=name, position=place, **fields)
        for place, name in enumerate(names)
    )
    return catalog


def sent(html: str) -> dict[str, Any]:
    """Return what the plan's form of a page would send, no button pressed."""
    found: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]*>", html):
        attrs = dict(re.findall(r'(\w+(?:-\w+)?)="([^"]*)"', tag))
        if "name" in attrs and (attrs.get("type") != "checkbox" or "checked" in tag.split()[-1]):
            found.setdefault(attrs["name"], []).append(unescape(attrs.get("value", "")))
    for name, text in re.findall(r'<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)', html):
        found[name] = unescape(text)
    return found


def groups_of(text: str) -> dict[str, str]:
    """Return the tools of each group that a plan shows, by its name."""
    form = sent(text)
    return {
        form[f"name-{number}"][0]: form[f"tools-{number}"][0]
        for number in range(int(form["count"][0]))
    }
