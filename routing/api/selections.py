"""``/selections``: which tools to carry, and one group more."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router

from routing.api import bodies
from routing.api.auth import Bearer, KeyRequest, traceparent_of
from routing.api.problems import FieldError, invalid, not_found
from routing.api.schemas.common import PROBLEMS
from routing.api.schemas.selections import (
    ExpansionIn,
    ExpansionOut,
    ReselectionIn,
    SelectionIn,
    SelectionOut,
)
from routing.models import ApiKey
from routing.references import parse_reference
from routing.selection import Channel, Query, UnknownGroup
from routing.services import (
    Reselection,
    SelectionRequest,
    expand_group,
    reselect,
    select_tools,
)

router = Router(tags=["selections"], auth=Bearer(ApiKey.Action.SELECT))


@router.post("", response={201: SelectionOut} | PROBLEMS, summary="Choose the tools of a task")
def create_selection(request: KeyRequest, body: SelectionIn) -> HttpResponse:
    """Choose tools for a task and put the choice on record."""
    try:
        answer = select_tools(
            key=request.auth, request=_selection_request(request, body), now=timezone.now()
        )
    except UnknownGroup as error:
        raise invalid(FieldError("open_groups", str(error))) from error
    return bodies.json_response(bodies.selection_body(answer, explain=body.explain), status=201)


def _selection_request(request: HttpRequest, body: SelectionIn) -> SelectionRequest:
    return SelectionRequest(
        reference=parse_reference(body.catalog),
        query=Query(
            task=body.task,
            history=tuple(body.history_texts()),
            phase=body.phase,
            channel=Channel(body.channel.kind.value, body.channel.value) if body.channel else None,
            route=body.route,
            strategy=body.strategy,
            max_tools=body.max_tools,
            inclusive=body.inclusive,
            open_groups=tuple(body.open_groups),
        ),
        run_id=body.run_id,
        format=body.format,
        tool_search=body.tool_search,
        traceparent=traceparent_of(request),
    )


@router.post(
    "/{selection_id}/expansions",
    response={200: ExpansionOut, 201: ExpansionOut} | PROBLEMS,
    summary="Open one more group",
)
def create_expansion(request: KeyRequest, selection_id: str, body: ExpansionIn) -> HttpResponse:
    """Answer a call of ``request_group``: the group's tools follow what was offered before."""
    answer = expand_group(
        key=request.auth,
        selection_id=_uuid(selection_id),
        group=body.group,
        reason=body.reason or "",
        now=timezone.now(),
    )
    opened = answer.added or answer.loaded
    return bodies.json_response(bodies.expansion_body(answer), status=201 if opened else 200)


@router.post(
    "/{selection_id}/reselections",
    response={201: SelectionOut} | PROBLEMS,
    summary="Choose again, more broadly",
)
def create_reselection(request: KeyRequest, selection_id: str, body: ReselectionIn) -> HttpResponse:
    """Answer a call of a tool that was not offered: a new selection in the run, inclusive."""
    answer = reselect(
        key=request.auth,
        selection_id=_uuid(selection_id),
        asked=Reselection(
            tool=body.tool, task=body.task, history=body.history_texts(), phase=body.phase
        ),
        now=timezone.now(),
        traceparent=traceparent_of(request),
    )
    return bodies.json_response(bodies.selection_body(answer, explain=False), status=201)


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise not_found("There is no such selection for this key.") from error
