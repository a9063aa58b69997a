"""What the core asks of whoever drives it. The core itself does no I/O and waits for nothing.

Its functions are generators: each yields an effect and is sent what came of it, so that the same
logic serves agents that block and agents that await.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from routing.runtime.handlers import Handler
from routing.runtime.values import Call

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """Send a request; comes to a ``Reply`` or raises ``Unreachable``.

    ``path`` is what follows ``/api/v1``. ``needs`` are fields without which an answer is none of
    Toolcrib's. ``repeatable`` tells that sending it twice does no harm, ``to_the_end`` that it is
    finished before a cancellation is heeded.
    """

    method: str
    path: str
    needs: Sequence[str]
    body: Mapping[str, Any] | None = None
    repeatable: bool = True
    to_the_end: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back; names of headers are in small letters, ``seconds`` is how long it took."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Sleep:
    """Wait for some seconds."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Execute:
    """Run a handler for at most ``timeout`` seconds; comes to an ``Ended``."""

    handler: Handler
    call: Call
    timeout: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a handler ended: with a value, with an exception, or not in time."""

    value: Any = None
    error: Exception | None = None
    timed_out: bool = False
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Together:
    """Do several things, at once where the driver can; comes to the list of what they return."""

    several: Sequence[Steps[Any]]


Effect: TypeAlias = Send | Sleep | Execute | Together
Steps: TypeAlias = Generator[Effect, Any, T]
