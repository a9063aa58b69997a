"""``/selections/{id}/calls`` and ``/calls``: may this call be made, and what came of it?"""

from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone
from ninja import Router

from routing.api.auth import Bearer, KeyRequest, traceparent_of
from routing.api.bodies import dumps, json_response
from routing.api.call_bodies import call_value, record_value, result_value, simulation_value
from routing.api.problems import not_found
from routing.api.schemas.calls import (
    CallIn,
    CallOut,
    CallRecordOut,
    ResultIn,
    ResultOut,
    SimulationIn,
    SimulationOut,
)
from routing.api.schemas.common import PROBLEMS, READING_PROBLEMS
from routing.models import ApiKey
from routing.reading_calls import read_call
from routing.services.proposing import ProposedCall, propose_call
from routing.services.recording import SentResult, record_result
from routing.services.simulating import simulate_result

proposals = Router(tags=["calls"], auth=Bearer(ApiKey.Action.PROPOSE))
router = Router(tags=["calls"])


@proposals.post(
    "/{selection_id}/calls",
    response={200: CallOut, 201: CallOut} | PROBLEMS,
    summary="Propose a call",
)
def create_call(request: KeyRequest, selection_id: str, body: CallIn) -> HttpResponse:
    """Decide whether a call may be made. A refusal is an answer; 200 is a call that has ended."""
    answer = propose_call(
        key=request.auth,
        selection_id=_known(selection_id, "selection"),
        proposed=_proposed(request, body),
        now=timezone.now(),
    )
    return json_response(dumps(call_value(answer)), status=200 if answer.result else 201)


def _proposed(request: KeyRequest, body: CallIn) -> ProposedCall:
    return ProposedCall(
        tool=body.tool,
        arguments=body.arguments,
        idempotency_key=body.idempotency_key,
        approval_id=_uuid(body.approval_id or ""),
        names_approval=body.approval_id is not None,
        traceparent=traceparent_of(request),
    )


@router.get(
    "/{call_id}",
    auth=Bearer(ApiKey.Action.READ),
    response={200: CallRecordOut} | READING_PROBLEMS,
    summary="Read a call",
)
def get_call(request: KeyRequest, call_id: str) -> HttpResponse:
    """Return a call, its decision, how its approval stands, and its result."""
    record = read_call(key=request.auth, call_id=_known(call_id, "call"))
    return json_response(dumps(record_value(record, now=timezone.now())))


@router.post(
    "/{call_id}/results",
    auth=Bearer(ApiKey.Action.PROPOSE),
    response={200: ResultOut, 201: ResultOut} | PROBLEMS,
    summary="Record a result",
)
def create_result(request: KeyRequest, call_id: str, body: ResultIn) -> HttpResponse:
    """Record what came of an attempt; the same result sent again is answered with 200."""
    answer, new = record_result(
        key=request.auth,
        call_id=_known(call_id, "call"),
        sent=_sent(body),
        most_bytes=settings.MAX_RESULT_BYTES,
        now=timezone.now(),
    )
    return json_response(dumps(result_value(answer)), status=201 if new else 200)


@router.post(
    "/{call_id}/simulation",
    auth=Bearer(ApiKey.Action.PROPOSE),
    response={200: SimulationOut, 201: SimulationOut, 202: SimulationOut} | PROBLEMS,
    summary="Have a simulated tool answer",
)
def create_simulation(request: KeyRequest, call_id: str, body: SimulationIn) -> HttpResponse:
    """Answer an allowed call of a run that names a case as the case's script says, and record that.

    200 is an attempt that had ended, 202 one of which nothing will be heard. A run that names no
    case gets a 409.
    """
    answer = simulate_result(
        key=request.auth,
        call_id=_known(call_id, "call"),
        attempt=body.attempt,
        most_bytes=settings.MAX_RESULT_BYTES,
        now=timezone.now(),
    )
    status = 202 if answer.result is None else 201 if answer.new else 200
    return json_response(dumps(simulation_value(answer)), status=status)


def _sent(body: ResultIn) -> SentResult:
    return SentResult(
        attempt=body.attempt,
        status=body.status.value,
        data=body.data,
        reason=body.reason or "",
        evidence_ref=body.evidence_ref or "",
        latency_ms=body.latency_ms,
        cost=body.cost,
        tokens=body.tokens,
        retry_after_ms=body.retry_after_ms,
    )


def _known(text: str, what: str) -> UUID:
    known = _uuid(text)
    if known is None:
        raise not_found(f"There is no such {what} for this key.")
    return known


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
