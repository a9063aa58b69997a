"""Vectors kept in a folder from one evaluation to the next, so that texts are encoded once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from routing.selection import content_hash
from routing.selection.arrays import FloatArray


class VectorFile:
    """One file of an encoder's vectors, by the hash of the text; a broken one counts as empty."""

    def __init__(self, folder: Path, *, name: str, encoder: str) -> None:
        # The name of an endpoint's encoder may hold what no file name may.
        spelled = "".join(mark if mark.isalnum() or mark in "+-_" else "-" for mark in encoder)
        self._path = folder / f"{name}.{spelled}.npz"
        self._vectors: dict[str, FloatArray] = {}
        if self._path.exists():
            try:
                # Opened here: numpy leaves a file open that it cannot read.
                with self._path.open("rb") as opened, np.load(opened, allow_pickle=False) as kept:
                    hashes = kept["hashes"].tolist()
                    self._vectors = dict(zip(hashes, kept["vectors"], strict=True))
            except (BadZipFile, KeyError, ValueError, OSError, EOFError):
                self._vectors = {}

    def get(self, texts: Iterable[str]) -> dict[str, FloatArray]:
        """Return the vectors of those texts that have one."""
        hashes = {text: content_hash(text) for text in texts}
        return {
            text: self._vectors[digest]
            for text, digest in hashes.items()
            if digest in self._vectors
        }

    def put(self, vectors: Mapping[str, FloatArray]) -> None:
        """Keep vectors; the file is replaced whole, so that no reader sees half of one."""
        if not vectors:
            return
        self._vectors |= {content_hash(text): vector for text, vector in vectors.items()}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        written = self._path.with_suffix(".part.npz")
        np.savez(
            written,
            hashes=np.array(list(self._vectors)),
            vectors=np.stack(list(self._vectors.values())),
        )
        written.replace(self._path)
