"""What open circuits leave of the API's answers: nothing of what they switched off."""

import random
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.models import Catalog
from routing import circuits
from routing.circuit_board import board
from routing.models import Circuit, Span
from routing.preview import accounts_of, compiled_label, preview_selection
from routing.selection import Query, Strategy
from tests.routing.conftest import Agent

RECONCILE = "Reconcile the payment for order 88231 with yesterday's statement"


def switch(catalog: Catalog, target: str, *, kind: str = "tool") -> Circuit:
    return circuits.open_by_hand(
        catalog=catalog,
        kind=kind,
        target=target,
        reason="broken",
        until=None,
        by=None,
        now=timezone.now(),
    )


def reads_of(agent: Agent, **more: Any) -> int:
    with CaptureQueriesContext(connection) as captured:
        agent.select(RECONCILE, **more)
    return sum(query["sql"].split()[0] == "SELECT" for query in captured)


def test_what_is_switched_off_is_not_offered_and_explain_says_why(
    agent: Agent, back_office: Catalog
) -> None:
    assert "find_payment" in agent.select(RECONCILE)["tool_names"]
    row = switch(back_office, "find_payment")
    answer = agent.select(RECONCILE, explain=True)
    assert "find_payment" not in answer["tool_names"]
    reasons = {miss["tool"]: miss["reason"] for miss in answer["explain"]["omitted"]}
    assert reasons["find_payment"] == "circuit_open"
    assert Span.objects.get(uid=answer["id"]).switched_off == ["find_payment"]
    circuits.close(catalog=back_office, pk=row.pk, by=None, now=timezone.now())
    assert "find_payment" in agent.select(RECONCILE)["tool_names"]


def test_an_expansion_leaves_it_out_too(agent: Agent, back_office: Catalog) -> None:
    selection = agent.select("Get me a freight quote for two pallets")
    switch(back_office, "check_stock")
    answer = agent.post(f"/selections/{selection['id']}/expansions", {"group": "stock"}).json()
    assert answer["added"]
    assert "check_stock" not in answer["tool_names"]
    assert Span.objects.get(uid=answer["id"]).switched_off == ["check_stock"]


def test_an_open_route_serves_what_is_always_on(agent: Agent, refunds: Catalog) -> None:
    switch(refunds, "order_status", kind="route")
    more: dict[str, Any] = {"catalog": "refunds", "explain": True}
    answer = agent.select("Where is order 88231?", route="order_status", **more)
    assert (answer["tool_names"], answer["fallback"]) == ([], "nothing_available")
    assert answer["explain"]["omitted_counts"]["circuit_open"] == 1
    assert agent.select("Where is it?", route="refund_investigation", **more)["tool_names"]


def test_a_preview_and_its_accounts_leave_it_out(back_office: Catalog) -> None:
    switch(back_office, "find_payment")
    preview = preview_selection(
        release=compiled_label(back_office), query=Query(task=RECONCILE), now=timezone.now()
    )
    assert "find_payment" not in preview.tool_names
    (account,) = accounts_of(preview, ["find_payment"])
    assert account.reason == "circuit_open"


def test_with_nothing_open_nothing_more_is_read(agent: Agent, back_office: Catalog) -> None:
    agent.select(RECONCILE)
    board.clear()
    assert reads_of(agent) == 2


def test_what_is_open_is_read_once_and_not_by_each_selection(
    agent: Agent, back_office: Catalog
) -> None:
    agent.select(RECONCILE)
    switch(back_office, "find_payment")
    assert reads_of(agent) == 3
    assert reads_of(agent) == 2


def test_no_selection_offers_what_is_open(agent: Agent, back_office: Catalog) -> None:
    """Any of the tools and capabilities off, in any strategy: nothing of it is offered."""
    document = compiled_label(back_office).document
    names = [tool["name"] for tool in document["tools"]]
    capability_of = {tool["name"]: tool["capability"] for tool in document["tools"]}
    capabilities = sorted(filter(None, set(capability_of.values())))
    dice = random.Random(20260304)
    strategies = [strategy for strategy in Strategy if strategy is not Strategy.LLM]
    for _ in range(40):
        Circuit.objects.all().delete()
        board.clear()
        off = set(dice.sample(names, dice.randint(1, 8)))
        off_capabilities = set(dice.sample(capabilities, dice.randint(0, 2)))
        for name in off:
            switch(back_office, name)
        for name in off_capabilities:
            switch(back_office, name, kind="capability")
        answer = agent.select(
            dice.choice([RECONCILE, "check the stock", "write to the customer", "anything"]),
            strategy=dice.choice(strategies).value,
            inclusive=dice.random() < 0.5,
            open_groups=dice.choice([[], ["billing"], ["stock"]]),
            max_tools=dice.choice([1, 7, 50]),
        )
        offered = set(answer["tool_names"])
        assert not offered & off
        assert not {capability_of.get(name) for name in offered} & off_capabilities
