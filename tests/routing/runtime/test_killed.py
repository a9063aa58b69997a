"""A worker that is killed between ``allowed`` and the result."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from routing.keys import make_key
from routing.runtime import Handlers, Toolcrib
from tests.routing.calls.conftest import desk_document, publish_document
from tests.samples import NOW

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).parents[3]


def publish_desk(**draft: Any) -> None:
    """Publish the desk, whose drafts may take a second and a half unless told otherwise."""
    document = desk_document()
    (tool,) = (tool for tool in document["tools"] if tool["name"] == "draft_refund_request")
    tool |= {"timeout_ms": 1500, **draft}
    publish_document(document)


def begun(url: str, token: str) -> dict[str, Any]:
    """Return the state of a session that has just begun."""
    with Toolcrib(url, token) as crib:
        session = crib.start(Handlers(), catalog="refunds", route="desk", task="Draft it")
        return session.state()


def work(url: str, token: str, state: dict[str, Any], folder: Path, stop: str) -> Any:
    """Return a worker's process."""
    return subprocess.Popen(  # noqa: S603 - a file of the tests' own
        [
            sys.executable,
            "-m",
            "tests.routing.runtime.worker",
            url,
            json.dumps(state),
            folder,
            stop,
        ],
        cwd=ROOT,
        env={**os.environ, "TOOLCRIB_KEY": token},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("stop", ["before", "after"])
def test_the_next_worker_gets_the_next_attempt_and_the_side_effect_is_one(
    live_server: LiveServer, settings: Any, tmp_path: Path, stop: str
) -> None:
    settings.ENCODER = "none"
    publish_desk()
    token = make_key(name="worker", now=NOW).token
    state = begun(live_server.url, token)

    with work(live_server.url, token, state, tmp_path, stop) as first:
        until = time.monotonic() + 30
        while not (tmp_path / "stopped").exists():
            assert time.monotonic() < until, "the worker did not get so far"
            time.sleep(0.01)
        first.kill()
    with work(live_server.url, token, state, tmp_path, "never") as second:
        printed, _ = second.communicate(timeout=60)

    attempts = [line.split() for line in (tmp_path / "attempts").read_text().splitlines()]
    (effect,) = tmp_path.glob("*.draft")
    assert attempts == [["1", effect.stem], ["2", effect.stem]]
    assert json.loads(printed) == ["ok", None, 2, {"request_id": effect.stem[:8]}]


def test_a_call_that_may_be_tried_once_ends_when_its_worker_is_killed(
    live_server: LiveServer, settings: Any, tmp_path: Path
) -> None:
    settings.ENCODER = "none"
    publish_desk(max_attempts=1)
    token = make_key(name="worker", now=NOW).token
    state = begun(live_server.url, token)

    with work(live_server.url, token, state, tmp_path, "after") as first:
        until = time.monotonic() + 30
        while not (tmp_path / "stopped").exists():
            assert time.monotonic() < until, "the worker did not get so far"
            time.sleep(0.01)
        first.kill()
    with work(live_server.url, token, state, tmp_path, "never") as second:
        printed, _ = second.communicate(timeout=60)

    assert json.loads(printed)[:2] == ["fatal_error", "attempts_exhausted"]
    assert len(list(tmp_path.glob("*.draft"))) == 1
