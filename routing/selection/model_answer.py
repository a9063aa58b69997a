"""What a router model said about a task: an argument of a selection, and its record.

The selection core asks nobody. Whoever may do I/O asks the model, hands the answer over, and keeps
its record: with the record a selection is made again, and no model is needed for that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """The groups that a model chose, or the ``failure`` that left it without an answer.

    ``model`` is the setting's name of it (``anthropic:…``). ``confidence`` is the model's own word,
    0 to 1. ``groups`` are all of the release; how many names the model made up beside them is
    ``unknown_groups``, their text is not kept. ``cost`` is in USD, ``None`` where no price is set
    or no tokens were told: a question that was given up may be paid for all the same.
    """

    model: str
    groups: tuple[str, ...] = ()
    confidence: float = 0.0
    failure: str | None = None
    unknown_groups: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    latency_ms: int = 0

    def record(self) -> dict[str, object]:
        """Return the answer as a span keeps it and the API shows it."""
        return {
            "model": self.model,
            "groups": list(self.groups),
            "confidence": self.confidence,
            "failure": self.failure,
            "unknown_groups": self.unknown_groups,
            "tokens": {"input": self.tokens_in, "output": self.tokens_out},
            "cost": self.cost,
            "latency_ms": self.latency_ms,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> ModelAnswer:
        """Return the answer that a record was made of."""
        return cls(
            model=record["model"],
            groups=tuple(record["groups"]),
            confidence=record["confidence"],
            failure=record["failure"],
            unknown_groups=record["unknown_groups"],
            tokens_in=record["tokens"]["input"],
            tokens_out=record["tokens"]["output"],
            cost=record["cost"],
            latency_ms=record["latency_ms"],
        )
