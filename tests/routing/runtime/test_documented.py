"""What docs/runtime.md says: its lines run, its exceptions and doors exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from routing import runtime
from routing.keys import make_key
from routing.models import Run
from routing.runtime.effects import Ended
from routing.runtime.outcomes import outcome_of
from tests.samples import NOW, published

PAGE = (Path(__file__).parents[3] / "docs" / "runtime.md").read_text("utf-8")
(LINES,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.django_db(transaction=True)
def test_the_lines_in_short_run_as_printed(
    live_server: LiveServer, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.ENCODER = "none"
    published("refunds")
    token = make_key(name="agent", now=NOW, routes=["order_status"]).token
    lines = LINES.replace("http://127.0.0.1:8000", live_server.url).replace("tc_…", token)

    exec(compile(lines, "runtime.md", "exec"), {"__name__": "runtime_page"})  # noqa: S102

    printed = capsys.readouterr().out
    assert "'tool_call_id': 'call_1'" in printed
    assert '"status":"shipped"' in printed
    assert Run.objects.get().outcome == "solved"


def test_every_exception_is_documented() -> None:
    raised = {
        name
        for name in runtime.__all__
        if isinstance(kind := getattr(runtime, name), type) and issubclass(kind, Exception)
    }

    assert raised
    assert [name for name in sorted(raised) if f"`{name}" not in PAGE] == []


def test_every_door_is_documented_and_both_clients_have_it() -> None:
    section = PAGE.partition("## Without a session")[2]
    named = set(re.findall(r"`([a-z_]+)`", section))

    assert named
    for client in (runtime.Toolcrib, runtime.AsyncToolcrib):
        assert {name for name in named if not callable(getattr(client, name, None))} == set()


def test_the_reasons_of_a_failed_handler_are_documented() -> None:
    errors = [KeyError(), ConnectionError(), TimeoutError()]
    reasons = {outcome_of(Ended(error=error), tool="t").reason for error in errors}
    reasons.add(outcome_of(Ended(timed_out=True), tool="t").reason)
    reasons.add(outcome_of(Ended(value=object()), tool="t").reason)

    assert len(reasons) == 4
    assert [reason for reason in reasons if f"`{reason}`" not in PAGE] == []
