"""JSON as it goes over the wire."""

import json


def compact(value: object) -> bytes:
    """Return a value as compact UTF-8 JSON; keys keep their order."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
