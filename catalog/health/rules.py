"""Checks of rules: those that never fire, always fire, change nothing or repeat another."""

import re
from collections.abc import Iterator

import re2

from catalog.document import canonical_bytes
from catalog.health.finding import Finding, Mend, MendKind, gettext_noop, hint, warning
from catalog.health.reading import Part, Reading

_CHANGES = ("add_tools", "remove_tools", "add_groups", "remove_groups")
_DELETE = Mend(MendKind.DELETE_RULE)


def rules_change_something(reading: Reading) -> Iterator[Finding]:
    """Find rules that name nothing, and those that name disabled tools only."""
    for kind, place, rule in _rules(reading):
        named = [name for key in _effects(kind) for name in rule[key]]
        tools = [name for key in _effects(kind) if key.endswith("tools") for name in rule[key]]
        if not named:
            yield warning(
                "rule_without_effect",
                place,
                gettext_noop("The rule names no tool and no group: it changes nothing."),
                gettext_noop("Name what it adds or takes out, or delete it."),
                _DELETE,
            )
        elif len(tools) == len(named) and not any(name in reading.enabled for name in tools):
            yield warning(
                "rule_of_disabled_tools",
                place,
                gettext_noop("Every tool that the rule names is disabled."),
                gettext_noop("Enable one, or delete the rule."),
            )


def rules_can_fire(reading: Reading) -> Iterator[Finding]:
    """Find intent rules without words, and patterns that match any text."""
    for number, rule in enumerate(reading.document["intent_rules"], 1):
        if not any(re.search(r"\w", phrase) for phrase in rule["phrases"]):
            yield warning(
                "rule_never_fires",
                ("intent_rules", str(number)),
                gettext_noop("The rule has no phrase, so it never fires."),
                gettext_noop("Write the words that name the intent, or delete the rule."),
                _DELETE,
            )
    for number, rule in enumerate(reading.document["keyword_rules"], 1):
        if _matches_nothing_said(rule["pattern"]):
            yield warning(
                "rule_always_fires",
                ("keyword_rules", str(number)),
                gettext_noop("The pattern matches an empty text, so the rule fires every time."),
                gettext_noop("Write a pattern that needs a word."),
            )


def rules_do_not_contradict(reading: Reading) -> Iterator[Finding]:
    """Find keyword rules that add what they take out."""
    for number, rule in enumerate(reading.document["keyword_rules"], 1):
        both = [
            *(name for name in rule["add_tools"] if name in rule["remove_tools"]),
            *(name for name in rule["add_groups"] if name in rule["remove_groups"]),
        ]
        if both:
            yield warning(
                "rule_contradicts_itself",
                ("keyword_rules", str(number)),
                gettext_noop("The rule both adds and takes out “%(name)s”."),
                gettext_noop("Keep one of the two."),
                name=both[0],
            )


def rules_do_not_repeat(reading: Reading) -> Iterator[Finding]:
    """Find rules that an earlier one says already, in whole or by what makes it fire."""
    whole: dict[tuple[str, bytes], tuple[str, str]] = {}
    trigger: dict[tuple[str, str], str] = {}
    for kind, place, rule in _rules(reading):
        number = place[1]
        same = whole.setdefault((kind, canonical_bytes(rule)), place)
        if same != place:
            yield warning(
                "rule_repeats",
                place,
                gettext_noop("Rule %(number)s of this kind says the same."),
                gettext_noop("Delete one of the two."),
                _DELETE,
                number=same[1],
            )
            continue
        for said in _triggers(kind, rule):
            if (other := trigger.setdefault((kind, said), number)) != number:
                yield hint(
                    "rule_shares_trigger",
                    place,
                    gettext_noop("“%(said)s” fires rule %(number)s of this kind, too."),
                    gettext_noop("Both add up. Keep it in one rule where that is not meant."),
                    said=said,
                    number=other,
                )


def _rules(reading: Reading) -> Iterator[tuple[str, tuple[str, str], Part]]:
    for kind in ("keyword_rules", "intent_rules", "channel_rules"):
        for number, rule in enumerate(reading.document[kind], 1):
            yield kind, (kind, str(number)), rule


def _effects(kind: str) -> tuple[str, ...]:
    return {"keyword_rules": _CHANGES, "intent_rules": ("tools", "groups")}.get(kind, ("groups",))


def _triggers(kind: str, rule: Part) -> list[str]:
    if kind == "keyword_rules":
        return [rule["pattern"]]
    if kind == "channel_rules":
        return [f"{rule['kind']}: {rule['value']}"]
    said = (" ".join(phrase.casefold().split()) for phrase in rule["phrases"])
    return list(dict.fromkeys(phrase for phrase in said if phrase))


def _matches_nothing_said(pattern: str) -> bool:
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options).search("") is not None
    except re2.error:
        return False  # that it does not compile stops a publish, and is said there
