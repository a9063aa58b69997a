"""Groups and confidence, with the default encoder."""

from __future__ import annotations

import pytest

from routing.selection import Circumstances, Index, Query, Strategy, select
from tests.routing.selection.documents import names, reasons

NOW = Circumstances()


@pytest.mark.parametrize(
    ("task", "groups"),
    [
        (
            "Issue the fiscal invoice of the order and book a pickup with the carrier",
            ("invoices", "logistics"),
        ),
        (
            "Emite a nota fiscal do pedido e agenda com a transportadora a retirada da carga",
            ("invoices", "logistics"),
        ),
        ("What did I earn in commissions last month?", ("commissions",)),
    ],
)
def test_a_task_opens_the_groups_that_it_is_about(
    task: str, groups: tuple[str, ...], samples: dict[str, Index]
) -> None:
    query = Query(task=task, strategy=Strategy.EMBEDDING)
    assert select(query, samples["back-office"], NOW).groups == groups


def test_a_group_that_fits_under_the_cap_is_served_whole(samples: dict[str, Index]) -> None:
    index = samples["back-office"]
    task = "Which payments of this week are not matched to the bank statement yet?"
    query = Query(task=task, strategy=Strategy.EMBEDDING)
    selection = select(query, index, NOW)
    assert selection.groups == ("billing",)
    members = [index.tools[tool] for tool in index.groups["billing"].members]
    assert names(index, selection) == [*members, "ask_user"]
    assert set(reasons(selection).values()) <= {
        "semantic",
        "lexical",
        "group",
        "always_on",
        "below_cut",
    }


def test_under_a_smaller_cap_the_best_tools_of_the_group_stay(samples: dict[str, Index]) -> None:
    index = samples["back-office"]
    query = Query(task="Give the customer back the money that was paid twice", max_tools=2)
    selection = select(query, index, NOW)
    assert "refund_overpayment" in names(index, selection)
    assert len(selection.tools) <= 3


def test_no_group_that_is_not_allowed_is_named(samples: dict[str, Index]) -> None:
    index = samples["refunds"]
    query = Query(task="I want my money back", route="order_status", strategy=Strategy.EMBEDDING)
    selection = select(query, index, NOW)
    assert names(index, selection) == ["read_order"]
    assert selection.requestable == ()
    assert selection.scored_groups == ()


def test_a_task_says_more_than_its_history(samples: dict[str, Index]) -> None:
    index = samples["back-office"]
    history = ("How many pumps does the south warehouse hold?", "There are 12 pumps left.")
    about = "Now correct the delivery address on the fiscal invoice and send the copy again"
    assert select(Query(task=about, history=history), index, NOW).groups == ("invoices",)


def test_a_group_that_is_off_is_not_opened(samples: dict[str, Index]) -> None:
    index = samples["back-office"]
    members = index.groups["commissions"].members
    off = Circumstances(switched_off=frozenset(index.tools[tool] for tool in members))
    selection = select(Query(task="Explain my commissions of October"), index, off)
    assert "commissions" not in selection.groups + selection.proposed_groups
    assert "commissions" in selection.requestable


def test_under_the_cap_no_open_group_crowds_another_out(samples: dict[str, Index]) -> None:
    index = samples["back-office"]
    task = "Send the customer the invoice again and tell me where the shipment is"
    query = Query(task=task, strategy=Strategy.EMBEDDING)
    selection = select(query, index, NOW)
    assert {"send_invoice_copy", "track_shipment"} <= set(names(index, selection))
    assert len(selection.tools) <= 8
