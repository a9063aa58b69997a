"""The runtime for Python agents: propose, execute, record.

It needs httpx (``httpx2`` or ``httpx``) and nothing else: no Django, and nothing of the rest of
this project. Begin with ``Toolcrib`` or ``AsyncToolcrib`` and ``Handlers``; docs/runtime.md tells
more.
"""

from routing.runtime.awaiting import AsyncSession, AsyncToolcrib
from routing.runtime.blocking import Session, Toolcrib
from routing.runtime.errors import (
    ApiProblem,
    Conflict,
    FatalError,
    Forbidden,
    Invalid,
    NotFound,
    NotRecorded,
    Overloaded,
    RetryableError,
    StillRunning,
    ToolcribError,
    Unauthorized,
    Unreachable,
)
from routing.runtime.handlers import Handlers, SimulatedTools
from routing.runtime.keys import idempotency_key
from routing.runtime.values import (
    Call,
    Decision,
    Expansion,
    ModelCall,
    Observation,
    Outcome,
    Result,
    Selection,
    Turn,
)

__all__ = [
    "ApiProblem",
    "AsyncSession",
    "AsyncToolcrib",
    "Call",
    "Conflict",
    "Decision",
    "Expansion",
    "FatalError",
    "Forbidden",
    "Handlers",
    "Invalid",
    "ModelCall",
    "NotFound",
    "NotRecorded",
    "Observation",
    "Outcome",
    "Overloaded",
    "Result",
    "RetryableError",
    "Selection",
    "Session",
    "SimulatedTools",
    "StillRunning",
    "Toolcrib",
    "ToolcribError",
    "Turn",
    "Unauthorized",
    "Unreachable",
    "idempotency_key",
]
