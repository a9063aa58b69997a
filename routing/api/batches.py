"""``/spans``: what agents that select in their own process tell afterwards."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from ninja import Router
from pydantic import ValidationError

from routing.api import bodies
from routing.api.auth import Bearer, KeyRequest
from routing.api.problems import FieldError
from routing.api.refusals import place_of
from routing.api.schemas.batches import (
    ExpandSpanIn,
    OutcomeSpanIn,
    RouteSpanIn,
    SpanIn,
    SpansIn,
    SpansOut,
    one_span,
)
from routing.api.schemas.common import PROBLEMS
from routing.models import ApiKey, Span
from routing.references import parse_reference
from routing.services.ingesting import ToldSpan, ingest_spans
from routing.spans import task_hash

router = Router(tags=["spans"], auth=Bearer(ApiKey.Action.INGEST))


@router.post(
    "", response={200: SpansOut, 201: SpansOut} | PROBLEMS, summary="Tell of selections afterwards"
)
def create_spans(request: KeyRequest, body: SpansIn) -> HttpResponse:
    """Store spans of agents that select in-process; each is taken or refused for itself."""
    told: dict[int, ToldSpan] = {}
    refused: dict[int, list[FieldError]] = {}
    for index, span in enumerate(body.spans):
        try:
            told[index] = _told(one_span.validate_python(span))
        except ValidationError as error:
            refused[index] = _errors(error)
    done = ingest_spans(
        key=request.auth,
        reference=parse_reference(body.catalog),
        told=list(told.values()),
        now=timezone.now(),
    )
    places = list(told)
    for place, why in done.refused:
        refused[places[place]] = [FieldError(why.path, str(why))]
    value = {
        "taken": list(map(str, done.taken)),
        "known": list(map(str, done.known)),
        "refused": [
            {
                "index": index,
                "errors": [{"path": one.path, "message": one.message} for one in refused[index]],
            }
            for index in sorted(refused)
        ],
    }
    return bodies.json_response(bodies.dumps(value), status=201 if done.taken else 200)


def _errors(error: ValidationError) -> list[FieldError]:
    # The first step is the branch of the union, where one was found.
    names = {name.value for name in Span.Name}
    found = []
    for one in error.errors(include_url=False, include_input=False):
        place = [step for step in one["loc"] if step not in names]
        path = place_of(place) or ("name" if "union_tag" in one["type"] else "body")
        found.append(FieldError(path, one["msg"].removeprefix("Value error, ")))
    return found


def _told(span: SpanIn) -> ToldSpan:
    common: dict[str, Any] = {
        "uid": span.id,
        "name": Span.Name(span.name),
        "run_id": span.run_id,
        "time": span.time,
        "release": span.release,
        "route": span.route,
        "phase": span.phase,
    }
    if isinstance(span, RouteSpanIn):
        return _selection(span, common)
    if isinstance(span, ExpandSpanIn):
        return _expansion(span, common)
    return _outcome(span, common)


def _selection(span: RouteSpanIn, common: dict[str, Any]) -> ToldSpan:
    return ToldSpan(
        **common,
        groups=span.groups,
        offered=span.offered,
        near_misses=[(miss.tool, miss.score, miss.reason) for miss in span.near_misses],
        tokens_selected=span.tokens_selected,
        tokens_catalog=span.tokens_catalog,
        columns={
            "proposed_groups": span.proposed_groups,
            "confidence": span.confidence,
            "confidence_source": span.confidence_source.value,
            "strategy": span.strategy.value,
            "decided_by": span.decided_by.value,
            "fallback": span.fallback.value if span.fallback else "",
            "failure": span.failure or "",
            "omitted_counts": span.omitted_counts,
            "latency_us": span.latency_us,
            "channel": span.channel or "",
            "max_tools": span.max_tools,
            "inclusive": span.inclusive,
            "explored": span.explored,
            "switched_off": span.switched_off,
            "traceparent": span.traceparent or "",
            "task_hash": task_hash(span.task) if span.task else "",
        },
        words={"task": span.task, "history": span.history} if span.task else None,
    )


def _expansion(span: ExpandSpanIn, common: dict[str, Any]) -> ToldSpan:
    return ToldSpan(
        **common,
        selection=span.selection,
        group=span.group,
        groups=span.groups,
        offered=span.offered,
        tokens_selected=span.tokens_selected,
        words={"reason": span.reason} if span.reason else None,
    )


def _outcome(span: OutcomeSpanIn, common: dict[str, Any]) -> ToldSpan:
    return ToldSpan(
        **common,
        selection=span.selection,
        columns={"status": span.status.value, "stop_reason": span.stop_reason or ""},
    )
