"""A live server of MCP is listed through the guard, to the last page, and never waited for long."""

import json
import threading
from http.server import BaseHTTPRequestHandler
from typing import Any

import httpx2
import pytest

from routing.outgoing import Allowed, outgoing_transport
from routing.sources import SourceFailed
from routing.sources.mcp_http import fetch_mcp_tools
from tests.routing.outgoing.servers import StandIn, serving
from tests.routing.sources.servers import mcp_server, send, tool

HERE = Allowed.parse(["127.0.0.1"])


def open_here(max_bytes: int = 1_000_000) -> httpx2.BaseTransport:
    return outgoing_transport(allowed=HERE, total=5, max_bytes=max_bytes)


def listed(server: StandIn, **more: Any) -> list[Any]:
    options: dict[str, Any] = {"header": {}, "transport": open_here, "timeout": 5.0, "total": 10.0}
    fetched = fetch_mcp_tools(url=f"http://127.0.0.1:{server.port}/mcp?token=s", **(options | more))
    assert fetched.format_name == "mcp"
    assert fetched.source == f"http://127.0.0.1:{server.port}/mcp"
    tools: list[Any] = json.loads(fetched.content)["tools"]
    return tools


@pytest.mark.parametrize("as_events", [False, True])
def test_all_pages_are_read(as_events: bool) -> None:
    def page(cursor: str | None) -> dict[str, Any]:
        number = int(cursor or 0)
        more = {"nextCursor": str(number + 1)} if number < 2 else {}
        return {"tools": [tool(f"tool_{number}")], **more}

    with mcp_server(page, as_events=as_events) as server:
        assert [one["name"] for one in listed(server)] == ["tool_0", "tool_1", "tool_2"]


def test_a_bad_tool_takes_no_neighbour_along_and_nothing_is_lost() -> None:
    bad = {"name": 3, "inputSchema": []}
    good = tool("good", annotations={"readOnlyHint": True}, **{"x-own": 1})

    with mcp_server(lambda _cursor: {"tools": [bad, good]}) as server:
        assert listed(server) == [bad, good]


def test_the_header_goes_to_the_server_and_into_no_error() -> None:
    def refuse(handler: BaseHTTPRequestHandler) -> None:
        send(handler, 401, b"no Bearer s3cret here")

    with mcp_server(lambda _cursor: {"tools": []}) as server:
        listed(server, header={"Authorization": "Bearer s3cret"})
        assert all(headers["Authorization"] == "Bearer s3cret" for _, headers in server.asked)
    with serving(refuse) as server, pytest.raises(SourceFailed) as failed:
        listed(server, header={"Authorization": "Bearer s3cret"})
    assert "s3cret" not in str(failed.value)


def test_a_list_that_does_not_end_is_left() -> None:
    with (
        mcp_server(lambda _cursor: {"tools": [], "nextCursor": "again"}) as server,
        pytest.raises(SourceFailed, match="does not end"),
    ):
        listed(server)


def test_a_list_that_is_too_long_is_left() -> None:
    with (
        mcp_server(lambda _cursor: {"tools": [tool("x" * 5000)]}) as server,
        pytest.raises(SourceFailed),
    ):
        listed(server, transport=lambda: open_here(1000))


def test_pages_that_are_too_long_together_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routing.sources.listing.MOST_BYTES", 10_000)

    def page(cursor: str | None) -> dict[str, Any]:
        return {"tools": [tool("x" * 4000)], "nextCursor": str(int(cursor or 0) + 1)}

    with mcp_server(page) as server:
        with pytest.raises(SourceFailed, match="The list is longer than"):
            listed(server)
        assert len(server.asked) < 8


def test_a_server_that_is_slow_is_left() -> None:
    over = threading.Event()

    def wait(handler: BaseHTTPRequestHandler) -> None:
        over.wait(20)
        send(handler, 500, b"")

    with serving(wait) as server:
        try:
            with pytest.raises(SourceFailed):
                listed(server, timeout=0.3, total=1.0)
        finally:
            over.set()


def test_what_is_no_server_of_mcp_is_told() -> None:
    with serving(lambda handler: send(handler, 200, b"<html>")) as server:  # noqa: SIM117
        with pytest.raises(SourceFailed):
            listed(server)
    nested = tool("t", inputSchema=json.loads('{"a":' * 300 + "1" + "}" * 300))
    with mcp_server(lambda _cursor: {"tools": [nested]}) as server:  # noqa: SIM117
        with pytest.raises(SourceFailed, match="not answer as the protocol has it"):
            listed(server)


def test_an_address_that_the_guard_refuses_is_not_reached() -> None:
    with mcp_server(lambda _cursor: {"tools": []}) as server:
        with pytest.raises(SourceFailed, match="not a public address"):
            listed(server, transport=lambda: outgoing_transport(allowed=Allowed()))
        assert server.asked == []
