"""The commands of docs/api-notes.md run as printed."""

from functools import partial
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from tests.printed import demo_key, printed_commands, run_printed
from tests.samples import published


@pytest.mark.django_db(transaction=True)
def test_its_commands_run_as_printed(live_server: LiveServer, tmp_path: Path) -> None:
    published("back-office", exploration=0)
    published("refunds", exploration=0)
    selection = Client(headers={"Authorization": f"Bearer {demo_key(tmp_path)}"}).post(
        "/api/v1/selections",
        {"catalog": "back-office", "task": "Settle the bill", "strategy": "keyword"},
        content_type="application/json",
    )
    assert "get_stock_level" not in selection.json()["tool_names"]
    run = partial(run_printed, url=live_server.url, folder=tmp_path)
    again, tell = printed_commands("docs/api-notes.md")
    assert "get_stock_level" in run(again, SELECTION=selection.json()["id"])["tool_names"]
    told = run(tell)
    assert (len(told["taken"]), told["refused"]) == (2, [])
    assert run(tell)["known"] == told["taken"]
