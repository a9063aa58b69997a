"""Which encoder a name means, in this process and with its settings."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from routing.encoding.endpoint import (
    IN_A_JOB,
    ON_REQUEST,
    EmbeddingsEndpoint,
    EncoderFailed,
)
from routing.encoding.names import ENDPOINT, ReleaseEncoder, endpoint_key, endpoint_name
from routing.outgoing import Allowed, outgoing_client
from routing.selection import Encoder, UnknownEncoder
from routing.selection import load_encoder as load_shipped
from routing.selection.arrays import FloatArray
from routing.selection.encoders import Legs

# Seconds that a request waits for the vector of its task, and a job for those of a batch.
REQUEST_TIMEOUT = 2.0
JOB_TIMEOUT = 60.0
JOB_TOTAL = 180.0

_making = threading.Lock()


def load_encoder(name: str, *, patient: bool = False) -> Encoder | None:
    """Return the encoder of a full name, one a process; ``None`` for ``none``.

    ``patient`` is for jobs: an endpoint is then waited for and asked again. Raises
    ``UnknownEncoder``, also for an endpoint that the settings describe no more, and
    ``ImproperlyConfigured``.
    """
    if not name.startswith(ENDPOINT):
        return load_shipped(name)
    model, _, _ = name.removeprefix(ENDPOINT).partition("#")
    described = endpoint_name(
        url=settings.EMBEDDINGS_URL, model=model, dimensions=settings.EMBEDDINGS_DIMENSIONS
    )
    if name != described:
        raise UnknownEncoder(
            f"The vectors of {name} cannot be made: EMBEDDINGS_URL or EMBEDDINGS_DIMENSIONS "
            "describe another endpoint now."
        )
    described_by = _Described(
        name=name,
        model=model,
        url=settings.EMBEDDINGS_URL,
        key=endpoint_key(),
        dimensions=settings.EMBEDDINGS_DIMENSIONS,
        shorten=settings.EMBEDDINGS_SHORTEN,
        allowed=tuple(settings.OUTGOING_ALLOWED),
        patient=patient,
    )
    with _making:
        if described_by not in _endpoints:
            _endpoints[described_by] = _endpoint(described_by)
        return _endpoints[described_by]


@dataclass(frozen=True, slots=True)
class _Described:
    """Everything that an endpoint's encoder depends on."""

    name: str
    model: str
    url: str
    key: str
    dimensions: int
    shorten: bool
    allowed: tuple[str, ...]
    patient: bool


_endpoints: dict[_Described, EmbeddingsEndpoint] = {}


def _endpoint(by: _Described) -> EmbeddingsEndpoint:
    timeout, total = (JOB_TIMEOUT, JOB_TOTAL) if by.patient else (REQUEST_TIMEOUT, REQUEST_TIMEOUT)
    return EmbeddingsEndpoint(
        name=by.name,
        url=by.url,
        model=by.model,
        key=by.key,
        dimensions=by.dimensions,
        shorten=by.shorten,
        client=outgoing_client(allowed=Allowed.parse(by.allowed), timeout=timeout, total=total),
        patience=IN_A_JOB if by.patient else ON_REQUEST,
    )


def close_endpoints() -> None:
    """Close the connections of every endpoint, and forget them."""
    with _making:
        while _endpoints:
            _endpoints.popitem()[1].close()


class Missing:
    """Stands for an encoder that this process cannot have, and says why when it is asked.

    A release that names one still serves: its selections fall back to words, with the reason.
    """

    def __init__(self, *, name: str, why: str) -> None:
        self.name = name
        self._why = why
        self.legs: Legs = ((name, slice(0, 1)),)

    def dimensions(self) -> int:
        """Return the length of a vector; nobody knows it, and nothing is encoded."""
        return 1

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Raise ``EncoderFailed``."""
        if not texts:
            return np.zeros((0, 1), dtype=np.float32)
        raise EncoderFailed(self._why)

    def stand_ins(self, texts: Mapping[str, str]) -> dict[str, FloatArray]:
        """Return what a release is compiled with instead of vectors, by the texts' hashes.

        Those that are stored have a length that nobody knows. Nothing is compared with these: a
        task has no vector, and the selection says why.
        """
        return dict.fromkeys(texts, np.ones(1, dtype=np.float32))


@lru_cache(maxsize=8)
def _missing(name: str, why: str) -> Missing:
    return Missing(name=name, why=why)


def encoder_of_release(written: str) -> Encoder | None:
    """Return the encoder that a release names, or one that says why it cannot be had."""
    name = ReleaseEncoder.parse(written).encoder
    try:
        return load_encoder(name)
    except (UnknownEncoder, ImproperlyConfigured) as error:
        return _missing(name, str(error))
