"""A classifier as bytes: JSON with its arrays in base64, in one order, so that it has a hash.

Format 3: arrays are little-endian float16, row by row; counts and buckets are lists.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from routing.selection.classifier import Classifier, HeldOut, Sureness
from routing.selection.hashed_words import HashedWords
from routing.selection.mixing import Gate, Mixing
from routing.selection.stemming import LANGUAGES

FORMAT = 3
_ARRAYS = ("whitening", "weights", "centroids")


class UnknownFormat(ValueError):
    """The bytes are no classifier of a format that is known here."""


def to_bytes(classifier: Classifier) -> bytes:
    """Return the canonical bytes of a classifier; equal ones have equal bytes."""
    value: dict[str, Any] = {
        "format": FORMAT,
        "encoder": classifier.encoder,
        "tools": list(classifier.tools),
        "marks": list(classifier.marks),
        "counts": classifier.counts.tolist(),
        "words": _words_value(classifier.words) if classifier.words is not None else None,
        "mixing": asdict(classifier.mixing),
        "gate": asdict(classifier.gate) if classifier.gate is not None else None,
        "sureness": asdict(classifier.sureness),
        "held_out": asdict(classifier.held_out),
        "seed": classifier.seed,
    }
    for name in _ARRAYS:
        value[name] = _array_value(getattr(classifier, name))
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def from_bytes(content: bytes) -> Classifier:
    """Return the classifier of some bytes. Raises ``UnknownFormat``."""
    try:
        value = json.loads(content)
        if value["format"] != FORMAT:
            raise UnknownFormat(f"The format {value['format']!r} of a classifier is not known.")
        arrays = {name: _array(value[name]).astype(np.float32) for name in _ARRAYS}
        return Classifier(
            encoder=value["encoder"],
            tools=tuple(value["tools"]),
            marks=tuple(value["marks"]),
            counts=np.array(value["counts"], dtype=np.intp),
            words=_words(value["words"]) if value["words"] is not None else None,
            mixing=Mixing(**value["mixing"]),
            gate=Gate(**value["gate"]) if value["gate"] is not None else None,
            sureness=Sureness(**value["sureness"]),
            held_out=HeldOut(**value["held_out"]),
            seed=value["seed"],
            **arrays,
        )
    except UnknownFormat:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise UnknownFormat(f"These bytes are no classifier: {error}") from error


def sha256_of(classifier: Classifier) -> str:
    """Return the SHA-256 of a classifier's bytes, by which a release names it."""
    return hashlib.sha256(to_bytes(classifier)).hexdigest()


def _words_value(words: HashedWords) -> dict[str, Any]:
    return {
        "language": words.language,
        "known": words.known.tolist(),
        "rarity": _array_value(words.rarity),
        "unknown_rarity": words.unknown_rarity,
        "weights": _array_value(words.weights),
    }


def _words(value: dict[str, Any]) -> HashedWords:
    known = np.array(value["known"], dtype=np.intp)
    rarity, weights = _array(value["rarity"]), _array(value["weights"])
    if value["language"] not in LANGUAGES or not len(known) == len(rarity) == len(weights):
        raise ValueError("the words are of no known language, or do not fit together")
    return HashedWords(
        language=value["language"],
        known=known,
        rarity=rarity.astype(np.float32),
        unknown_rarity=float(value["unknown_rarity"]),
        weights=weights,
    )


def _array_value(array: npt.NDArray[np.floating]) -> dict[str, Any]:
    stored = np.ascontiguousarray(array, dtype="<f2")
    return {
        "shape": list(array.shape),
        "float16": base64.b64encode(stored.tobytes()).decode("ascii"),
    }


def _array(value: dict[str, Any]) -> npt.NDArray[np.float16]:
    content = base64.b64decode(value["float16"], validate=True)
    return np.frombuffer(content, dtype="<f2").reshape(value["shape"]).astype(np.float16)
