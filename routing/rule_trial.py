"""Which rules of a draft fire for a task: matched by the very code that selections use.

A seam for the dashboard: it hands over the rules as the draft has them and gets back those that
fire, in order. Nothing is compiled but the rules, and nothing is recorded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from routing.selection import BadPattern, Channel
from routing.selection.rules import (
    compile_channels,
    compile_intent_rule,
    compile_keyword_rule,
    matching_intents,
    matching_keyword_rules,
)

Rules = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class FiredRule:
    """A rule of the document that fires; ``number`` counts from 1 in its kind's order.

    ``overruled``: the channel's groups are opened, so that what the intent names is not.
    """

    kind: str
    number: int
    rule: Mapping[str, Any]
    overruled: bool = False


def fired_rules(
    rules: Rules, *, task: str, history: Sequence[str] = (), channel: Channel | None = None
) -> list[FiredRule]:
    """Return what fires: the channel's rules first, then intents, then keywords.

    ``rules`` has the three lists of a document, by their names there. A pattern that does not
    compile fires never.
    """
    by_channel = _of_channel(rules["channel_rules"], channel)
    intents = [
        FiredRule("intent", number, rule, overruled=bool(by_channel))
        for number, rule in _intents(rules["intent_rules"], task, history)
    ]
    return [*by_channel, *intents, *_keywords(rules["keyword_rules"], task, history)]


def _of_channel(rules: Sequence[Mapping[str, Any]], channel: Channel | None) -> list[FiredRule]:
    if channel is None or (channel.kind, channel.value) not in compile_channels(rules):
        return []
    return [
        FiredRule("channel", number, rule)
        for number, rule in enumerate(rules, 1)
        if (rule["kind"], rule["value"]) == (channel.kind, channel.value)
    ]


def _intents(
    rules: Sequence[Mapping[str, Any]], task: str, history: Sequence[str]
) -> list[tuple[int, Mapping[str, Any]]]:
    position = _Positions()
    compiled = [compile_intent_rule(rule, position) for rule in rules]
    firing = {id(rule) for rule in matching_intents(compiled, task, history)}
    return [
        (number, rules[number - 1]) for number, rule in enumerate(compiled, 1) if id(rule) in firing
    ]


def _keywords(
    rules: Sequence[Mapping[str, Any]], task: str, history: Sequence[str]
) -> list[FiredRule]:
    position, compiled = _Positions(), {}
    for number, rule in enumerate(rules, 1):
        try:
            compiled[number] = compile_keyword_rule(rule, position)
        except BadPattern:
            continue
    firing = {id(rule) for rule in matching_keyword_rules([*compiled.values()], task, history)}
    return [
        FiredRule("keyword", number, rules[number - 1])
        for number, rule in compiled.items()
        if id(rule) in firing
    ]


class _Positions(dict[str, int]):
    """Positions of tools: which rules fire does not depend on them."""

    def __missing__(self, name: str) -> int:
        return self.setdefault(name, len(self))
