"""Vectors for an evaluation: encoded in batches, over several processes, then only looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from routing.evaluation.cases import Case
from routing.evaluation.processes import Progress, each
from routing.selection import Encoder, load_encoder
from routing.selection.arrays import FloatArray
from routing.selection.encoders import Legs, legs_of
from routing.selection.reading import texts_read

BATCH = 32
"""Texts in one call of the encoder, alike in length. More gain nothing."""

Loading = Callable[[str], Encoder | None]


class NoEncoder(LookupError):
    """There is no encoder to encode a text with."""


class Prepared:
    """An encoder that was asked beforehand: it looks vectors up, and encodes only what is new."""

    def __init__(
        self, *, name: str, vectors: Mapping[str, FloatArray], loading: Loading = load_encoder
    ) -> None:
        self.name = name
        self._vectors = vectors
        self._loading = loading

    @property
    def legs(self) -> Legs:
        """Return which part of a vector each model made."""
        return legs_of(self.name, dimensions=self.dimensions())

    def dimensions(self) -> int:
        """Return the length of a vector."""
        for vector in self._vectors.values():
            return len(vector)
        return self._encoder().dimensions()

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return one vector a text, shape ``(len(texts), dimensions())``."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        made = dict(zip(missing, self._encoder().encode(missing), strict=True)) if missing else {}
        rows = [made[text] if text in made else self._vectors[text] for text in texts]
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), -1)

    def _encoder(self) -> Encoder:
        encoder = self._loading(self.name)
        if encoder is None:
            raise NoEncoder(f"The encoder {self.name!r} encodes nothing.")
        return encoder


def texts_of_cases(cases: Iterable[Case]) -> list[str]:
    """Return every text that an encoder reads of some cases, each once."""
    return list(
        dict.fromkeys(text for case in cases for text in texts_read(case.task, case.history))
    )


def encoded(
    texts: Sequence[str],
    *,
    encoder: str,
    processes: int,
    progress: Progress | None = None,
    loading: Loading = load_encoder,
) -> dict[str, FloatArray]:
    """Return the vectors of texts. The batches, and so the bits, are the same for any processes."""
    ordered = sorted(dict.fromkeys(texts), key=lambda text: (len(text), text))
    batches = [ordered[start : start + BATCH] for start in range(0, len(ordered), BATCH)]
    made = each(
        batches,
        work=_encode,
        prepare=loading,
        argument=encoder,
        processes=processes,
        progress=progress,
    )
    return {
        text: vector
        for batch, vectors in zip(batches, made, strict=True)
        for text, vector in zip(batch, vectors, strict=True)
    }


def _encode(encoder: Encoder | None, texts: list[str]) -> FloatArray:
    if encoder is None:
        raise NoEncoder("There is no encoder to encode with.")
    return encoder.encode(texts)
