"""One call of a model, from its proposal to what the model is told: the loop nobody should write.

The steps propose, execute, record and, where the record says so, try again under the same key.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from routing.runtime.asking import pause
from routing.runtime.core import Core
from routing.runtime.effects import Ended, Execute, Sleep, Steps
from routing.runtime.errors import (
    ApiProblem,
    Conflict,
    NotRecorded,
    Overloaded,
    Unreachable,
)
from routing.runtime.handlers import Handlers, SimulatedTools
from routing.runtime.messages import own_words, with_id
from routing.runtime.outcomes import outcome_of
from routing.runtime.values import (
    ALLOWED,
    FATAL,
    NEEDS_APPROVAL,
    REFUSED,
    RETRYABLE,
    Call,
    Decision,
    ModelCall,
    Observation,
    Outcome,
)

logger = logging.getLogger("routing.runtime")
MOST_REASON = 2000
"""Characters of a reason that the API takes."""
SHORTEST_POLL = 0.1
UNREADABLE = frozenset({400, 413, 422})
# The API's words for these reasons are for whoever holds the approval's id, which no model sees.
_TOLD = {
    NEEDS_APPROVAL: "A person has to approve this call, and has not yet. Do not repeat it.",
    "approval_expired": "The approval of this call has expired. Calling again asks for another.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """What the calls of one selection have in common.

    ``approval_wait`` is how many seconds a call waits for a person, looking every ``poll`` seconds;
    ``longest_pause`` is the most seconds between two attempts.
    """

    core: Core
    handlers: Handlers
    run_id: str
    selection_id: str
    format: str
    approval_wait: float = 0.0
    poll: float = 2.0
    longest_pause: float = 30.0

    def settle(self, call: ModelCall, *, idempotency_key: str) -> Steps[Observation]:
        """Propose a call, execute it if it may be made, and return what the model is told of it.

        Raises ``ApiProblem``, ``Unreachable``, ``Overloaded`` and ``NotRecorded``.
        """
        if call.arguments is None:
            return self._refused(call, "invalid_arguments", "The arguments are no JSON object.")
        approval_id: str | None = None
        waited, tries, executed = 0.0, 0, False
        while True:
            try:
                decision = yield from self.core.propose(
                    selection_id=self.selection_id,
                    tool=call.name,
                    arguments=call.arguments,
                    idempotency_key=idempotency_key,
                    approval_id=approval_id,
                )
            except ApiProblem as error:
                if error.status not in UNREADABLE:
                    raise
                # What a model writes can be what no server takes; the model shall mend it.
                return self._refused(call, "invalid_arguments", str(error))
            if decision.decision == NEEDS_APPROVAL and waited < self.approval_wait:
                waited += yield from self._await_person(decision, left=self.approval_wait - waited)
                approval_id = decision.approval_id
                continue
            if decision.result is not None:
                return self._observed(call, decision, decision.result, executed=executed)
            if decision.decision != ALLOWED:
                return self._turned_down(call, decision, executed=executed)
            recorded, wish = yield from self._attempt(decision, idempotency_key=idempotency_key)
            executed = True
            if recorded is None:
                continue  # another attempt was granted meanwhile, or is once this lease ends
            tries += 1
            if recorded["status"] != RETRYABLE or not _may_try_again(decision):
                return self._observed(call, decision, recorded, executed=True)
            yield Sleep(self._pause(wish, tries))

    def _attempt(
        self, decision: Decision, *, idempotency_key: str
    ) -> Steps[tuple[Mapping[str, Any] | None, int | None]]:
        """Make an attempt; return what is on record of it, and the milliseconds to wait then."""
        if isinstance(self.handlers, SimulatedTools):
            answer = yield from self.core.simulate(
                call_id=decision.id, attempt=decision.attempt or 1
            )
            told = answer["result"]
            return told, told.get("retry_after_ms") if told else None
        outcome = yield from self._execute(decision, idempotency_key=idempotency_key)
        return (yield from self._record(decision, outcome)), outcome.retry_after_ms

    def _execute(self, decision: Decision, *, idempotency_key: str) -> Steps[Outcome]:
        """Run the handler of an allowed call. When cancelled, that is recorded on the way out."""
        handler = self.handlers.find(decision.tool)
        if handler is None:
            logger.error("There is no handler for the tool %s", decision.tool)
            return Outcome(status=FATAL, reason="no_handler")
        timeout = _time_left(decision)
        call = Call(
            id=decision.id,
            tool=decision.tool,
            arguments=decision.arguments,
            idempotency_key=idempotency_key,
            approval_id=decision.approval_id,
            attempt=decision.attempt or 1,
            max_attempts=decision.max_attempts or 1,
            timeout=timeout,
            run_id=self.run_id,
            selection_id=self.selection_id,
        )
        try:
            ended: Ended = yield Execute(handler=handler, call=call, timeout=timeout)
        except GeneratorExit:
            raise
        except BaseException:
            yield from self._record_cancellation(decision)
            raise
        return outcome_of(ended, tool=decision.tool)

    def _record_cancellation(self, decision: Decision) -> Steps[None]:
        outcome = Outcome(status=RETRYABLE, reason="cancelled")
        core = replace(self.core, patience=0.0)
        try:
            yield from core.record(
                call_id=decision.id, attempt=decision.attempt or 1, outcome=outcome
            )
        except Exception:
            # Whoever cancels is not told of this: the lease ends by itself.
            logger.exception("A cancelled call of %s could not be recorded", decision.tool)

    def _record(self, decision: Decision, outcome: Outcome) -> Steps[Mapping[str, Any] | None]:
        """Record an outcome; ``None`` where the attempt is no longer the newest."""
        attempt = decision.attempt or 1
        try:
            return (
                yield from self.core.record(call_id=decision.id, attempt=attempt, outcome=outcome)
            )
        except Conflict:
            return None
        except (Unreachable, Overloaded) as error:
            raise NotRecorded(
                f"{decision.tool} ended with {outcome.status}, which could not be recorded.",
                outcome=outcome,
            ) from error
        except ApiProblem as error:
            if error.status not in UNREADABLE:
                raise
            logger.error("The result of %s was not taken: %s", decision.tool, error)
            refused = Outcome(
                status=FATAL, reason="result_not_taken", latency_ms=outcome.latency_ms
            )
            return (
                yield from self.core.record(call_id=decision.id, attempt=attempt, outcome=refused)
            )

    def _await_person(self, decision: Decision, *, left: float) -> Steps[float]:
        """Wait until a person has decided or the time is over; returns the seconds that it took."""
        waited = 0.0
        while waited < left:
            wait = min(max(self.poll, SHORTEST_POLL), left - waited)
            yield Sleep(wait)
            waited += wait
            try:
                record = yield from self.core.read_call(call_id=decision.id)
            except ApiProblem as error:
                if error.status != 403:
                    raise
                break  # the key may not read: proposing again asks the same
            if (record.get("approval") or {}).get("state") != "pending":
                break
        return waited

    def _pause(self, asked: int | None, tries: int) -> float:
        return min(pause(tries) if asked is None else asked / 1000, self.longest_pause)

    def _observed(
        self, call: ModelCall, decision: Decision, result: Mapping[str, Any], *, executed: bool
    ) -> Observation:
        return Observation(
            call=call,
            tool=decision.tool,
            status=result["status"],
            message=with_id(result["content"], call=call, format_name=self.format),
            id=decision.id,
            reason=result.get("reason"),
            data=result.get("data"),
            attempt=result.get("attempt"),
            approval_id=decision.approval_id,
            executed=executed,
        )

    def _turned_down(self, call: ModelCall, decision: Decision, *, executed: bool) -> Observation:
        value = {
            "status": decision.decision,
            "reason": decision.reason,
            "detail": _TOLD.get(decision.reason or "", decision.detail),
            "errors": list(decision.errors),
            "hint": decision.hint,
        }
        return Observation(
            call=call,
            tool=decision.tool,
            status=decision.decision,
            message=own_words(value, call=call, format_name=self.format, failed=True),
            id=decision.id,
            reason=decision.reason,
            detail=decision.detail,
            approval_id=decision.approval_id,
            executed=executed,
        )

    def _refused(self, call: ModelCall, reason: str, detail: str) -> Observation:
        value = {"status": REFUSED, "reason": reason, "detail": detail}
        return Observation(
            call=call,
            tool=call.name,
            status=REFUSED,
            message=own_words(value, call=call, format_name=self.format, failed=True),
            reason=reason,
            detail=detail,
        )


def _may_try_again(decision: Decision) -> bool:
    return (decision.attempt or 1) < (decision.max_attempts or 1)


def _time_left(decision: Decision) -> float | None:
    """Return the seconds that the lease leaves: it began before its answer was here."""
    if decision.timeout_ms is None:
        return None
    return max(decision.timeout_ms / 1000 - decision.seconds, 0.0)
