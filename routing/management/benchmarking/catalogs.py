"""Catalogs of any size from lists of words, with tasks for them: the same for the same seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from routing.evaluation.catalogs import MAX_TOOLS, THRESHOLD

IN_A_GROUP = 10
"""Tools in a group, the last one aside."""

VERBS = (
    "find list create update delete export archive approve cancel assign schedule compare "
    "merge verify publish restore send print rename estimate"
)
OBJECTS = (
    "invoice payment shipment parcel contract customer ticket refund statement order "
    "warehouse supplier employee vacation meeting budget report campaign subscription "
    "certificate vehicle route sensor recipe patient lesson booking tenant permit license "
    "server backup branch issue deployment alert dataset survey translation photograph"
)
KINDS = (
    "overdue partial monthly external internal draft archived urgent recurring foreign shared "
    "blocked temporary signed disputed seasonal"
)
FIELDS = (
    "reference amount currency due_date owner status region language priority reason "
    "start_date end_date quantity channel template format"
)
MANNERS = (
    "by its reference, with the people who worked on it",
    "for a period, newest first",
    "and tell the owner about it",
    "after checking that nobody else is working on it",
    "together with everything that hangs on it",
    "and keep a record of who asked for it",
    "in the currency and the language of the customer",
    "without changing what was agreed before",
)
ENDINGS = (
    "for the customer who called this morning",
    "before the end of the month",
    "so that accounting can close it",
    "that nobody has looked at since last week",
    "with the newest template",
    "for the branch in Lisbon",
)


def made_catalog(*, tools: int, seed: int) -> dict[str, Any]:
    """Return a document of so many tools, in groups of ten."""
    chance = Random(seed)  # noqa: S311 - words for a benchmark, no secret
    triples = [
        (verb, kind, noun)
        for noun in OBJECTS.split()
        for kind in KINDS.split()
        for verb in VERBS.split()
    ]
    if not 1 <= tools <= len(triples):
        raise ValueError(f"From 1 to {len(triples)} tools can be made.")
    chosen = chance.sample(triples, tools)
    entries = [_tool(*triple, chance) for triple in chosen]
    names = [entry["name"] for entry in entries]
    parts = [names[start : start + IN_A_GROUP] for start in range(0, tools, IN_A_GROUP)]
    return {
        "format": 1,
        "catalog": f"made-{tools}",
        "settings": {"strategy": "auto", "threshold": THRESHOLD, "max_tools": MAX_TOOLS},
        "tools": entries,
        "groups": [_group(number, part) for number, part in enumerate(parts)],
    }


def made_tasks(*, document: Mapping[str, Any], count: int, seed: int) -> list[str]:
    """Return tasks of one clause for tools that a seed picks, in other words than theirs."""
    chance = Random(seed)  # noqa: S311 - words for a benchmark, no secret
    tools: Sequence[Mapping[str, Any]] = document["tools"]
    picked = (chance.choice(tools) for _ in range(count))
    return [_task(tool, chance) for tool in picked]


def with_rule(document: Mapping[str, Any], phrase: str) -> dict[str, Any] | None:
    """Return the document with an intent rule that opens its first group with tools at a phrase.

    ``None`` where no group has any: a rule that opens nothing decides nothing.
    """
    group = next((group["name"] for group in document["groups"] if group["tools"]), None)
    if group is None:
        return None
    return {**document, "intent_rules": [{"phrases": [phrase], "groups": [group], "tools": []}]}


def _tool(verb: str, kind: str, noun: str, chance: Random) -> dict[str, Any]:
    fields = chance.sample(FIELDS.split(), 4)
    return {
        "name": f"{verb}_{kind}_{noun}",
        "description": f"{verb.title()} the {kind} {noun} {chance.choice(MANNERS)}.",
        "side_effect": "read",
        "input_schema": {
            "type": "object",
            "properties": {
                field: {"type": "string", "description": f"The {field} of the {noun}"}
                for field in fields
            },
        },
    }


def _group(number: int, tools: Sequence[str]) -> dict[str, Any]:
    objects = sorted({name.rsplit("_", 1)[1] for name in tools})
    return {
        "name": f"room_{number}",
        "description": f"Everything about {', '.join(objects[:4])}.",
        "tools": list(tools),
        "examples": [],
    }


def _task(tool: Mapping[str, Any], chance: Random) -> str:
    verb, kind, noun = tool["name"].split("_", 2)
    return f"Please {verb} the {kind} {noun} {chance.choice(ENDINGS)}"
