"""What comes back from a provider, and what is made of it: groups, a confidence, nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MOST_COUNTED = 1_000_000_000
"""Tokens beyond this are no count of one question's."""


class RouterFailure(Exception):
    """A model gave no answer that can be used. The message says why and quotes nobody.

    ``tokens_in`` and ``tokens_out`` are what it cost all the same. A failure ``counts`` against the
    model unless it says nothing about the next task.
    """

    def __init__(
        self, message: str, *, tokens_in: int = 0, tokens_out: int = 0, counts: bool = True
    ) -> None:
        super().__init__(message)
        self.tokens_in = tokens_in
        self.tokens_out = tokens_out
        self.counts = counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A provider's reply: the text of the model's answer, and what it used.

    ``ending`` is ``complete``, ``refused`` or ``cut_off``.
    """

    text: str
    ending: str
    tokens_in: int
    tokens_out: int


def told(text: object, ending: str, *, tokens_in: Sequence[object], tokens_out: object) -> Reply:
    """Return a reply of what an SDK read, which none of them checks; tokens in are added up.

    A count that is none is left out: the answer is good without. Raises ``TypeError`` for a text
    that is none.
    """
    if text is not None and not isinstance(text, str):
        raise TypeError("the model's answer is no text")
    return Reply(
        text=text or "",
        ending=ending,
        tokens_in=sum(map(_count, tokens_in)),
        tokens_out=_count(tokens_out),
    )


def _count(tokens: object) -> int:
    if isinstance(tokens, bool) or not isinstance(tokens, int):
        return 0
    return tokens if 0 <= tokens <= MOST_COUNTED else 0


@dataclass(frozen=True, slots=True)
class Understood:
    """The groups of an answer that stood to choose, each once, in the order named."""

    groups: tuple[str, ...]
    confidence: float
    unknown_groups: int


_ENDINGS = {"refused": "the model refused to answer", "cut_off": "the answer was cut off"}


def understood(reply: Reply, *, groups: Sequence[str]) -> Understood:
    """Return what a reply says. Groups that did not stand to choose are dropped and counted.

    A provider's promise to keep to a schema is not relied on. Raises ``RouterFailure`` for a
    refusal, an answer that was cut off, and one that is not of the shape asked for.
    """
    if reply.ending in _ENDINGS:
        raise _failure(_ENDINGS[reply.ending], reply, counts=reply.ending != "refused")
    try:
        value = json.loads(reply.text)
    except (ValueError, RecursionError):
        value = None
    named, confidence = _parts(value)
    if named is None or confidence is None:
        raise _failure("the answer is not of the shape asked for", reply)
    known = tuple(name for name in dict.fromkeys(named) if name in groups)
    return Understood(
        groups=known,
        confidence=confidence,
        unknown_groups=len(set(named) - set(known)),
    )


def _parts(value: Any) -> tuple[list[str] | None, float | None]:
    """Return the names and the confidence of an answer, ``None`` for what is of another type."""
    if not isinstance(value, dict):
        return None, None
    named, confidence = value.get("groups"), value.get("confidence")
    if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
        return None, None
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        return named, None
    # Compared first: a whole number of any length is no float. NaN is between no two numbers.
    if not 0 <= confidence <= 1:
        return named, None
    return named, float(confidence)


def _failure(message: str, reply: Reply, *, counts: bool = True) -> RouterFailure:
    return RouterFailure(
        message, tokens_in=reply.tokens_in, tokens_out=reply.tokens_out, counts=counts
    )
