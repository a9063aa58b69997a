"""Canonical bytes: equal content has equal bytes, and so an equal hash.

UTF-8 JSON, keys sorted by code point, no spaces, no escapes beyond JSON's own, lists in catalog
order, integers exact. The standard library does this; RFC 8785 libraries refuse the 64-bit bounds
that OpenAPI schemas are full of.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def canonical_bytes(value: object) -> bytes:
    """Return the canonical bytes of a JSON value.

    Raises ``ValueError`` for what JSON cannot carry: NaN, the infinities and lone surrogates.
    """
    text = json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )
    return text.encode("utf-8")


def parse(document: bytes) -> dict[str, Any]:
    """Return the value of a document's bytes."""
    value = json.loads(document)
    if not isinstance(value, Mapping):
        raise ValueError("A document is a JSON object.")
    return dict(value)


def sha256_hex(document: bytes) -> str:
    """Return the hash that names a document's content."""
    return hashlib.sha256(document).hexdigest()
