"""Vectors, made once a text and encoder, when a version is published."""

from collections.abc import Iterable, Mapping
from itertools import islice

import numpy as np

from routing.models import Vector
from routing.selection import Encoder

# A batch keeps the encoder's matrices in cache; it also bounds the variables of one SQL query.
BATCH = 64
_SQL_BATCH = 500


def ensure_vectors(*, texts: Mapping[str, str], encoder: Encoder | None) -> dict[str, np.ndarray]:
    """Return the vectors of texts, making and keeping those that are missing.

    ``texts`` maps a text's SHA-256 to the text; the vectors are float32, by the same hash. Without
    an encoder there are none.
    """
    if encoder is None:
        return {}
    vectors = _stored(hashes=texts, encoder_name=encoder.name)
    missing = iter([digest for digest in texts if digest not in vectors])
    while batch := list(islice(missing, BATCH)):
        made = np.asarray(encoder.encode([texts[digest] for digest in batch]), dtype="<f4")
        vectors.update(zip(batch, made, strict=True))
        Vector.objects.bulk_create(
            (
                Vector(encoder=encoder.name, sha256=digest, values=vectors[digest].tobytes())
                for digest in batch
            ),
            ignore_conflicts=True,  # another process may have made the same one
        )
    return vectors


def _stored(*, hashes: Iterable[str], encoder_name: str) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    waiting = iter(hashes)
    while batch := list(islice(waiting, _SQL_BATCH)):
        rows = Vector.objects.filter(encoder=encoder_name, sha256__in=batch)
        for digest, values in rows.values_list("sha256", "values"):
            found[digest] = np.frombuffer(bytes(values), dtype="<f4")
    return found
