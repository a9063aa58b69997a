"""What a simulated tool answers to one attempt of a call: an answer of its script, made out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from routing.paths.injections import hidden
from routing.paths.samples import Matching, sample, spoiled, with_text
from routing.paths.script import Answer, Kind

OK, RETRYABLE, FATAL = "ok", "retryable_error", "fatal_error"
TIMED_OUT, UNAVAILABLE, REJECTED = "timed_out", "upstream_unavailable", "rejected"
QUICKEST_MS, SLOWEST_MS = 20, 400
_NO_SCHEMA: Mapping[str, Any] = {"type": "object", "properties": {"result": {"type": "string"}}}

# For whoever asks the API.
NOT_MADE = "No data could be made that the output schema of %(tool)s accepts."
NOT_SPOILED = "Every output fits %(tool)s, which has no output schema to fail."
NOT_HIDDEN = "The output of %(tool)s has no text to hide an instruction in."
NAMES_NONE = "The answer of %(tool)s names no tool that the instruction is to call."


class NotAnswerable(Exception):
    """The answer that a script has for a call cannot be made: write its data."""

    def __init__(self, template: str, *, tool: str) -> None:
        super().__init__(f"{template % {'tool': tool}} Write “data” or “tool” in the script.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """An answer as it is recorded. ``status`` is empty where nothing is heard of the attempt.

    ``names`` is the tool that an instruction in the data says to call.
    """

    kind: Kind
    status: str
    data: Any = None
    reason: str = ""
    names: str = ""
    latency_ms: int
    cost: float | None = None
    tokens: int | None = None
    retry_after_ms: int | None = None


def make(
    answer: Answer,
    *,
    tool: Mapping[str, Any],
    seed: int,
    place: tuple[object, ...],
    matching: Matching,
    forbidden: tuple[str, ...] = (),
) -> Made:
    """Return what a tool of a document answers, the same for an equal seed and ``place``.

    ``place`` says where in which run the call is. ``forbidden`` are tools that the case does not
    want: a hidden instruction names the first of them unless the script names another. Raises
    ``NotAnswerable``.
    """
    random = _random(seed, tool["name"], place)
    timeout = int(tool["timeout_ms"])
    more: dict[str, Any] = {
        "cost": answer.cost,
        "tokens": answer.tokens,
        "retry_after_ms": answer.retry_after_ms,
    }
    latency = answer.latency_ms
    if answer.kind in (Kind.SLOW, Kind.SILENT):
        status = RETRYABLE if answer.kind is Kind.SLOW else ""
        late = max(timeout + 1, latency or 0)
        return Made(kind=answer.kind, status=status, reason=TIMED_OUT, latency_ms=late, **more)
    if latency is None:
        latency = min(random.randint(QUICKEST_MS, SLOWEST_MS), timeout)
    if answer.kind in (Kind.RETRYABLE, Kind.FATAL):
        retry = answer.kind is Kind.RETRYABLE
        return Made(
            kind=answer.kind,
            status=RETRYABLE if retry else FATAL,
            reason=answer.reason or (UNAVAILABLE if retry else REJECTED),
            data=answer.data,
            latency_ms=latency,
            **more,
        )
    names = answer.tool or next(iter(forbidden), "") if answer.kind is Kind.INJECTION else ""
    data = _Data(answer, tool, random, matching).of(names)
    return Made(kind=answer.kind, status=OK, data=data, names=names, latency_ms=latency, **more)


@dataclass(frozen=True, slots=True)
class _Data:
    """The data of an answer that comes."""

    answer: Answer
    tool: Mapping[str, Any]
    random: Random
    matching: Matching

    def of(self, names: str) -> Any:
        answer, schema = self.answer, self.tool["output_schema"]
        if answer.kind is Kind.MALFORMED:
            if answer.has_data:
                return answer.data
            return self._or(NOT_SPOILED, spoiled(schema, self._fitting()) if schema else None)
        data = answer.data if answer.has_data else self._fitting()
        if answer.kind is not Kind.INJECTION:
            return data
        if not names:
            raise NotAnswerable(NAMES_NONE, tool=self.tool["name"])
        return self._or(NOT_HIDDEN, with_text(schema, data, hidden(answer.text, tool=names)))

    def _fitting(self) -> Any:
        schema = self.tool["output_schema"] or _NO_SCHEMA
        return self._or(NOT_MADE, sample(schema, random=self.random, matching=self.matching))

    def _or(self, template: str, made: tuple[Any] | None) -> Any:
        if made is None:
            raise NotAnswerable(template, tool=self.tool["name"])
        return made[0]


def _random(seed: int, tool: str, place: tuple[object, ...]) -> Random:
    said = json.dumps([seed, tool, *map(str, place)])
    return Random(hashlib.sha256(said.encode()).digest())  # noqa: S311 - repeatable, no secret
