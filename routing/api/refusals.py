"""Turn whatever goes wrong into a problem document. Nothing else leaves the API, ever."""

import logging
from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from routing.admission import NoRoute, NotFound, RouteNotAllowed, RunConflict
from routing.api.problems import (
    FieldError,
    Problem,
    conflict,
    forbidden,
    invalid,
    malformed,
    not_found,
    overloaded,
    too_large,
    too_many,
)
from routing.limits import RateExceeded
from routing.references import MalformedReference
from routing.selection import (
    GroupNotAllowed,
    IllegalTransition,
    UnknownGroup,
    UnknownPhase,
    UnknownRoute,
)
from routing.services import MayNotTest, NoTask, RunExists, UnknownCase
from routing.services.binding import AttemptOut, KeyConflict
from routing.services.recording import ResultConflict
from routing.services.simulating import NoCase

logger = logging.getLogger(__name__)

# What the domain raises, and how the caller learns of it. The text of each is written for callers.
NAMED: dict[type[Exception], Callable[[str], Problem]] = {
    NotFound: not_found,
    RunConflict: conflict,
    RunExists: lambda text: conflict(f"This key already has a run “{text}”."),
    IllegalTransition: conflict,
    KeyConflict: conflict,
    ResultConflict: conflict,
    NoCase: conflict,
    RouteNotAllowed: forbidden,
    GroupNotAllowed: forbidden,
    MayNotTest: forbidden,
    UnknownCase: lambda text: invalid(FieldError("case_id", text)),
    UnknownPhase: lambda text: invalid(FieldError("phase", text)),
    UnknownRoute: lambda text: invalid(FieldError("route", text)),
    NoTask: lambda text: invalid(FieldError("task", text)),
    NoRoute: lambda text: invalid(FieldError("route", text)),
    UnknownGroup: lambda text: invalid(FieldError("group", text)),
    MalformedReference: lambda text: invalid(FieldError("catalog", text)),
}


def install(api: NinjaAPI) -> None:
    """Make an API answer every exception with a problem document."""

    def on(kind: type[Exception], handler: Callable[..., HttpResponse]) -> None:
        api.add_exception_handler(kind, handler)

    for kind in NAMED:
        on(kind, _on_named)
    on(AttemptOut, _on_attempt_out)
    on(RateExceeded, _on_rate_exceeded)
    for fault in (OperationalError, InterfaceError):
        on(fault, _on_no_database)
    on(Problem, lambda _request, problem: problem.response())
    on(HttpError, _on_http_error)
    on(ValidationError, _on_validation_error)
    on(RequestDataTooBig, _on_too_big)
    on(Http404, lambda _request, _error: not_found("There is nothing here.").response())
    on(Exception, _on_anything)


def unknown_address(_request: HttpRequest) -> HttpResponse:
    """Answer for every address under ``/api/`` that is none."""
    return not_found("There is nothing at this address. See /api/v1/docs.").response()


def _on_named(_request: HttpRequest, error: Exception) -> HttpResponse:
    return NAMED[type(error)](str(error)).response()


def _on_rate_exceeded(_request: HttpRequest, error: RateExceeded) -> HttpResponse:
    return too_many(str(error), retry_after=error.retry_after).response()


def _on_no_database(_request: HttpRequest, error: Exception) -> HttpResponse:
    """Answer where the database is locked, gone, or has no connection to give."""
    logger.error("The database does not answer", exc_info=error)
    return overloaded("The database does not answer just now; try again.").response()


def _on_attempt_out(_request: HttpRequest, error: AttemptOut) -> HttpResponse:
    return conflict(str(error), retry_after=error.seconds).response()


def _on_too_big(_request: HttpRequest, _error: Exception) -> HttpResponse:
    return too_large(settings.API_MAX_BODY_BYTES).response()


def _on_http_error(_request: HttpRequest, error: HttpError) -> HttpResponse:
    # ninja wraps what a parser raises.
    if isinstance(error.__cause__, Problem):
        return error.__cause__.response()
    if error.status_code == 400:
        return malformed("The body could not be read.").response()
    return Problem(error.status_code, "error", "Error", str(error)).response()


def _on_validation_error(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    return invalid(*(_field_error(item) for item in error.errors)).response()


def _field_error(item: dict[str, Any]) -> FieldError:
    # ninja's places begin with where the value stood (body, query, path) and the parameter's name.
    where, *place = item["loc"]
    if where == "body" and place:
        place = place[1:]
    return FieldError(place_of(place) or "body", str(item["msg"]).removeprefix("Value error, "))


def place_of(place: Sequence[str | int]) -> str:
    """Return a place as ``history[2].content``; the names of union branches are left out."""
    path = ""
    for step in place:
        if isinstance(step, int):
            path += f"[{step}]"
        elif step.isidentifier() and not step[:1].isupper() and step not in _BRANCHES:
            path += f".{step}" if path else step
    return path


_BRANCHES = {"str", "list"}


def _on_anything(_request: HttpRequest, error: Exception) -> HttpResponse:
    logger.error("The API failed", exc_info=error)
    return Problem(
        500, "internal", "Internal error", "Something went wrong here; it has been logged."
    ).response()
