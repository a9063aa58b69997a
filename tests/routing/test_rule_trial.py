"""Which rules fire for a task, by the code that selections use."""

from typing import Any

from routing.rule_trial import fired_rules
from routing.selection import Channel

GROUPS: dict[str, Any] = {"groups": ["billing"], "tools": []}
RULES: dict[str, Any] = {
    "channel_rules": [
        {"kind": "queue", "value": "other", "groups": ["stock"]},
        {"kind": "queue", "value": "invoices-in", "groups": ["invoices"]},
    ],
    "intent_rules": [
        {"phrases": ["contrato"], **GROUPS},
        {"phrases": ["devolución", "reembolso"], **GROUPS},
    ],
    "keyword_rules": [
        {"pattern": "(", "add_tools": ["a"]},
        {"pattern": r"\bpag(o|ó)\b", "add_tools": ["a"], "remove_groups": ["b"]},
        {"pattern": "never", "add_tools": ["a"]},
    ],
}


def fired(task: str, **more: Any) -> list[tuple[str, int, bool]]:
    return [(one.kind, one.number, one.overruled) for one in fired_rules(RULES, task=task, **more)]


def test_accents_and_case_do_not_matter_and_numbers_are_those_of_the_list() -> None:
    assert fired("La DEVOLUCION que Pagó") == [("intent", 2, False), ("keyword", 2, False)]


def test_the_history_counts_for_keywords_and_for_intents_that_the_task_lacks() -> None:
    history = ("un contrato", "el pago")
    assert fired("y eso", history=history) == [("intent", 1, False), ("keyword", 2, False)]
    assert ("intent", 1, False) not in fired("el reembolso", history=history)


def test_a_channel_goes_before_intents() -> None:
    channel = Channel("queue", "invoices-in")
    assert fired("contrato", channel=channel) == [("channel", 2, False), ("intent", 1, True)]
    assert fired("contrato", channel=Channel("event", "invoices-in")) == [("intent", 1, False)]


def test_nothing_fires_for_other_words() -> None:
    assert fired("hello") == []
