"""The commands of docs/calls.md run as printed, and its lists are those of the code."""

import re
from functools import partial
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from routing.policy.suspicions import HIDDEN, PATTERNS
from routing.policy.types import Reason
from tests.printed import ROOT, demo_key, printed_commands, run_printed
from tests.samples import published

PAGE = (ROOT / "docs" / "calls.md").read_text("utf-8")


@pytest.mark.django_db(transaction=True)
def test_its_commands_run_as_printed(live_server: LiveServer, tmp_path: Path) -> None:
    published("back-office", exploration=0)
    selection = Client(headers={"Authorization": f"Bearer {demo_key(tmp_path)}"}).post(
        "/api/v1/selections",
        {"catalog": "back-office", "task": "Find the payment", "strategy": "all"},
        content_type="application/json",
    )
    run = partial(run_printed, url=live_server.url, folder=tmp_path)
    propose, record, read = printed_commands("docs/calls.md")
    call = run(propose, SELECTION=selection.json()["id"])
    assert call["decision"] == "allowed", call
    assert run(record, CALL=call["id"])["reason"] == "busy"
    assert run(propose, SELECTION=selection.json()["id"])["attempt"] == 2
    assert run(read, CALL=call["id"])["attempt"] == 2


def test_it_names_every_reason_in_order_and_every_flag() -> None:
    section = PAGE.partition("## What is checked")[2].partition("- Nothing")[0]
    known = {reason.value for reason in Reason}
    assert [one for one in re.findall(r"`(\w+)`", section) if one in known] == list(Reason)
    for flag in (*PATTERNS, HIDDEN):
        assert f"`{flag}`" in PAGE
