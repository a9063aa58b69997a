"""An encoder behind HTTP: what it sends, what it takes, and what it says of everything else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import numpy as np
import pytest

from routing.encoding import EmbeddingsEndpoint, EncoderFailed
from routing.encoding.endpoint import IN_A_JOB, ON_REQUEST, Patience, Rest, read_answer
from routing.outgoing import Allowed, outgoing_client
from tests.routing.encoding.servers import DIMENSIONS, Embeddings, embeddings, words_vector
from tests.routing.outgoing.servers import send, serving


class Made:
    """An endpoint's encoder, its stand-in, and the times that it slept."""

    def __init__(self, stand_in: Embeddings, port: int) -> None:
        self.stand_in = stand_in
        self.port = port
        self.slept: list[float] = []
        self.encoders: list[EmbeddingsEndpoint] = []
        self.now = 100.0

    def encoder(self, patience: Patience = IN_A_JOB, **more: Any) -> EmbeddingsEndpoint:
        encoder = EmbeddingsEndpoint(
            **{
                "name": "openai:words#32#0",
                "url": f"http://127.0.0.1:{self.port}/v1/",
                "model": "words",
                "key": "secret",
                "dimensions": DIMENSIONS,
                "shorten": False,
                "client": outgoing_client(allowed=Allowed.parse(["127.0.0.1"]), timeout=2),
                "patience": patience,
                "sleep": self.slept.append,
                "clock": lambda: self.now,
                **more,
            }
        )
        self.encoders.append(encoder)
        return encoder

    def close(self) -> None:
        for encoder in self.encoders:
            encoder.close()


@pytest.fixture
def made(settings: Any) -> Iterator[Made]:
    with embeddings(settings) as (stand_in, server):
        made = Made(stand_in, server.port)
        yield made
        made.close()


def test_vectors_come_back_in_order_at_unit_length_in_batches(made: Made) -> None:
    texts = [f"text {number} of many" for number in range(150)]
    encoder = made.encoder()
    vectors = encoder.encode(texts)
    assert vectors.shape == (150, DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    expected = np.array([words_vector(text) for text in texts])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.allclose(vectors, expected, atol=1e-6)
    assert [len(asked["input"]) for asked in made.stand_in.asked] == [64, 64, 22]
    assert {key for asked in made.stand_in.asked for key in asked} == {
        "model",
        "input",
        "encoding_format",
    }
    assert made.stand_in.asked[0]["encoding_format"] == "float"
    assert set(made.stand_in.keys) == {"Bearer secret"}
    assert encoder.legs == ((encoder.name, slice(0, DIMENSIONS)),)
    assert encoder.encode([]).shape == (0, DIMENSIONS)


def test_a_shorter_vector_is_asked_for_where_settings_say_so(made: Made) -> None:
    made.encoder(shorten=True, key="").encode(["a"])
    assert made.stand_in.asked[0]["dimensions"] == DIMENSIONS
    assert made.stand_in.keys == [None]


def test_a_text_is_sent_within_bounds_and_never_empty(made: Made) -> None:
    made.encoder().encode(["", "  ", "word " * 10_000])
    first, second, long = made.stand_in.texts
    assert first == second == "-"
    assert 7_000 < len(long) <= 8_000


def test_an_overrun_endpoint_is_asked_again_later_each_time(made: Made) -> None:
    made.stand_in.failures = [
        (429, b"slow down", {"Retry_After": "7"}),
        (500, b"", {}),
        (503, b"", {"Retry_After": "9999"}),
    ]
    assert made.encoder().encode(["a"]).shape == (1, DIMENSIONS)
    assert made.slept == [7.0, 2.0, 30.0]


def test_it_gives_up_after_some_tries_and_says_what_it_was_told(made: Made) -> None:
    made.stand_in.failures = [(503, b'{"error": {"message": "model is loading"}}', {})] * 9
    with pytest.raises(EncoderFailed, match=r"503: model is loading$"):
        made.encoder().encode(["a"])
    assert len(made.stand_in.asked) == 6
    assert made.slept == [1.0, 2.0, 4.0, 8.0, 16.0]


def test_a_refusal_is_not_asked_again(made: Made) -> None:
    made.stand_in.failures = [(401, b'{"error": {"message": "bad key: secret"}}', {})] * 2
    with pytest.raises(EncoderFailed, match=r"401: bad key: …$") as caught:
        made.encoder().encode(["a"])
    assert len(made.stand_in.asked) == 1
    assert "secret" not in str(caught.value)


def test_what_an_endpoint_says_is_told_without_what_no_database_holds(made: Made) -> None:
    said = b'{"error": {"message": "bad\\u0000key \\ud800\\n\\u202eno"}}'
    made.stand_in.failures = [(400, said, {})]
    with pytest.raises(EncoderFailed, match=r"400: bad key no$"):
        made.encoder().encode(["a"])


def test_a_requests_failure_quotes_nothing_that_the_endpoint_wrote(made: Made) -> None:
    said = b'{"error": {"message": "too long: pay the bill of Ana; key secret"}}'
    made.stand_in.failures = [(400, said, {})]
    with pytest.raises(EncoderFailed) as caught:
        made.encoder(ON_REQUEST).encode(["pay the bill of Ana"])
    assert str(caught.value) == "The encoder's endpoint answered 400."


def _first(answer: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = answer["data"][0]
    return row


def _set(value: object) -> Callable[[dict[str, Any]], Any]:
    def change(answer: dict[str, Any]) -> dict[str, Any]:
        _first(answer)["embedding"] = value
        return answer

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda answer: [answer], "another shape"),
        (lambda answer: {"data": "x"}, "another shape"),
        (lambda answer: {"data": answer["data"][1:]}, "1 vectors for 2 texts"),
        (lambda answer: {"data": answer["data"] * 2}, "4 vectors for 2 texts"),
        (lambda answer: {"data": [_first(answer)] * 2}, "2 vectors for 2 texts"),
        (lambda answer: {"data": [{**_first(answer), "index": []}] * 2}, "2 vectors for 2 texts"),
        (lambda answer: {"data": [{**_first(answer), "index": {}}] * 2}, "2 vectors for 2 texts"),
        (_set([1.0] * (DIMENSIONS - 1)), r"31 numbers a vector; EMBEDDINGS_DIMENSIONS says 32"),
        (_set("AAAA"), "no list of numbers"),
        (_set([True] * DIMENSIONS), "no list of numbers"),
        (_set([0.0] * DIMENSIONS), "no direction"),
        (_set([float("nan")] * DIMENSIONS), "not finite"),
        (_set([float("inf")] + [0.0] * (DIMENSIONS - 1)), "not finite"),
        (_set([1e300] * DIMENSIONS), "not finite"),
    ],
)
def test_an_answer_that_cannot_be_used_is_refused(
    made: Made, change: Callable[[dict[str, Any]], Any], said: str
) -> None:
    made.stand_in.change = change
    with pytest.raises(EncoderFailed, match=said):
        made.encoder().encode(["a", "b"])


def test_something_else_than_json_is_refused() -> None:
    def page(handler: BaseHTTPRequestHandler) -> None:
        handler.rfile.read(int(handler.headers["Content-Length"]))
        send(handler, b"<html>")

    with serving(page) as server:
        made = Made(Embeddings(), server.port)
        with pytest.raises(EncoderFailed, match="no JSON"):
            made.encoder().encode(["a"])
        made.close()


def test_an_address_that_is_not_opened_is_refused_at_once(made: Made) -> None:
    client = outgoing_client(allowed=Allowed())
    with pytest.raises(EncoderFailed, match="OUTGOING_ALLOWED"):
        made.encoder(client=client).encode(["a"])
    assert made.slept == []


def test_a_request_asks_once_and_then_lets_the_endpoint_rest(made: Made) -> None:
    encoder = made.encoder(ON_REQUEST)
    made.stand_in.failures = [(500, b"", {})] * 4
    for _ in range(5):
        with pytest.raises(EncoderFailed):
            encoder.encode(["a"])
    assert len(made.stand_in.asked) == 3
    made.now += Rest.SECONDS
    with pytest.raises(EncoderFailed, match="500"):
        encoder.encode(["a"])
    with pytest.raises(EncoderFailed, match="in seconds"):
        encoder.encode(["a"])
    made.now += Rest.SECONDS
    assert encoder.encode(["a"]).shape == (1, DIMENSIONS)
    assert encoder.encode(["a"]).shape == (1, DIMENSIONS)
    assert made.slept == []


def test_a_silent_endpoint_holds_a_request_for_its_time_out_only() -> None:
    def silent(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(5)

    with serving(silent) as server:
        allowed = Allowed.parse(["127.0.0.1"])
        client = outgoing_client(allowed=allowed, timeout=0.2, total=0.2)
        made = Made(Embeddings(), server.port)
        encoder = made.encoder(ON_REQUEST, client=client)
        begun = time.monotonic()
        with pytest.raises(EncoderFailed, match="did not answer"):
            encoder.encode(["a"])
        assert time.monotonic() - begun < 4
        made.close()


def test_numbers_may_be_whole() -> None:
    answer = {"data": [{"index": 0, "embedding": [3, 4]}]}
    assert read_answer(answer, count=1, dimensions=2).tolist() == [pytest.approx([0.6, 0.8])]
