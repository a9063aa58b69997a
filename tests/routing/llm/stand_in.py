"""A stand-in for the providers, which speaks their wire format on a port of this machine."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Heard:
    """A request as it came in; names of headers in small letters."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(slots=True)
class Answering:
    """What the stand-in does with a request: wait, then send bytes, whole or a byte at a time."""

    status: int = 200
    content: bytes = b""
    content_type: str = "application/json"
    wait: float = 0.0
    drip: float = 0.0
    headers: Mapping[str, str] = field(default_factory=dict)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Let a client hang up."""


class StandIn:
    """A provider of the test's own. ``answer`` makes what comes next of a request's body."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.answer: Callable[[Heard], Answering] = lambda heard: Answering(status=500)
        self._stopped = threading.Event()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )

    @property
    def url(self) -> str:
        """Return the address, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def start(self) -> None:
        """Serve until stopped."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, also in the middle of an answer."""
        self._stopped.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def says(self, answering: Answering) -> None:
        """Answer everything alike."""
        self.answer = lambda heard: answering

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                body = json.loads(self.rfile.read(length))
                headers = {name.lower(): value for name, value in self.headers.items()}
                heard = Heard(path=self.path, headers=headers, body=body)
                stand_in.heard.append(heard)
                try:
                    self._send(stand_in.answer(heard))
                except OSError:
                    self.close_connection = True  # the client has hung up

            def _send(self, answering: Answering) -> None:
                stand_in._stopped.wait(answering.wait)
                self.send_response(answering.status)
                self.send_header("Content-Type", answering.content_type)
                self.send_header("Content-Length", str(len(answering.content)))
                for name, value in answering.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if not answering.drip:
                    self.wfile.write(answering.content)
                    return
                for place in range(len(answering.content)):
                    if stand_in._stopped.is_set():
                        return
                    self.wfile.write(answering.content[place : place + 1])
                    time.sleep(answering.drip)

            def log_message(self, *args: object) -> None:
                """Write nothing."""

        return Handler


def chat_completion(text: str | None, **more: Any) -> Answering:
    """Return a completion as ``POST /v1/chat/completions`` sends it."""
    choice: dict[str, Any] = {
        "index": 0,
        "message": {
            "role": "assistant",
            "content": text,
            "refusal": more.get("refusal"),
            "annotations": [],
        },
        "logprobs": None,
        "finish_reason": more.get("finish_reason", "stop"),
    }
    value = {
        "id": "chatcmpl-CkXo1",
        "object": "chat.completion",
        "created": 1793000000,
        "model": "small-2026-03-17",
        "choices": [choice],
        "usage": {
            "prompt_tokens": 412,
            "completion_tokens": 21,
            "total_tokens": 433,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0},
        },
        "service_tier": "default",
        "system_fingerprint": None,
    }
    return Answering(content=json.dumps(value).encode())


def message(text: str | None, **more: Any) -> Answering:
    """Return a message as ``POST /v1/messages`` sends it."""
    value = {
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
        "type": "message",
        "role": "assistant",
        "model": "small-20251001",
        "content": [] if text is None else [{"type": "text", "text": text}],
        "stop_reason": more.get("stop_reason", "end_turn"),
        "stop_sequence": None,
        "usage": {
            "input_tokens": 400,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 12,
            "output_tokens": 21,
            "service_tier": "standard",
        },
    }
    return Answering(content=json.dumps(value).encode())


def anthropic_error(status: int, kind: str, text: str) -> Answering:
    """Return an error as Anthropic sends it."""
    value = {"type": "error", "error": {"type": kind, "message": text}, "request_id": "req_1"}
    return Answering(status=status, content=json.dumps(value).encode())


def openai_error(status: int, kind: str, text: str) -> Answering:
    """Return an error as OpenAI sends it."""
    value = {"error": {"message": text, "type": kind, "param": None, "code": kind}}
    return Answering(status=status, content=json.dumps(value).encode())
