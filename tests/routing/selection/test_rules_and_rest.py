"""What rules know of a task, and meaning where they do not."""

from __future__ import annotations

import pytest

from routing.selection import Channel, Circumstances, Query, Strategy, Why, select
from tests.routing.selection.documents import document, names, tool
from tests.routing.selection.hashing import Hashed, hashed

NOW = Circumstances()
BOTH = "issue the invoice and book the pickup"
SOURCE = document(
    settings={"strategy": "auto", "threshold": 0.3, "max_tools": 7},
    tools=[
        tool("issue_invoice", description="Issue an invoice for an order."),
        tool("find_invoice", description="Find an invoice by its number."),
        tool("book_pickup", description="Book the pickup of a parcel by a carrier."),
        tool("track_parcel", description="Say where a parcel is."),
        tool("water_plants", description="Water all plants of the house."),
        tool("sell_ticket", description="Sell somebody a train ticket."),
    ],
    groups=[
        {
            "name": "invoices",
            "description": "Use to issue and find invoices.",
            "tools": ["issue_invoice", "find_invoice"],
        },
        {
            "name": "parcels",
            "description": "Use to book the pickup of parcels and to track them.",
            "tools": ["book_pickup", "track_parcel"],
        },
        {"name": "home", "description": "Use for the house.", "tools": ["water_plants"]},
    ],
    default_tools=["find_invoice"],
    intent_rules=[{"phrases": ["invoice"], "tools": [], "groups": ["invoices"]}],
    channel_rules=[{"kind": "queue", "value": "plants", "groups": ["home"]}],
)

strategies = pytest.mark.parametrize("strategy", [Strategy.AUTO, Strategy.RULES_EMBEDDING])


@strategies
def test_the_clause_that_no_rule_knows_is_read_by_meaning(strategy: Strategy) -> None:
    index = hashed(SOURCE)
    selection = select(Query(task=BOTH, strategy=strategy), index, NOW)
    assert selection.groups == ("invoices", "parcels")
    assert {"issue_invoice", "find_invoice", "book_pickup"} <= set(names(index, selection))
    why = {item.tool: item.reason for item in selection.included}
    assert why["issue_invoice"] is Why.RULE
    assert why["book_pickup"] in (Why.LEXICAL, Why.SEMANTIC)
    assert selection.decided_by is Strategy.EMBEDDING
    assert "water_plants" not in why


@strategies
@pytest.mark.parametrize(
    "task", ["issue the invoice", "issue the invoice today and then find the invoice again"]
)
def test_the_encoder_is_not_called_where_rules_know_every_clause(
    strategy: Strategy, task: str
) -> None:
    encoder = Hashed()
    index = hashed(SOURCE, encoder)
    selection = select(Query(task=task, strategy=strategy), index, NOW)
    assert selection.decided_by is Strategy.RULES
    assert selection.groups == ("invoices",)
    assert encoder.calls == 0
    select(Query(task=f"{BOTH} {strategy.value}", strategy=strategy), index, NOW)
    assert encoder.calls == 1


@strategies
def test_the_channel_decides_alone(strategy: Strategy) -> None:
    encoder = Hashed()
    index = hashed(SOURCE, encoder)
    query = Query(task=BOTH, channel=Channel("queue", "plants"), strategy=strategy)
    selection = select(query, index, NOW)
    assert (selection.groups, selection.decided_by) == (("home",), Strategy.RULES)
    assert names(index, selection) == ["water_plants"]
    assert encoder.calls == 0


@strategies
def test_a_channel_without_a_rule_leaves_it_to_the_task(strategy: Strategy) -> None:
    query = Query(task=BOTH, channel=Channel("queue", "other"), strategy=strategy)
    assert select(query, hashed(SOURCE), NOW).groups == ("invoices", "parcels")


def test_both_have_their_turn_under_the_cap() -> None:
    index = hashed(SOURCE)
    selection = select(Query(task=BOTH, max_tools=2), index, NOW)
    assert len(selection.tools) == 2
    assert len(set(names(index, selection)) & {"issue_invoice", "find_invoice"}) == 1


def test_what_meaning_is_not_sure_of_is_left_out() -> None:
    strict = {**SOURCE, "settings": {**SOURCE["settings"], "threshold": 1.0}}
    selection = select(Query(task=BOTH), hashed(strict), NOW)
    assert (selection.groups, selection.decided_by) == (("invoices",), Strategy.RULES)


def test_rules_alone_are_silent_about_the_rest() -> None:
    selection = select(Query(task=BOTH, strategy=Strategy.RULES), hashed(SOURCE), NOW)
    assert selection.groups == ("invoices",)
