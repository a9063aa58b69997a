"""Why a tool was served or not, whichever tool it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from routing.selection import Circumstances, Index, Query, Strategy, Why, WhyNot
from routing.selection.cut import INCLUSIVE_LEAST, LEAST
from routing.selection.features import CANDIDATES
from routing.selection.pipeline import decide
from routing.selection.whynot import Account, UnknownTool, account_of
from tests.routing.selection.documents import document, lexical, office, tool

NOW = Circumstances()
TASK = "settle the bill of the payment"


def account(
    name: str, index: Index, task: str = TASK, circumstances: Circumstances = NOW, **asked: Any
) -> Account:
    return account_of(name, decide(Query(task=task, **asked), index, circumstances), index)


def test_a_served_tool_has_its_reason_and_what_speaks_for_it() -> None:
    found = account("settle_bill", lexical(office()))
    assert (found.served, found.reason, found.place) == (True, Why.LEXICAL, 1)
    assert found.words == ("settle", "bill", "payment")  # the last by its group
    assert found.lexical == 1
    assert found.name == pytest.approx(1)
    assert found.group == "billing"
    assert found.by_evidence
    assert found.belief is not None
    assert found.belief.place <= found.belief.reach
    assert found.belief.needed > found.belief.least == LEAST
    assert found.cosine is found.best_cosine is None


def test_a_tool_below_the_cut_shows_what_it_lacks() -> None:
    found = account("convert_currency", lexical(office()))
    assert (found.served, found.reason) == (False, WhyNot.BELOW_CUT)
    assert (found.words, found.name) == ((), 0)
    assert found.belief is not None
    assert found.belief.needed < found.belief.least or found.belief.place > found.belief.reach
    assert found.place is not None
    assert 1 < found.place <= found.candidates == 5


def test_where_groups_are_opened_first_it_says_whether_its_group_was(
    samples: dict[str, Index],
) -> None:
    index = samples["back-office"]
    task = "Reconcile the payment for order 88231 with yesterday's statement"
    opened, closed = (account(name, index, task) for name in ("find_payment", "quote_freight"))
    assert opened.by_group
    assert closed.by_group
    assert (opened.group_opened, closed.group_opened) == (True, False)
    office_account = account("settle_bill", lexical(office()))
    assert not office_account.by_group
    assert office_account.group_opened
    assert account("settle_bill", lexical(office()), strategy=Strategy.HIERARCHICAL).by_group


def test_meaning_is_told_where_an_encoder_reads(
    compiled: Callable[[dict[str, Any]], Index],
) -> None:
    index = compiled(office())
    near = account("settle_bill", index, task="pay what we owe")
    far = account("check_stock", index, task="pay what we owe")
    assert near.cosine is not None
    assert far.cosine is not None
    assert near.best_cosine == far.best_cosine == near.cosine
    assert near.cosine > far.cosine


@pytest.mark.parametrize(
    ("name", "reason", "asked", "circumstances"),
    [
        ("old_report", WhyNot.DISABLED, {}, NOW),
        (
            "settle_bill",
            WhyNot.CIRCUIT_OPEN,
            {},
            Circumstances(frozenset({"capability:billing.write"})),
        ),
        (
            "settle_bill",
            WhyNot.OVER_CAP,
            {"max_tools": 1, "phase": "q", "strategy": Strategy.PHASE},
            NOW,
        ),
        ("check_stock", WhyNot.NOT_IN_PHASE, {"phase": "p", "strategy": Strategy.PHASE}, NOW),
        ("find_payment", WhyNot.REMOVED_BY_RULE, {"strategy": Strategy.KEYWORD}, NOW),
    ],
)
def test_the_verdict_is_that_of_the_pipeline(
    name: str, reason: WhyNot, asked: dict[str, Any], circumstances: Circumstances
) -> None:
    index = lexical(
        office(
            phases=[
                {"name": "p", "tools": ["find_payment"], "groups": []},
                {"name": "q", "tools": ["find_payment", "settle_bill"], "groups": []},
            ],
            keyword_rules=[
                {
                    "pattern": "bill",
                    "add_tools": ["settle_bill"],
                    "remove_tools": ["find_payment"],
                }
            ],
        )
    )
    found = account(name, index, circumstances=circumstances, **asked)
    assert (found.served, found.reason) == (False, reason)


def test_below_the_threshold_and_off_the_route_are_told() -> None:
    strict = lexical(office(settings={"threshold": 1.0}, default_tools=["check_stock"]))
    assert account("settle_bill", strict).reason is WhyNot.BELOW_THRESHOLD
    routes = [{"name": "r", "tools": ["check_stock"], "groups": [], "side_effects": ["read"]}]
    routed = lexical(office(routes=routes, default_tools=["check_stock"]))
    found = account("settle_bill", routed, route="r")
    assert found.reason is WhyNot.ROUTE
    # Weighed as if it were allowed: the words are there, the right is not.
    assert found.words == ("settle", "bill", "payment")  # the last by its group
    assert found.lexical == 1
    assert found.place is None
    assert found.belief is not None


def test_an_inclusive_selection_is_measured_by_its_own_bound() -> None:
    found = account("settle_bill", lexical(office()), inclusive=True)
    assert found.belief is not None
    assert found.belief.least == INCLUSIVE_LEAST


def test_a_rule_that_decides_is_named() -> None:
    rules = [{"phrases": ["bill"], "tools": ["settle_bill"], "groups": []}]
    index = lexical(office(intent_rules=rules))
    assert account("settle_bill", index).reason is Why.RULE
    found = account("check_stock", index)
    assert (found.decided_by, found.by_evidence) == (Strategy.RULES, False)
    assert found.place is None


def test_a_tool_too_far_off_was_not_weighed() -> None:
    tools = [tool(f"t{number}", description="order a pizza") for number in range(CANDIDATES)]
    index = lexical(document(tools=[*tools, tool("far", description="water the plants")]))
    found = account("far", index, task="order a pizza")
    assert (found.reason, found.belief) == (WhyNot.BELOW_CUT, None)
    assert found.place == found.candidates == CANDIDATES + 1


def test_always_on_and_empty_catalogs_have_accounts() -> None:
    found = account("ask_user", lexical(office()))
    assert (found.served, found.reason) == (True, Why.ALWAYS_ON)
    alone = lexical(document(tools=[tool("only", enabled=False)]))
    assert account("only", alone).reason is WhyNot.DISABLED


def test_every_tool_of_a_sample_has_an_account_that_agrees_with_the_selection(
    samples: dict[str, Index],
) -> None:
    index = samples["back-office"]
    decision = decide(Query(task="Reconcile the payment for order 88231"), index, NOW)
    served = {item.tool: item.reason for item in decision.selection.included}
    missed = {item.tool: item.reason for item in decision.selection.omitted}
    for name in index.tools:
        found = account_of(name, decision, index)
        assert found.served == (name in served)
        assert found.reason == (served | missed).get(name, found.reason)
        record = json.loads(json.dumps(found.record()))
        assert record["tool"] == name
        assert record["reason"] == found.reason.value


def test_a_name_that_no_tool_has_gives_near_ones() -> None:
    with pytest.raises(UnknownTool, match="Did you mean find_payment") as raised:
        account("findPayment", lexical(office()))
    assert raised.value.similar[0] == "find_payment"
    with pytest.raises(UnknownTool) as raised:
        account("zzzzzz", lexical(office()))
    assert raised.value.similar == ()
