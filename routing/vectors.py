"""Vectors, made once a text and encoder, when a version is published."""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice

import numpy as np

from routing.models import Vector
from routing.selection import Encoder

# A batch keeps the encoder's matrices in cache; it also bounds the variables of one SQL query.
BATCH = 64
_SQL_BATCH = 500

Progress = Callable[[int, int], object]
"""Is told how many of how many vectors there are, after every batch."""


def ensure_vectors(
    *, texts: Mapping[str, str], encoder: Encoder | None, progress: Progress | None = None
) -> dict[str, np.ndarray]:
    """Return the vectors of texts, making and keeping those that are missing.

    ``texts`` maps a text's SHA-256 to the text; the vectors are float32, by the same hash. Without
    an encoder there are none. Every batch is kept once it is made: whoever is interrupted goes on
    where they were. Raises what the encoder raises.
    """
    if encoder is None:
        return {}
    vectors = stored_vectors(hashes=texts, encoder_name=encoder.name)
    # Alike in length, texts of a batch waste little of the encoder's padding.
    missing = sorted((digest for digest in texts if digest not in vectors), key=_length_in(texts))
    waiting = iter(missing)
    while batch := list(islice(waiting, BATCH)):
        made = np.asarray(encoder.encode([texts[digest] for digest in batch]), dtype="<f4")
        vectors.update(zip(batch, made, strict=True))
        Vector.objects.bulk_create(
            (
                Vector(encoder=encoder.name, sha256=digest, values=vectors[digest].tobytes())
                for digest in batch
            ),
            ignore_conflicts=True,  # another process may have made the same one
        )
        if progress is not None:
            progress(len(vectors), len(texts))
    return vectors


def count_missing(*, texts: Mapping[str, str], encoder_name: str) -> int:
    """Return how many of some texts have no vector yet; 0 for the encoder ``none``."""
    if encoder_name == "none":
        return 0
    found = 0
    waiting = iter(texts)
    while batch := list(islice(waiting, _SQL_BATCH)):
        found += Vector.objects.filter(encoder=encoder_name, sha256__in=batch).count()
    return len(texts) - found


def stored_vectors(*, hashes: Iterable[str], encoder_name: str) -> dict[str, np.ndarray]:
    """Return those vectors that there are, by the hash of their text."""
    found: dict[str, np.ndarray] = {}
    waiting = iter(hashes)
    while batch := list(islice(waiting, _SQL_BATCH)):
        rows = Vector.objects.filter(encoder=encoder_name, sha256__in=batch)
        for digest, values in rows.values_list("sha256", "values"):
            found[digest] = np.frombuffer(bytes(values), dtype="<f4")
    return found


def _length_in(texts: Mapping[str, str]) -> Callable[[str], tuple[int, str]]:
    return lambda digest: (len(texts[digest]), digest)
