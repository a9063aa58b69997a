"""Keyword, intent and channel rules."""

from __future__ import annotations

import pytest

from routing.selection import BadPattern, Channel, Circumstances, Query, Strategy, select
from tests.routing.selection.documents import document, lexical, names, office, reasons, tool


def keyword(pattern: str, **targets: list[str]) -> dict[str, object]:
    return {"pattern": pattern, **targets}


RULES = [
    keyword(r"\b(?:stock|pieza)\b", add_groups=["stock"]),
    keyword(r"\bpagó\b", add_tools=["find_payment"]),
    keyword(r"\bread only\b", remove_tools=["reserve_stock"]),
]


@pytest.mark.parametrize(
    ("task", "history", "tools"),
    [
        ("any stock left?", (), ["check_stock", "reserve_stock"]),
        ("STOCK", (), ["check_stock", "reserve_stock"]),
        ("go on", ("look at the stock", "done"), ["check_stock", "reserve_stock"]),
        ("¿pagó ya?", (), ["find_payment"]),
        ("pago ya", (), ["find_payment"]),
        ("stock, but read only", (), ["check_stock"]),
    ],
)
def test_keyword_rules_read_task_and_history(
    task: str, history: tuple[str, ...], tools: list[str]
) -> None:
    index = lexical(office(keyword_rules=RULES))
    query = Query(task=task, history=history, strategy=Strategy.KEYWORD)
    selection = select(query, index, Circumstances())
    assert names(index, selection) == [*tools, "ask_user"]
    assert (selection.confidence, selection.fallback) == (1.0, None)
    assert selection.confidence_source == "assumed"


def test_a_removed_tool_says_so() -> None:
    index = lexical(office(keyword_rules=RULES))
    query = Query(task="stock read only", strategy=Strategy.KEYWORD)
    assert reasons(select(query, index, Circumstances()))["reserve_stock"] == "removed_by_rule"


def test_without_a_match_keyword_serves_the_phase_else_the_default_tools() -> None:
    phases = [{"name": "settling", "tools": ["settle_bill", "find_payment"], "groups": []}]
    index = lexical(office(keyword_rules=RULES, phases=phases))
    query = Query(task="hello", phase="settling", strategy=Strategy.KEYWORD)
    selection = select(query, index, Circumstances())
    assert names(index, selection) == ["settle_bill", "find_payment", "ask_user"]
    assert (selection.fallback, selection.groups) == ("no_match", ())
    selection = select(Query(task="hello", strategy=Strategy.KEYWORD), index, Circumstances())
    assert names(index, selection) == ["find_payment", "check_stock", "ask_user"]
    assert (selection.fallback, selection.groups) == ("no_match", ())


def test_a_phase_is_the_base_that_keywords_change() -> None:
    phases = [{"name": "counting", "tools": ["reserve_stock", "check_stock"], "groups": []}]
    index = lexical(office(keyword_rules=RULES, phases=phases))
    query = Query(task="read only: pagó?", phase="counting", strategy=Strategy.PHASE_KEYWORD)
    selection = select(query, index, Circumstances())
    assert names(index, selection) == ["find_payment", "check_stock", "ask_user"]
    assert reasons(selection) | {"settle_bill": "not_in_phase"} == reasons(selection)
    assert selection.groups == ("billing", "stock")


def test_a_pattern_that_does_not_compile_is_refused_by_name() -> None:
    with pytest.raises(BadPattern, match=r"\(unclosed"):
        lexical(office(keyword_rules=[keyword("(unclosed")]))
    with pytest.raises(BadPattern):
        lexical(office(keyword_rules=[keyword("(?=ahead)")]))


INTENTS = [{"phrases": ["Contrato", "nota fiscal"], "tools": [], "groups": ["billing"]}]


@pytest.mark.parametrize("task", ["ver CONTRATO 7", "emitir a Nota Físcal", "contrato"])
def test_an_intent_opens_its_groups(task: str) -> None:
    index = lexical(office(intent_rules=INTENTS))
    selection = select(Query(task=task), index, Circumstances())
    assert (selection.groups, selection.decided_by) == (("billing",), Strategy.RULES)
    assert selection.confidence == 1.0


def test_an_intent_is_matched_as_whole_words() -> None:
    index = lexical(office(intent_rules=INTENTS))
    selection = select(Query(task="subcontratos", strategy=Strategy.RULES), index, Circumstances())
    assert selection.fallback == "no_match"


def test_what_the_task_says_goes_before_the_history() -> None:
    intents = [*INTENTS, {"phrases": ["almacén"], "groups": ["stock"]}]
    index = lexical(office(intent_rules=intents))
    history = ("el contrato",)
    asked = Query(task="el almacen", history=history)
    assert select(asked, index, Circumstances()).groups == ("stock",)
    asked = Query(task="sigue", history=history)
    assert select(asked, index, Circumstances()).groups == ("billing",)


def test_a_channel_decides_before_intents() -> None:
    rules = [{"kind": "queue", "value": "shelf", "groups": ["stock"]}]
    index = lexical(office(intent_rules=INTENTS, channel_rules=rules))
    asked = Query(task="contrato", channel=Channel("queue", "shelf"))
    assert select(asked, index, Circumstances()).groups == ("stock",)
    asked = Query(task="contrato", channel=Channel("event", "shelf"))
    assert select(asked, index, Circumstances()).groups == ("billing",)


def test_where_a_rule_opens_more_than_the_cap_words_decide() -> None:
    tools = [
        tool(f"tool_{number}", description=f"Does {word}.")
        for number, word in enumerate(["apples", "bread", "cheese", "dates"])
    ]
    groups = [{"name": "food", "description": "", "tools": [entry["name"] for entry in tools]}]
    intents = [{"phrases": ["food"], "groups": ["food"]}]
    index = lexical(document(tools=tools, groups=groups, intent_rules=intents))
    selection = select(Query(task="food: dates", max_tools=2), index, Circumstances())
    assert names(index, selection) == ["tool_0", "tool_3"]
    assert selection.omitted_counts == {"over_cap": 2}
