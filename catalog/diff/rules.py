"""Changes of the rules, which have no names: a rule is known by its pattern, phrases or channel."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.diff.change import Change, Kind
from catalog.diff.fields import (
    CHANNEL_SENTENCES,
    INTENT_SENTENCES,
    KEYWORD_SENTENCES,
    field_changes,
)
from catalog.diff.lists import compare_lists
from catalog.document.problems import gettext_noop

Rule = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _RuleKind:
    section: str
    known_by: Callable[[Rule], str]
    sentences: Mapping[str, str]
    came: str
    went: str
    retold: str
    moved: str


RULE_KINDS = (
    _RuleKind(
        section="keyword_rules",
        known_by=lambda rule: str(rule["pattern"]),
        sentences=KEYWORD_SENTENCES,
        came=gettext_noop("A keyword rule was added."),
        went=gettext_noop("The keyword rule was removed."),
        retold=gettext_noop("The pattern changed."),
        moved=gettext_noop("It is keyword rule %(place)s now."),
    ),
    _RuleKind(
        section="intent_rules",
        known_by=lambda rule: ", ".join(rule["phrases"]),
        sentences=INTENT_SENTENCES,
        came=gettext_noop("An intent rule was added."),
        went=gettext_noop("The intent rule was removed."),
        retold=gettext_noop("The phrases changed."),
        moved=gettext_noop("It is intent rule %(place)s now."),
    ),
    _RuleKind(
        section="channel_rules",
        known_by=lambda rule: f"{rule['kind']} {rule['value']}",
        sentences=CHANNEL_SENTENCES,
        came=gettext_noop("A channel rule was added."),
        went=gettext_noop("The channel rule was removed."),
        retold=gettext_noop("The channel changed."),
        moved=gettext_noop("It is channel rule %(place)s now."),
    ),
)

# A rule's number in its list, from 1, by what tells it apart.
_Numbers = dict[str, int]


def rule_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    """Yield the changes of all rules, kind by kind, in the new order, those that went last."""
    for kind in RULE_KINDS:
        yield from _changes_of(kind, before[kind.section], after[kind.section])


def _changes_of(kind: _RuleKind, before: Sequence[Rule], after: Sequence[Rule]) -> Iterator[Change]:
    old, new = _by_key(kind, before), _by_key(kind, after)
    heirs = _heirs(kind, before, after, old, new)
    names = {number: key for key, number in old.items()}
    kept = [names[number] for number in heirs.values()]
    moved = set(compare_lists([key for key in old if key in set(kept)], kept).moved)
    for number, rule in enumerate(after, 1):
        subject = kind.known_by(rule)
        place = (kind.section, str(number))
        if number not in heirs:
            yield _whole(kind, rule, number=number, sentence=kind.came, change=Kind.ADDED)
            continue
        was = before[heirs[number] - 1]
        if kind.known_by(was) != subject:
            yield Change(
                place=place,
                subject=subject,
                kind=Kind.CHANGED,
                template=kind.retold,
                removed=(kind.known_by(was),),
                added=(subject,),
            )
        if names[heirs[number]] in moved:
            yield Change(
                place=place,
                subject=subject,
                kind=Kind.MOVED,
                template=kind.moved,
                params={"place": number},
            )
        yield from field_changes(was, rule, sentences=kind.sentences, place=place, subject=subject)
    inherited = set(heirs.values())
    for number, rule in enumerate(before, 1):
        if number not in inherited:
            yield _whole(kind, rule, number=number, sentence=kind.went, change=Kind.REMOVED)


def _by_key(kind: _RuleKind, rules: Sequence[Rule]) -> _Numbers:
    """Number rules by what tells them apart; the second of equal ones gets a mark of its own."""
    numbers: _Numbers = {}
    for number, rule in enumerate(rules, 1):
        key = kind.known_by(rule)
        while key in numbers:
            key += "\0"
        numbers[key] = number
    return numbers


def _heirs(
    kind: _RuleKind,
    before: Sequence[Rule],
    after: Sequence[Rule],
    old: _Numbers,
    new: _Numbers,
) -> dict[int, int]:
    """Return new number -> old number of the rules that are one and the same, in the new order.

    First those with the same key, then, of the rest, those that do the same, so that a pattern
    that was rewritten is one change.
    """
    heirs = {number: old[key] for key, number in new.items() if key in old}
    left = [number for key, number in old.items() if key not in new]
    for key, number in new.items():
        if key in old:
            continue
        does = {field: after[number - 1][field] for field in kind.sentences}
        for candidate in left:
            if all(before[candidate - 1][field] == value for field, value in does.items()):
                heirs[number] = candidate
                left.remove(candidate)
                break
    return dict(sorted(heirs.items()))


def _whole(kind: _RuleKind, rule: Rule, *, number: int, sentence: str, change: Kind) -> Change:
    does = ", ".join(name for field in kind.sentences for name in rule[field])
    return Change(
        place=(kind.section, str(number)),
        subject=kind.known_by(rule),
        kind=change,
        template=sentence,
        removed=(does,) if does and change is Kind.REMOVED else (),
        added=(does,) if does and change is Kind.ADDED else (),
        whole=True,
    )
