"""A stand-in for an embeddings endpoint: it answers over real HTTP, as providers do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from typing import Any

import numpy as np

from routing.encoding.registry import close_endpoints
from tests.routing.outgoing.servers import StandIn, send, serving

DIMENSIONS = 32


class Embeddings:
    """What the stand-in was asked, and the answers that it gives first, before good ones."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.failures: list[tuple[int, bytes, dict[str, str]]] = []
        self.change: Callable[[dict[str, Any]], Any] = lambda answer: answer

    @property
    def texts(self) -> list[str]:
        return [text for asked in self.asked for text in asked["input"]]

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        asked = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        self.asked.append(asked)
        self.keys.append(handler.headers.get("Authorization"))
        if handler.path != "/v1/embeddings":
            send(handler, b'{"error": {"message": "no such page"}}', status=404)
        elif self.failures:
            status, content, headers = self.failures.pop(0)
            send(handler, content, status=status, **headers)
        else:
            rows = [
                {"object": "embedding", "index": index, "embedding": words_vector(text)}
                for index, text in enumerate(asked["input"])
            ]
            # The order of the rows is nobody's promise: the index says whose a vector is.
            value = {"object": "list", "data": rows[::-1], "model": asked["model"]}
            send(handler, json.dumps(self.change(value)).encode(), Content_Type="application/json")


def words_vector(text: str) -> list[float]:
    """Return a vector that texts with the same words share, not of unit length."""
    vector = np.full(DIMENSIONS, 0.01)
    for word in text.lower().split():
        vector[sha256(word.encode()).digest()[0] % DIMENSIONS] += 1.0
    return [float(number) for number in vector]


@contextmanager
def embeddings(settings: Any) -> Iterator[tuple[Embeddings, StandIn]]:
    """Serve the stand-in, and set the settings that name it, while the block runs."""
    stand_in = Embeddings()
    with serving(stand_in.answer) as server:
        settings.OUTGOING_ALLOWED = [f"127.0.0.1:{server.port}"]
        settings.ENCODER = "openai:words"
        settings.EMBEDDINGS_URL = f"http://127.0.0.1:{server.port}/v1"
        settings.EMBEDDINGS_KEY = "secret"
        settings.EMBEDDINGS_DIMENSIONS = DIMENSIONS
        try:
            yield stand_in, server
        finally:
            close_endpoints()
