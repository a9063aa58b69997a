"""``/runs``: what an agent did about one task."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from ninja import Router

from routing.api import bodies
from routing.api.auth import Bearer, KeyRequest, traceparent_of
from routing.api.problems import not_found
from routing.api.schemas.common import PROBLEMS, READING_PROBLEMS
from routing.api.schemas.runs import (
    OutcomeIn,
    OutcomeOut,
    PhaseIn,
    RunIn,
    RunOut,
    RunWithSpansOut,
)
from routing.api.schemas.selections import SelectionOut
from routing.api.spans import span_value
from routing.models import ApiKey
from routing.policy.budget import KINDS, lowest_ceilings
from routing.reading import RunPage, read_run
from routing.references import parse_reference
from routing.services import enter_phase, erase_text, record_outcome, start_run
from routing.texts.aging import words_are_erased

router = Router(tags=["runs"])


@router.post(
    "",
    auth=Bearer(ApiKey.Action.SELECT),
    response={201: RunOut} | PROBLEMS,
    summary="Begin a run",
)
def create_run(request: KeyRequest, body: RunIn) -> HttpResponse:
    """Begin a run beforehand, to narrow its route, phase and budget from the start."""
    run, release = start_run(
        key=request.auth,
        reference=parse_reference(body.catalog),
        now=timezone.now(),
        run_id=body.run_id,
        route=body.route,
        phase=body.phase,
        actor=body.actor or "",
        budget=body.budget.model_dump() if body.budget else {},
        case_id=body.case_id or "",
    )
    return bodies.json_response(
        bodies.dumps(run_value(RunPage(run, release), request.auth)), status=201
    )


@router.get(
    "/{run_id}",
    auth=Bearer(ApiKey.Action.READ),
    response={200: RunWithSpansOut} | READING_PROBLEMS,
    summary="Read a run with its spans",
)
def get_run(request: KeyRequest, run_id: str, after: int = 0) -> HttpResponse:
    """Return a run and its spans in order, 1,000 a page."""
    page = read_run(key=request.auth, run_id=_known(run_id), after=after)
    run = page.run
    value = run_value(page, request.auth) | {
        "started_at": bodies.timestamp(run.started_at),
        "source": run.source,
        "outcome": run.outcome or None,
        "stop_reason": run.stop_reason or None,
        "text_erased": words_are_erased(run, said_at=run.started_at),
        "spans": [span_value(span, page.release) for span in page.spans],
        "next": f"/api/v1/runs/{run_id}?after={page.next}" if page.next else None,
    }
    return bodies.json_response(bodies.dumps(value))


@router.post(
    "/{run_id}/outcome",
    auth=Bearer(ApiKey.Action.PROPOSE),
    response={201: OutcomeOut} | PROBLEMS,
    summary="Say how a run ended",
)
def create_outcome(request: KeyRequest, run_id: str, body: OutcomeIn) -> HttpResponse:
    """Record an outcome; it may come late, and a later one corrects an earlier one."""
    span = record_outcome(
        key=request.auth,
        run_id=_known(run_id),
        status=body.status.value,
        stop_reason=body.stop_reason or "",
        now=timezone.now(),
    )
    value = {
        "run_id": run_id,
        "status": span.status,
        "stop_reason": span.stop_reason or None,
        "time": bodies.timestamp(span.time),
    }
    return bodies.json_response(bodies.dumps(value), status=201)


@router.post(
    "/{run_id}/phase",
    auth=Bearer(ApiKey.Action.SELECT),
    response={201: SelectionOut} | PROBLEMS,
    summary="Go on in another phase",
)
def create_phase(request: KeyRequest, run_id: str, body: PhaseIn) -> HttpResponse:
    """Bring a run into a phase that its own leads to, and answer with the tools of that phase."""
    answer = enter_phase(
        key=request.auth,
        run_id=_known(run_id),
        phase=body.phase,
        format_name=body.format,
        now=timezone.now(),
        traceparent=traceparent_of(request),
    )
    return bodies.json_response(bodies.selection_body(answer, explain=False), status=201)


@router.delete(
    "/{run_id}/text",
    auth=Bearer(ApiKey.Action.SELECT),
    response={204: None} | READING_PROBLEMS,
    summary="Erase a run's text",
)
def delete_text(request: KeyRequest, run_id: str) -> HttpResponse:
    """Erase task, history, arguments and data of a run; none are kept from then on."""
    erase_text(key=request.auth, run_id=_known(run_id), now=timezone.now())
    return HttpResponse(status=204)


def _known(run_id: str) -> str:
    """Return an id that a run can have; a database would choke on U+0000."""
    if "\0" in run_id:
        raise not_found("There is no such run for this key.")
    return run_id


def run_value(page: RunPage, key: ApiKey) -> dict[str, Any]:
    """Return a run as the API shows it: its ceilings are the lowest of its own, route and key."""
    run = page.run
    route = page.release.bounds(run.route or None).budget
    lowest = lowest_ceilings(run=run.budget, route=route, key=key.budget)
    ceilings = {kind: lowest[kind].most if kind in lowest else None for kind in KINDS}
    return {
        "run_id": run.run_id,
        "catalog": page.release.ref,
        "release": page.release.number,
        "route": run.route or None,
        "phase": run.phase or None,
        "actor": run.actor or None,
        "budget": ceilings,
        "narrowed": [kind for kind in KINDS if run.budget.get(kind) not in (None, ceilings[kind])],
        "case_id": run.case_id or None,
    }
