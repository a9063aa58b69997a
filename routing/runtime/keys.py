"""Idempotency keys: the same for the same call of the same answer in the same run."""

from __future__ import annotations

import hashlib
import json


def idempotency_key(*, run_id: str, step: int, call_id: str) -> str:
    """Return 64 hexadecimal digits, whichever worker asks and however often.

    ``step`` counts the model's answers in the run: some servers number the calls of each answer
    from zero.
    """
    parts = json.dumps([run_id, step, call_id], separators=(",", ":"))
    return hashlib.sha256(parts.encode()).hexdigest()
