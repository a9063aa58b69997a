"""An encoder behind HTTP, of the shape of OpenAI's embeddings (Ollama, vLLM, LM Studio and others).

``POST {url}/embeddings`` with ``{"model", "input": [text], "encoding_format": "float"}`` answers
``{"data": [{"index", "embedding": [number]}]}``.
"""

import json
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx2
import numpy as np

from routing.outgoing import OutgoingRefused, ResponseTooLarge
from routing.selection.arrays import FloatArray
from routing.selection.encoders import Legs

BATCH = 64
MOST_CHARACTERS = 8_000
"""Characters that are sent of a text: some 2,000 to 8,000 tokens, which is what models read."""
LONGEST_WAIT = 30.0


class EncoderFailed(RuntimeError):
    """The endpoint gave no vectors, or none that can be used."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How often an encoder asks, and how long it waits between two tries, in seconds.

    ``quotes`` tells whether a failure is told in the endpoint's own words.
    """

    attempts: int
    wait: float
    fails_fast: bool
    quotes: bool


# A request waits for a task's vector; a job waits for a model that is loaded first, or overrun.
# Endpoints quote texts and keys in their errors: a task's would outlive its erasure in the span.
ON_REQUEST = Patience(attempts=1, wait=0.0, fails_fast=True, quotes=False)
IN_A_JOB = Patience(attempts=6, wait=1.0, fails_fast=False, quotes=True)


class EmbeddingsEndpoint:
    """Vectors from an endpoint, brought to unit length."""

    def __init__(
        self,
        *,
        name: str,
        url: str,
        model: str,
        key: str,
        dimensions: int,
        shorten: bool,
        client: httpx2.Client,
        patience: Patience,
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.legs: Legs = ((name, slice(0, dimensions)),)
        self._url = f"{url.rstrip('/')}/embeddings"
        self._model = model
        self._key = key
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._dimensions = dimensions
        self._shorten = shorten
        self._client = client
        self._patience = patience
        self._sleep = sleep
        self._rest = Rest(clock=clock) if patience.fails_fast else None

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self._dimensions

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return one L2-normalised vector a text; raises ``EncoderFailed``."""
        parts = [
            self._vectors(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)
        ]
        empty = np.zeros((0, self._dimensions), dtype=np.float32)
        return np.concatenate([empty, *parts])

    def _vectors(self, texts: Sequence[str]) -> FloatArray:
        # Endpoints refuse an empty text.
        asked: dict[str, Any] = {
            "model": self._model,
            "input": [text[:MOST_CHARACTERS].strip() or "-" for text in texts],
            "encoding_format": "float",
        }
        if self._shorten:
            asked["dimensions"] = self._dimensions
        if self._rest is not None:
            self._rest.check()
        try:
            answer = self._answer(asked)
            made = read_answer(answer, count=len(texts), dimensions=self._dimensions)
        except EncoderFailed:
            if self._rest is not None:
                self._rest.failed()
            raise
        if self._rest is not None:
            self._rest.succeeded()
        return made

    def _answer(self, asked: dict[str, Any]) -> object:
        content = json.dumps(asked, ensure_ascii=True).encode()
        headers = {"Content-Type": "application/json", **self._headers}
        wait = self._patience.wait
        for attempt in range(self._patience.attempts):
            last = attempt + 1 == self._patience.attempts
            told = 0.0
            try:
                response = self._client.post(self._url, content=content, headers=headers)
            except (OutgoingRefused, ResponseTooLarge, httpx2.InvalidURL) as error:
                raise EncoderFailed(f"The encoder's endpoint: {error}") from error
            except httpx2.TransportError as error:
                said = (
                    f"The encoder's endpoint did not answer: {str(error) or type(error).__name__}"
                )
            else:
                if response.status_code == 200:
                    return _json(response.content)
                said = f"The encoder's endpoint answered {response.status_code}"
                said += f": {_reason(response, key=self._key)}" if self._patience.quotes else "."
                last = last or (response.status_code != 429 and response.status_code < 500)
                told = _seconds(response.headers.get("retry-after", ""))
            if last:
                break
            self._sleep(min(max(wait, told), LONGEST_WAIT))
            wait *= 2
        raise EncoderFailed(said)


class Rest:
    """Lets an endpoint that failed three times in a row rest for ten seconds, asking nothing.

    While it rests a request falls back to words at once, and does not wait for a time-out first.
    """

    MOST_FAILURES = 3
    SECONDS = 10.0

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._until = 0.0

    def check(self) -> None:
        """Raise ``EncoderFailed`` while the endpoint rests; then let one request try."""
        with self._lock:
            now = self._clock()
            if self._failures < self.MOST_FAILURES:
                return
            if now < self._until:
                raise EncoderFailed("The encoder's endpoint failed and is asked again in seconds.")
            self._until = now + self.SECONDS

    def failed(self) -> None:
        """Count a failure."""
        with self._lock:
            self._failures += 1
            self._until = self._clock() + self.SECONDS

    def succeeded(self) -> None:
        """Forget the failures."""
        with self._lock:
            self._failures = 0


def read_answer(answer: object, *, count: int, dimensions: int) -> FloatArray:
    """Return the vectors of an answer in the order asked for, at unit length.

    Raises ``EncoderFailed`` where one is missing, too many, of another length or not finite.
    """
    rows = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise EncoderFailed("The encoder's endpoint answered in another shape than embeddings.")
    by_index = {
        index: row.get("embedding") for row in rows if isinstance(index := row.get("index"), int)
    }
    if len(rows) != count or any(index not in by_index for index in range(count)):
        raise EncoderFailed(f"The encoder's endpoint sent {len(rows)} vectors for {count} texts.")
    vectors = np.zeros((count, dimensions), dtype=np.float64)
    for index in range(count):
        vectors[index] = _vector(by_index[index], dimensions=dimensions)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise EncoderFailed("The encoder's endpoint sent a vector that has no direction.")
    return np.asarray(vectors / lengths, dtype=np.float32)


def _vector(value: object, *, dimensions: int) -> list[float]:
    if not isinstance(value, list) or not all(
        isinstance(number, int | float) and not isinstance(number, bool) for number in value
    ):
        raise EncoderFailed("The encoder's endpoint sent a vector that is no list of numbers.")
    if len(value) != dimensions:
        raise EncoderFailed(
            f"The encoder's endpoint sent {len(value)} numbers a vector; "
            f"EMBEDDINGS_DIMENSIONS says {dimensions}."
        )
    if not all(-1e30 < number < 1e30 for number in value):
        raise EncoderFailed("The encoder's endpoint sent numbers that are not finite.")
    return [float(number) for number in value]


def _json(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise EncoderFailed("The encoder's endpoint answered something that is no JSON.") from error


def _reason(response: httpx2.Response, *, key: str) -> str:
    """Return what an error says, on one line; providers put it into ``error.message``.

    The key is not in it, nor anything that a database cannot hold: U+0000, halves of characters.
    """
    said = response.text
    try:
        error = json.loads(response.content)["error"]
        said = error["message"] if isinstance(error, dict) else error
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    said = str(said).replace(key, "…") if key else str(said)
    plain = "".join(mark if mark.isprintable() else " " for mark in said)
    return " ".join(plain.split())[:200] or "nothing"


def _seconds(written: str) -> float:
    """Return the seconds of a Retry-After; 0 for a date or nonsense."""
    try:
        seconds = float(written)
    except ValueError:
        return 0.0
    return seconds if math.isfinite(seconds) and seconds > 0 else 0.0
