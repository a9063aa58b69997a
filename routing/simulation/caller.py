"""The calls of one simulated run: proposed, approved by a person, carried out and recorded."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User

from routing.approvals import Undecidable, decide_approval
from routing.call_answers import CallAnswer, ResultAnswer
from routing.models import ApiKey, Approval, ToolCall
from routing.policy.output import UNTRUSTED
from routing.policy.rules import ToolRules
from routing.policy.types import Reason, Verdict
from routing.services.proposing import ProposedCall, propose_call
from routing.services.recording import SentResult, record_result
from routing.simulation.clock import Clock
from routing.simulation.fitting import Fitting, facts_of, said
from routing.simulation.manners import Fate, PlannedCall, Slip, Word
from routing.simulation.plan import PlannedRun

_PUT_RIGHT = {Reason.TOOL_UNKNOWN, Reason.MISSING_KEY, Reason.INVALID_ARGUMENTS}
_PASSING = ("upstream_timeout", "rate_limited", "upstream_unavailable")
_FINAL = ("not_found", "conflict", "rejected")
_PRICES = {"quote_freight": 0.004, "web_search": 0.005, "sql_query": 0.002}
"""USD that a call of a tool costs; the others cost nothing."""
_OUTAGE_CALLS = 8
_WAITS = 2
"""How often an agent waits for an open circuit before it gives up."""


@dataclass(slots=True)
class CallTally:
    """Proposals and results that were written."""

    proposals: int = 0
    results: int = 0


class Caller:
    """Makes the calls of one run on its clock. Where there is no ``approver`` nobody decides."""

    def __init__(
        self,
        run: PlannedRun,
        *,
        key: ApiKey,
        run_id: str,
        clock: Clock,
        approver: User | None,
        tally: CallTally,
    ) -> None:
        self._run = run
        self._key = key
        self._run_id = run_id
        self._clock = clock
        self._approver = approver
        self._tally = tally
        self._facts = facts_of(run.values)

    def make(self, call: PlannedCall, *, selection: UUID, tool: ToolRules, place: str) -> str:
        """See a call through; return why it came to nothing, or nothing.

        ``place`` says where in the run it stands: it is in the idempotency key.
        """
        errand = self._errand(call, selection, tool, f"{place}-{call.tool}", self._facts)
        self._think(errand)
        answer = self._propose_at_first(errand)
        if answer.decision == Verdict.NEEDS_APPROVAL:
            answer = self._hear_word(errand, answer)
        for _ in range(_WAITS):
            if answer.reason != Reason.CIRCUIT_OPEN:
                break
            self._clock.let_pass(timedelta(seconds=errand.random.randrange(32, 60)))
            answer = self._propose(errand)
        return self._see_through(errand, answer)

    def try_blindly(
        self, call: PlannedCall, *, selection: UUID, tool: ToolRules, place: str
    ) -> None:
        """Propose a call that will not be allowed, as agents do that know a tool by its name."""
        errand = self._errand(call, selection, tool, f"{place}-blind", dict(self._facts))
        self._think(errand)
        self._propose(errand)

    def suffer_outage(self, call: PlannedCall, *, selection: UUID, tool: ToolRules) -> None:
        """Call a tool that fails until its circuit opens, each time about something else."""
        for number in range(_OUTAGE_CALLS):
            other = replace(call, seed=call.seed + number)
            errand = self._errand(other, selection, tool, f"outage-{number}", {})
            answer = self._propose(errand)
            if answer.decision != Verdict.ALLOWED:
                break
            latency = errand.random.randrange(800, 3_000)
            self._clock.let_pass(timedelta(milliseconds=latency))
            self._record(answer, _failed(ToolCall.Status.RETRYABLE, _PASSING[2], latency))
            self._clock.let_pass(timedelta(seconds=1))
        self._clock.let_pass(timedelta(seconds=40))

    def _errand(
        self,
        call: PlannedCall,
        selection: UUID,
        tool: ToolRules,
        idempotency_key: str,
        facts: dict[str, Any],
    ) -> _Errand:
        random = Random(call.seed)  # noqa: S311 - repeatable, not unguessable
        run = self._run
        fitting = Fitting(random=random, language=run.language, when=run.begins, facts=facts)
        proposed = ProposedCall(
            tool=call.tool,
            arguments=fitting.value(tool.tool["input_schema"]),
            idempotency_key=idempotency_key,
        )
        return _Errand(call, selection, tool, random, fitting, proposed)

    def _think(self, errand: _Errand) -> None:
        self._clock.let_pass(timedelta(milliseconds=errand.random.randrange(1_200, 6_000)))

    def _propose(self, errand: _Errand, proposed: ProposedCall | None = None) -> CallAnswer:
        self._tally.proposals += 1
        return propose_call(
            key=self._key,
            selection_id=errand.selection,
            proposed=proposed or errand.proposed,
            now=self._clock.now,
        )

    def _propose_at_first(self, errand: _Errand) -> CallAnswer:
        """Propose a call with what the agent gets wrong, and again with that put right."""
        slipped = errand.slipped()
        answer = self._propose(errand, slipped)
        if slipped is errand.proposed:
            return answer
        if answer.reason in _PUT_RIGHT:
            self._think(errand)
            return self._propose(errand)
        errand.proposed = slipped  # it was no mistake
        return answer

    def _hear_word(self, errand: _Errand, answer: CallAnswer) -> CallAnswer:
        """Propose a call again once a person has said their word, or never will."""
        call = errand.call
        if call.word is Word.SILENCE or self._approver is None:
            self._clock.let_pass(timedelta(seconds=settings.APPROVAL_WAITS, minutes=20))
        else:
            self._clock.let_pass(call.decided_after)
            self._decide(self._approver, errand, Approval.objects.get(uid=str(answer.approval)))
            self._clock.let_pass(timedelta(seconds=errand.random.randrange(20, 300)))
        named = replace(errand.proposed, approval_id=answer.approval, names_approval=True)
        return self._propose(errand, named)

    def _decide(self, approver: User, errand: _Errand, approval: Approval) -> None:
        word = errand.call.word
        reason = said(f"word_{word}", language=self._run.language, random=errand.random)
        with suppress(Undecidable):  # it may have to be decided sooner than this person comes
            decide_approval(
                approval=approval,
                user=approver,
                approve=word is Word.YES,
                reason=reason,
                now=self._clock.now,
            )

    def _see_through(self, errand: _Errand, answer: CallAnswer) -> str:
        """Carry out an allowed call, a second time if the first attempt came to nothing."""
        fate, random, tool = errand.call.fate, errand.random, errand.tool
        while answer.decision == Verdict.ALLOWED:
            if answer.result is not None:
                return answer.result.reason or answer.result.status
            if fate is Fate.LOST:
                self._clock.let_pass(timedelta(milliseconds=tool.timeout_ms, seconds=5))
            else:
                latency = min(int(random.lognormvariate(6.2, 0.8)), tool.timeout_ms * 4 // 5)
                self._clock.let_pass(timedelta(milliseconds=latency))
                result = self._record(answer, self._sent(errand, fate, latency))
                if result.status == ToolCall.Status.OK:
                    return ""
                if result.status == ToolCall.Status.FATAL:
                    return result.reason or result.status
                self._clock.let_pass(timedelta(seconds=random.randrange(2, 9)))
            fate = Fate.DONE
            answer = self._propose(errand)
        return answer.reason

    def _sent(self, errand: _Errand, fate: Fate, latency: int) -> SentResult:
        if fate is Fate.RETRIED:
            reason = errand.random.choice(_PASSING)
            return _failed(ToolCall.Status.RETRYABLE, reason, latency)
        if fate is Fate.FATAL:
            return _failed(ToolCall.Status.FATAL, errand.random.choice(_FINAL), latency)
        data = errand.output(malformed=fate is Fate.MALFORMED)
        return SentResult(
            attempt=1,
            status=ToolCall.Status.OK,
            data=data,
            latency_ms=latency,
            cost=_PRICES.get(errand.tool.name),
            tokens=len(str(data)) // 4,
            evidence_ref=f"{self._run_id}/{errand.call.seed:x}" if errand.tool.needs_key else "",
        )

    def _record(self, answer: CallAnswer, sent: SentResult) -> ResultAnswer:
        self._tally.results += 1
        result, _ = record_result(
            key=self._key,
            call_id=answer.id,
            sent=replace(sent, attempt=answer.attempt or 1),
            most_bytes=settings.MAX_RESULT_BYTES,
            now=self._clock.now,
        )
        return result


@dataclass(slots=True)
class _Errand:
    """A call on its way: what is planned of it, and what is ``proposed``."""

    call: PlannedCall
    selection: UUID
    tool: ToolRules
    random: Random
    fitting: Fitting
    proposed: ProposedCall

    def slipped(self) -> ProposedCall:
        """Return the proposal as an agent gets it wrong at first; itself where it does not."""
        slip, name = self.call.slip, self.call.tool
        if slip is Slip.KEYLESS:
            return replace(self.proposed, idempotency_key=None)
        if slip is Slip.INVALID:
            schema, arguments = self.tool.tool["input_schema"], dict(self.proposed.arguments)
            return replace(self.proposed, arguments=self.fitting.spoiled(schema, arguments))
        if slip is Slip.MISNAMED:
            other = name.replace("_", "-") if "_" in name else f"{name}s"
            return replace(self.proposed, tool=other)
        return self.proposed

    def output(self, *, malformed: bool) -> Any:
        """Return what the tool returns; of a tool without an output schema, that it is done."""
        schema: Mapping[str, Any] | None = self.tool.tool["output_schema"]
        if schema is None:
            return {"done": True}
        data = self.fitting.value(schema)
        if malformed:
            return self.fitting.spoiled(schema, data) if isinstance(data, dict) else None
        if self.call.tainted and self.tool.output_trust == UNTRUSTED:
            return self.fitting.taint(data)
        return data


def _failed(status: str, reason: str, latency: int) -> SentResult:
    return SentResult(attempt=1, status=status, reason=reason, latency_ms=latency)
