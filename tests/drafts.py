"""Drafts to work on: the samples, nothing at all, and more than anybody has."""

import random
from typing import Any

from catalog.drafting import fill_draft
from catalog.models import Catalog, Tool
from catalog.recording import recorded
from catalog.samples import load_sample
from tests.kept_rows import once


def draft_of(name: str = "back-office") -> Catalog:
    """Return a sample catalog as a draft, nothing published."""
    once(
        ("draft", name),
        lambda: fill_draft(catalog=Catalog(name=name), document=load_sample(name)),
    )
    return Catalog.objects.get(name=name)


def empty_catalog(name: str = "empty") -> Catalog:
    """Return a draft with nothing in it."""
    return Catalog.objects.create(name=name, title=name.title())


def big_catalog(*, tools: int, groups: int, memberships: int = 3) -> Catalog:
    """Return a draft of many tools with long names, each in ``memberships`` groups by chance."""
    chance = random.Random(7)
    sample = load_sample("back-office")
    made = [
        {
            **sample["tools"][number % 34],
            "name": f"{sample['tools'][number % 34]['name']}_for_the_department_{number:04}"[:64],
            "description": "Look up what is known. " * 80,
        }
        for number in range(tools)
    ]
    members: list[list[str]] = [[] for _ in range(groups)]
    for tool in made:
        for group in chance.sample(range(groups), min(memberships, groups)):
            members[group].append(tool["name"])
    document: dict[str, Any] = {
        **sample,
        "tools": made,
        "groups": [
            {
                "name": f"department_{number:03}_with_a_name_as_long_as_they_get",
                "description": f"Use to do the work of department {number}. " * 10,
                "tools": names,
                "examples": [],
            }
            for number, names in enumerate(members)
        ],
    }
    for part in ("default_tools", "always_on", "phases", "routes"):
        document[part] = []
    for part in ("keyword_rules", "intent_rules", "channel_rules"):
        document[part] = []
    catalog = Catalog(name=f"big-{tools}")
    fill_draft(catalog=catalog, document=document)
    return catalog


def edited(catalog: Catalog, **values: Any) -> Any:
    """Change a tool as an operation, and return it."""
    with recorded(catalog=catalog) as operation:
        Tool.objects.filter(catalog=catalog, name="find_payment").update(**values)
    return operation
