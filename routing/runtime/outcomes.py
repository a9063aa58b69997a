"""How an attempt is recorded whose handler ended in some way."""

from __future__ import annotations

import json
import logging
from typing import Any

from routing.runtime.effects import Ended
from routing.runtime.errors import FatalError, RetryableError
from routing.runtime.values import FATAL, OK, RETRYABLE, Outcome, Result
from routing.runtime.web import is_transport_error

logger = logging.getLogger("routing.runtime")
MOST_REASON = 2000
"""Characters of a reason that the API takes."""


def outcome_of(ended: Ended, *, tool: str) -> Outcome:
    """Return how an attempt is recorded, whose handler ended in some way.

    An exception that says nothing of itself is final, and only its kind is told: its text may hold
    what neither a record nor a model should read.
    """
    latency = round(ended.seconds * 1000)
    error = ended.error
    if ended.timed_out:
        return Outcome(status=RETRYABLE, reason="timed_out", latency_ms=latency)
    if error is None:
        return _told(ended.value, tool=tool, latency_ms=latency)
    if isinstance(error, RetryableError):
        wait = None if error.retry_after is None else max(round(error.retry_after * 1000), 0)
        return Outcome(
            status=RETRYABLE,
            reason=error.reason[:MOST_REASON],
            latency_ms=latency,
            retry_after_ms=wait,
        )
    if isinstance(error, FatalError):
        return Outcome(status=FATAL, reason=error.reason[:MOST_REASON], latency_ms=latency)
    logger.error("The handler of %s failed", tool, exc_info=error)
    if isinstance(error, (ConnectionError, TimeoutError)) or is_transport_error(error):
        return Outcome(status=RETRYABLE, reason="connection_failed", latency_ms=latency)
    return Outcome(status=FATAL, reason="handler_failed", latency_ms=latency)


def _told(value: Any, *, tool: str, latency_ms: int) -> Outcome:
    result = value if isinstance(value, Result) else Result(data=value)
    try:
        json.dumps(result.data, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        logger.exception("What the handler of %s returned is no JSON", tool)
        return Outcome(status=FATAL, reason="not_json", latency_ms=latency_ms)
    return Outcome(
        status=OK,
        data=result.data,
        evidence_ref=result.evidence_ref,
        latency_ms=latency_ms,
        cost=result.cost,
        tokens=result.tokens,
    )
