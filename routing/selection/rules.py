"""Rules, compiled: keyword patterns, intent phrases and channels.

Patterns are RE2, whose time is linear in the text whatever the pattern. Upper and lower case are
equal, and so are letters with and without accents: pattern and text are both stripped of them,
which also makes ``\\b``, that knows ASCII letters only, right for "útil" and "pagó".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import re2

from routing.selection.text import as_words, strip_accents, whole


class BadPattern(ValueError):
    """A keyword rule is not a regular expression that RE2 understands."""


@dataclass(frozen=True, slots=True)
class Target:
    """Tools (positions) and groups that a rule names, in the order it names them."""

    tools: tuple[int, ...] = ()
    groups: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tools or self.groups)


@dataclass(frozen=True, slots=True)
class KeywordRule:
    """A pattern over task and history that adds or removes tools and groups."""

    pattern: Any  # re2 has no types
    add: Target
    remove: Target


@dataclass(frozen=True, slots=True)
class IntentRule:
    """Phrases as folded whole words; one of them in a task names the intent."""

    phrases: tuple[str, ...]
    target: Target

    def matches(self, words: str) -> bool:
        """Return whether a text, as ``text.as_words`` makes it, holds one of the phrases."""
        return any(phrase in words for phrase in self.phrases)


def compile_pattern(pattern: str) -> Any:
    """Return a compiled keyword pattern. Raises ``BadPattern`` with RE2's own message."""
    options = re2.Options()
    options.case_sensitive = False
    options.never_capture = True
    options.log_errors = False
    try:
        return re2.compile(strip_accents(pattern), options)
    except re2.error as error:
        message = error.args[0] if error.args else ""
        said = message.decode(errors="replace") if isinstance(message, bytes) else str(message)
        raise BadPattern(f"The keyword pattern {pattern!r} does not compile: {said}.") from error


def compile_keyword_rule(rule: Mapping[str, Any], position: Mapping[str, int]) -> KeywordRule:
    """Return a keyword rule of a document with its pattern compiled."""
    return KeywordRule(
        pattern=compile_pattern(rule["pattern"]),
        add=_target(rule.get("add_tools"), rule.get("add_groups"), position),
        remove=_target(rule.get("remove_tools"), rule.get("remove_groups"), position),
    )


def compile_intent_rule(rule: Mapping[str, Any], position: Mapping[str, int]) -> IntentRule:
    """Return an intent rule of a document with its phrases folded; blank ones match nothing."""
    folded = (as_words(phrase) for phrase in rule.get("phrases") or ())
    return IntentRule(
        phrases=tuple(phrase for phrase in folded if phrase.strip()),
        target=_target(rule.get("tools"), rule.get("groups"), position),
    )


def compile_channels(
    rules: Sequence[Mapping[str, Any]],
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the groups of every (kind, value); rules for the same channel add up."""
    channels: dict[tuple[str, str], tuple[str, ...]] = {}
    for rule in rules:
        key = (rule["kind"], rule["value"])
        known = channels.get(key, ())
        channels[key] = tuple(dict.fromkeys((*known, *rule["groups"])))
    return channels


def matching_keyword_rules(
    rules: Sequence[KeywordRule], task: str, history: Sequence[str]
) -> list[KeywordRule]:
    """Return the rules whose pattern occurs in the task or anywhere in the history."""
    if not rules:
        return []
    # Bytes: RE2 would otherwise encode the whole text again for every rule.
    text = strip_accents(whole(task, history)).encode()
    return [rule for rule in rules if rule.pattern.search(text)]


def matching_intents(
    rules: Sequence[IntentRule], task: str, history: Sequence[str]
) -> list[IntentRule]:
    """Return the rules whose phrase occurs in the task, or else in the history.

    What the task says outright is not widened by what was said before it.
    """
    if not rules:
        return []
    words = as_words(task)
    matching = [rule for rule in rules if rule.matches(words)]
    if matching or not history:
        return matching
    words = as_words("\n".join(history))
    return [rule for rule in rules if rule.matches(words)]


def _target(
    tools: Sequence[str] | None, groups: Sequence[str] | None, position: Mapping[str, int]
) -> Target:
    return Target(tools=tuple(position[name] for name in tools or ()), groups=tuple(groups or ()))
