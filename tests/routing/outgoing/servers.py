"""Servers on this machine that tests send requests to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[BaseHTTPRequestHandler], None]


class StandIn(ThreadingHTTPServer):
    """A server that keeps what it was asked: the lines and the headers of requests."""

    daemon_threads = True

    def __init__(self, answer: Answer) -> None:
        self.asked: list[tuple[str, dict[str, str]]] = []
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                stand_in.asked.append((self.path, dict(self.headers)))
                answer(self)

            do_POST = do_GET  # noqa: N815

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Say nothing."""

        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that leave: some of the tests do."""


@contextmanager
def serving(
    answer: Answer, *, prepare: Callable[[StandIn], None] | None = None
) -> Iterator[StandIn]:
    """Serve at a free port of 127.0.0.1 while the block runs."""
    server = StandIn(answer)
    if prepare is not None:
        prepare(server)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def send(
    handler: BaseHTTPRequestHandler, content: bytes, *, status: int = 200, **headers: str
) -> None:
    """Answer with a status, headers (underscores for dashes) and bytes."""
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)
