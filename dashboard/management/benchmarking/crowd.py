"""A catalog as large as they get, made of a sample by a seed."""

import random
from collections.abc import Mapping
from typing import Any

from catalog.samples import load_sample

SAMPLE = "back-office"
# In how many groups each tool is, and of how many sentences a description is at most.
PLACES = 3
MOST_SENTENCES = 4
_RULES = 40
_OBJECTS = ("account", "batch", "claim", "draft", "entry", "file", "grant", "hold", "item", "joint")


def crowded_document(*, tools: int, groups: int, seed: int) -> dict[str, Any]:
    """Return a document of so many tools and groups that may be published.

    Every tool is one of the sample's under another name and with a description of its own, in some
    groups by chance; phases, routes and rules name a share of them.
    """
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    sample = load_sample(SAMPLE)
    made = [_tool(sample["tools"], number, chance) for number in range(tools)]
    members: list[list[str]] = [[] for _ in range(groups)]
    for tool in made:
        for group in chance.sample(range(groups), min(PLACES, groups)):
            members[group].append(tool["name"])
    named = [
        {
            "name": f"department_{number:03}",
            "description": f"Use to do the work of department {number}: {_words(chance)}.",
            "tools": names,
            "examples": [_words(chance)],
        }
        for number, names in enumerate(members)
    ]
    return {**sample, "tools": made, "groups": named, **_rest(made, named, chance)}


def changed_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document in which every tool says something else, and takes one argument more."""
    tools = [
        {
            **tool,
            "description": f"{tool['description']} See the manual.",
            "input_schema": {
                **tool["input_schema"],
                "properties": {
                    **tool["input_schema"]["properties"],
                    "remark": {"type": "string", "description": "What to note."},
                },
            },
        }
        for tool in document["tools"]
    ]
    return {**document, "tools": tools}


def _tool(of: list[dict[str, Any]], number: int, chance: random.Random) -> dict[str, Any]:
    tool = of[number % len(of)]
    said = " ".join(f"It {_words(chance)}." for _ in range(chance.randint(1, MOST_SENTENCES)))
    return {
        **tool,
        "name": f"{tool['name']}_{number:04}"[:64],
        "description": f"{tool['description']} {said}",
        # No two tools take the same.
        "input_schema": {
            **tool["input_schema"],
            "properties": {
                **tool["input_schema"]["properties"],
                f"reference_{number}": {"type": "integer", "description": said},
            },
        },
    }


def _words(chance: random.Random) -> str:
    verb = chance.choice(("reads", "lists", "compares", "counts", "sums up", "looks up"))
    return f"{verb} the {chance.choice(_OBJECTS)} {chance.randint(1, 9_999)} of {_OBJECTS[0]}s"


def _rest(
    tools: list[dict[str, Any]], groups: list[dict[str, Any]], chance: random.Random
) -> dict[str, Any]:
    """Return what names tools and groups: phases, rules and routes."""
    reading = [tool["name"] for tool in tools if tool["side_effect"] == "read"]
    half = [group["name"] for group in groups[::2]]
    some = [group["name"] for group in chance.sample(groups, min(5, len(groups)))]
    return {
        "default_tools": reading[:5],
        "always_on": reading[5:6],
        "phases": [
            {"name": name, "description": "", "tools": reading[:200], "groups": half, "next": []}
            for name in ("intake", "review")
        ],
        "keyword_rules": [
            {
                "pattern": rf"\b{name} {number}\b",
                "add_tools": reading[number : number + 3],
                "remove_tools": [],
                "add_groups": some,
                "remove_groups": [],
            }
            for number, name in zip(range(_RULES), _OBJECTS * _RULES, strict=False)
        ],
        "intent_rules": [{"phrases": ["close the month"], "tools": [], "groups": some}],
        "channel_rules": [{"kind": "queue", "value": "intake", "groups": some}],
        "routes": [
            {
                "name": "narrow",
                "tools": reading[:200],
                "groups": half,
                "side_effects": ["read"],
                "budget": {"calls": None, "tokens": None, "cost": None, "seconds": None},
            }
        ],
    }
