"""Publishing and rolling back from the command line."""

import json

import pytest
from django.core.management import CommandError, call_command

from catalog.models import Catalog, Tool
from routing.models import Span

pytestmark = pytest.mark.django_db


def test_publish_and_roll_back(dev_agent: Catalog, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("publish", "dev-agent")
    Tool.objects.filter(name="calculator").update(description="Adds numbers.")
    call_command("publish", "dev-agent", "--note", "Shorter")
    call_command("rollback", "dev-agent", "1", "--reason", "Too short")

    assert capsys.readouterr().out.splitlines() == [
        "Nothing to publish: dev-agent@1 is live and unchanged.",
        "dev-agent@2 is live (release 2).",
        "dev-agent@1 is live (release 1).",
    ]


def test_faults_are_told(dev_agent: Catalog) -> None:
    with pytest.raises(CommandError, match="no version 9"):
        call_command("rollback", "dev-agent", "9")
    with pytest.raises(CommandError, match="There are: dev-agent"):
        call_command("publish", "elsewhere")
    Tool.objects.filter(name="write_file").update(always_on=True)
    with pytest.raises(CommandError, match=r"tools write_file: .*read-only"):
        call_command("publish", "dev-agent")


@pytest.mark.parametrize(
    "arguments",
    [
        ["create_key", " "],
        ["create_key", "n" * 101],
        ["publish", "dev-agent", "--note", "n" * 501],
        ["rollback", "dev-agent", "1", "--reason", "n" * 501],
    ],
)
def test_texts_are_as_long_as_is_kept(dev_agent: Catalog, arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="characters"):
        call_command(*arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["create_key", "k\udcff"],
        ["publish", "dev-agent", "--note", "\udcff"],
        ["rollback", "dev-agent", "1", "--reason", "\udcff"],
    ],
)
def test_bytes_that_are_no_text_are_told(dev_agent: Catalog, arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="is not UTF-8"):
        call_command(*arguments)


def test_a_selection_is_tried_without_a_record(
    dev_agent: Catalog, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("select", "dev-agent", "Deploy it", "--strategy", "keyword", "--json")
    value = json.loads(capsys.readouterr().out)
    call_command("select", "dev-agent@1", "Deploy it", "--strategy", "keyword", "--explain")
    lines = capsys.readouterr().out.splitlines()

    assert value["tool_names"] == ["run_tests", "deploy", "request_group"]
    assert "+ deploy: keyword" in lines
    assert not Span.objects.exists()


def test_a_strategy_that_failed_says_why(
    dev_agent: Catalog, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("select", "dev-agent", "Deploy it", "--strategy", "classifier", "--json")
    value = json.loads(capsys.readouterr().out)
    call_command("select", "dev-agent", "Deploy it", "--strategy", "classifier")
    lines = capsys.readouterr().out.splitlines()

    assert value["fallback"] == "strategy_failed"
    assert value["failure"].startswith("classifier: ")
    assert f"why it failed: {value['failure']}" in lines


def test_a_tool_is_accounted_for_whether_it_is_served_or_not(
    back_office: Catalog, capsys: pytest.CaptureFixture[str]
) -> None:
    task = "Reconcile the payment for order 88231 with yesterday's statement"
    asked = ["--why", "find_payment", "--why", "quote_freight"]
    call_command("select", "back-office", task, *asked, "--json")
    served, left_out = json.loads(capsys.readouterr().out)["why"]
    call_command("select", "back-office", task, *asked)
    lines = capsys.readouterr().out.splitlines()

    assert (served["tool"], served["served"], served["group"]) == ("find_payment", True, "billing")
    assert {"reconcile", "payment"} <= set(served["words"])
    assert (left_out["served"], left_out["reason"]) == (False, "below_cut")
    assert left_out["cosine"] < served["cosine"] <= served["best_cosine"]
    assert served["belief"]["needed"] > served["belief"]["least"]
    assert any(line.startswith("find_payment: served (") for line in lines)
    assert any(line.startswith("quote_freight: not served (below_cut): ") for line in lines)
    assert f"  name: the task says {served['name']:.0%} of it" in lines


def test_an_account_of_an_unknown_tool_gives_near_names(back_office: Catalog) -> None:
    with pytest.raises(CommandError, match=r"no tool “find_paymnt”\. Did you mean find_payment"):
        call_command("select", "back-office", "Pay", "--why", "find_paymnt")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dev-agent@9", "x"], "not published"),
        (["dev-agent@staging", "x"], "not published"),
        (["Dev Agent", "x"], "no reference"),
        (["dev-agent", " "], "blank"),
        (["dev-agent", "x", "--phase", "nowhere"], "nowhere"),
    ],
)
def test_a_selection_that_cannot_be_tried_says_why(
    dev_agent: Catalog, arguments: list[str], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("select", *arguments)
