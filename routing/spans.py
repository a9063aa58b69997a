"""Durable writes: a span is committed before its answer goes out."""

import hashlib
import hmac
import os
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.conf import settings

from routing.inserting import insert, insert_where
from routing.models import Run, Span, Text

_UNERASED_RUN = "routing_run WHERE id = %s AND text_erased_at IS NULL"


def new_uid(*, now: datetime) -> UUID:
    """Return a UUID of version 7 (RFC 9562, 5.7): milliseconds, then 74 random bits.

    Spans of one time lie together in the index.
    """
    milliseconds = int(now.timestamp() * 1000) & (1 << 48) - 1
    noise = int.from_bytes(os.urandom(10), "big")
    value = (
        milliseconds << 80 | 0x7 << 76 | (noise >> 68) << 64 | 0b10 << 62 | noise & (1 << 62) - 1
    )
    return UUID(int=value)


def hour_of(now: datetime) -> int:
    """Return the whole hours since 1970 UTC."""
    return int(now.timestamp()) // 3600


@cache
def _hash_key() -> bytes:
    return hashlib.sha256(b"toolcrib task hash" + settings.SECRET_KEY.encode()).digest()


def keyed_hash(words: str) -> str:
    """Return what stands for somebody's words where these may be erased; 64 hexadecimal digits.

    Equal words have an equal hash, and none can be guessed by hashing what they may have been.
    """
    return hmac.digest(_hash_key(), words.encode("utf-8"), "sha256").hex()


def task_hash(task: str) -> str:
    """Return a keyed hash of a task: equal tasks can be counted, none can be guessed."""
    return keyed_hash(task)[:32]


def write_span(
    *,
    run: Run,
    name: Span.Name,
    now: datetime,
    uid: UUID | None = None,
    words: dict[str, Any] | None = None,
    **fields: Any,
) -> Span:
    """Add a span to a run, and its words where they are kept (``None``: they are not).

    Once the text of a run is erased none is kept: the database decides, at the moment of writing.
    """
    span = Span(
        uid=uid or new_uid(now=now),
        name=name,
        run=run,
        catalog_id=run.catalog_id,
        key_id=run.key_id,
        release_id=run.release_id,
        time=now,
        hour=hour_of(now),
        **fields,
    )
    insert(span)
    if words is not None:
        text = Text(span=span, run=run, time=now, **words)
        insert_where(text, there_is=_UNERASED_RUN, values=[run.pk])
    return span
