"""Servers of MCP for tests: the official one, and one that answers whatever a test wants."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.routing.outgoing.servers import StandIn, serving

Pages = Callable[[str | None], dict[str, Any]]


def tool(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "D.", "inputSchema": {"type": "object"}} | more


@contextmanager
def mcp_server(pages: Pages, *, as_events: bool = False) -> Iterator[StandIn]:
    """Serve lists of tools; ``pages`` makes the page of a cursor."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("Content-Length") or 0)
        asked = json.loads(handler.rfile.read(length) or b"{}")
        if "id" not in asked:
            return send(handler, 202, b"")
        result = _result(asked, pages)
        if result is None:
            return send(handler, 400, b"")
        said = json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}).encode()
        if as_events:
            return send(handler, 200, b"data: " + said + b"\n\n", "text/event-stream")
        return send(handler, 200, said, "application/json")

    with serving(answer) as server:
        yield server


def _result(asked: dict[str, Any], pages: Pages) -> dict[str, Any] | None:
    if asked.get("method") == "initialize":
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "stand-in", "version": "1"},
        }
    if asked.get("method") == "tools/list":
        return pages((asked.get("params") or {}).get("cursor"))
    return None


def send(
    handler: BaseHTTPRequestHandler, status: int, body: bytes, kind: str = "text/plain"
) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
