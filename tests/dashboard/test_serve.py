"""The server takes an address that is free, and says so where it is not."""

import os
import socket
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dashboard.management.commands import serve


class Recorder:
    """Stands for granian, and keeps what it was made with."""

    made: list[dict[str, Any]] = []

    def __init__(self, target: str, **options: Any) -> None:
        self.made.append(options)

    def serve(self) -> None:
        """Serve nothing."""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    monkeypatch.setattr(serve, "Granian", Recorder)
    monkeypatch.setattr(Recorder, "made", [])
    monkeypatch.setenv("TOOLCRIB_SUPERVISOR", "")  # which serving sets, and nobody takes back
    return Recorder.made


def test_a_port_that_another_server_shares_with_its_workers_is_taken(
    made: list[dict[str, Any]],
) -> None:
    with (
        socket.create_server(("127.0.0.1", 0), reuse_port=True) as other,
        pytest.raises(CommandError, match=r"--port"),
    ):
        call_command("serve", port=other.getsockname()[1])

    assert made == []


@pytest.mark.parametrize("port", [-1, 65_536])
def test_a_port_is_one(made: list[dict[str, Any]], port: int) -> None:
    with pytest.raises(CommandError, match="Cannot serve"):
        call_command("serve", port=port)


def test_a_worker_that_is_killed_is_replaced(
    made: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUEST_THREADS", "4")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    call_command("serve", port=port)

    assert [(options["port"], options["respawn_failed_workers"]) for options in made] == [
        (port, True)
    ]


@pytest.mark.parametrize("option", ["--workers", "--threads"])
def test_nobody_serves_with_none(made: list[dict[str, Any]], option: str) -> None:
    with pytest.raises(CommandError, match="1 or more"):
        call_command("serve", option, "0")

    assert made == []


def test_there_are_threads_to_turn_away_who_finds_both_lines_full(
    made: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setenv("REQUEST_THREADS", "4")
    settings.REQUESTS_IN_FLIGHT = 100
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    call_command("serve", "--threads", "7", port=port)

    assert settings.REQUEST_THREADS == 7
    assert os.environ["REQUEST_THREADS"] == "7"
    assert made[0]["blocking_threads"] > 200
    assert made[0]["backpressure"] > made[0]["blocking_threads"]
