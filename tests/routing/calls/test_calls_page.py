"""The commands of docs/calls.md run as printed, and its lists are those of the code."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from routing.keys import make_key
from routing.policy.suspicions import HIDDEN, PATTERNS
from routing.policy.types import Reason
from tests.samples import NOW, published

PAGE = (Path(__file__).parents[3] / "docs" / "calls.md").read_text("utf-8")


@pytest.mark.django_db(transaction=True)
def test_its_commands_run_as_printed(live_server: LiveServer, tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        if os.environ.get("CI"):
            pytest.fail("curl is missing")
        pytest.skip("curl is missing")
    published("back-office", exploration=0)
    token = make_key(name="demo", now=NOW).token
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "demo-key").write_text(token)
    selection = Client(headers={"Authorization": f"Bearer {token}"}).post(
        "/api/v1/selections",
        {"catalog": "back-office", "task": "Find the payment", "strategy": "all"},
        content_type="application/json",
    )

    def run(command: str, **more: str) -> dict[str, Any]:
        done = subprocess.run(  # noqa: S603 - the commands of our own page
            ["/bin/sh", "-c", command.replace("http://127.0.0.1:8000", live_server.url)],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], **more},
            capture_output=True,
            check=True,
            timeout=60,
        )
        value: dict[str, Any] = json.loads(done.stdout)
        return value

    propose, record, read = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
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
