"""Vectors, made once a text and encoder, when a version is published."""

from collections.abc import Iterable, Mapping
from itertools import islice

import numpy as np

from routing.models import Vector
from routing.selection import Encoder

# A batch keeps the encoder's matrices in cache; it also bounds the variables of one SQL query.
BATCH = 64
_SQL_BATCH = 500


def ensure_vectors(*, texts: Mapping[str, str], encoder: Encoder) -> None:
    """Make the vectors that are missing; ``texts`` maps a text's SHA-256 to the text."""
    have = set(stored_vectors(hashes=texts, encoder_name=encoder.name))
    missing = iter([(digest, text) for digest, text in texts.items() if digest not in have])
    while batch := list(islice(missing, BATCH)):
        rows = encoder.encode([text for _, text in batch])
        Vector.objects.bulk_create(
            (
                Vector(
                    encoder=encoder.name,
                    sha256=digest,
                    values=np.asarray(row, dtype="<f4").tobytes(),
                )
                for (digest, _), row in zip(batch, rows, strict=True)
            ),
            ignore_conflicts=True,  # another process may have made the same one
        )


def stored_vectors(*, hashes: Iterable[str], encoder_name: str) -> dict[str, np.ndarray]:
    """Return the vectors that exist, by the SHA-256 of their text, as float32."""
    found: dict[str, np.ndarray] = {}
    waiting = iter(hashes)
    while batch := list(islice(waiting, _SQL_BATCH)):
        rows = Vector.objects.filter(encoder=encoder_name, sha256__in=batch)
        for digest, values in rows.values_list("sha256", "values"):
            found[digest] = np.frombuffer(bytes(values), dtype="<f4")
    return found
