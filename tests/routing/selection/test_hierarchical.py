"""Group first, then the tools inside."""

from __future__ import annotations

from routing.selection import Circumstances, Fallback, Index, Query, Strategy, select
from routing.selection.pipeline import decide
from tests.routing.selection.documents import document, lexical, names, office, tool

NOW = Circumstances()


def query(task: str, **more: object) -> Query:
    return Query(task=task, strategy=Strategy.HIERARCHICAL, **more)  # type: ignore[arg-type]


def test_the_group_that_holds_the_belief_is_opened_whole(samples: dict[str, Index]) -> None:
    index = samples["back-office"]
    task = "Reconcile the payment for order 88231 with yesterday's statement"
    selection = select(query(task), index, NOW)
    billing = {index.tools[tool] for tool in index.groups["billing"].members}
    assert selection.groups == ("billing",)
    assert selection.decided_by is Strategy.HIERARCHICAL
    assert billing <= set(names(index, selection))
    assert selection.scored_groups[0].group == "billing"
    assert selection.fallback is None


def test_a_task_of_two_groups_opens_both() -> None:
    index = lexical(office())
    selection = select(query("settle the bill and then say what the warehouse holds"), index, NOW)
    assert selection.proposed_groups == ("billing", "stock")


def test_the_cap_takes_the_best_of_the_groups() -> None:
    index = lexical(office(settings={"threshold": 0.0}))
    selection = select(query("find the payment of an order", max_tools=1), index, NOW)
    assert names(index, selection) == ["find_payment", "ask_user"]
    assert selection.omitted_counts["over_cap"] >= 1


def test_without_a_group_it_abstains() -> None:
    index = lexical(document(tools=[tool("one", description="Settle a bill.")]))
    decision = decide(query("settle the bill"), index, NOW)
    assert decision.proposal is None
    assert decision.selection.fallback is Fallback.NO_MATCH
    off = Circumstances(frozenset({"settle_bill", "find_payment", "check_stock", "reserve_stock"}))
    assert decide(query("settle the bill"), lexical(office()), off).proposal is None


def test_nothing_said_opens_nothing() -> None:
    selection = select(query("zzz"), lexical(office()), NOW)
    assert (selection.groups, selection.proposed_groups) == ((), ())
    assert selection.fallback is Fallback.NO_MATCH


def test_an_inclusive_selection_opens_at_least_the_same_groups(samples: dict[str, Index]) -> None:
    index = samples["back-office"]
    for task in ("Issue the invoice and book the pickup", "what did the carrier say"):
        narrow = select(query(task), index, NOW)
        wide = select(query(task, inclusive=True), index, NOW)
        assert set(narrow.proposed_groups) <= set(wide.proposed_groups)
