"""One request, with the waiting that a busy server asks for."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from routing.runtime.effects import Reply, Send, Sleep, Steps
from routing.runtime.errors import Overloaded, Unreachable, problem

BUSY = frozenset({429, 503})
"""The server did nothing and says when to come again."""
GATEWAY = frozenset({502, 504})
"""Something before the server answered; whether the request got through is unknown."""
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 8.0


def ask(request: Send, *, patience: float) -> Steps[Reply]:
    """Return the reply to a request, waiting at most ``patience`` seconds between tries.

    Raises ``Overloaded`` and ``Unreachable``. A request that must not be sent twice is not sent
    again where it may have got through.
    """
    waited, tries = 0.0, 0
    while True:
        try:
            reply: Reply = yield request
        except Unreachable as error:
            if error.sent and not request.repeatable:
                raise
            given_up: Exception = error
            wait = pause(tries)
        else:
            if reply.status in GATEWAY and request.repeatable:
                wait = pause(tries)
                given_up = Unreachable(f"A gateway answered {reply.status}.", sent=True)
            elif reply.status in BUSY:
                wait = retry_after(reply) or pause(tries)
                given_up = Overloaded(
                    f"Toolcrib answered {reply.status}: come again in {wait:g} s.",
                    retry_after=wait,
                )
            else:
                _check(reply, request)
                return reply
        if waited + wait > patience:
            raise given_up
        yield Sleep(wait)
        waited += wait
        tries += 1


def _check(reply: Reply, request: Send) -> None:
    """Raise ``Unreachable`` where something else than Toolcrib said that all is well."""
    body = reply.body if isinstance(reply.body, dict) else {}
    if _is_success(reply) and not body.keys() >= set(request.needs):
        raise Unreachable(f"What answered {reply.status} is not Toolcrib.", sent=True)


def _is_success(reply: Reply) -> bool:
    return 200 <= reply.status < 300


def body_of(reply: Reply) -> dict[str, Any]:
    """Return the object in a reply; raises ``ApiProblem`` where it is an error."""
    body = reply.body if isinstance(reply.body, dict) else {}
    if not _is_success(reply):
        raise problem(status=reply.status, body=body)
    return body


def pause(tries: int) -> float:
    """Return how long to wait after some tries in vain, in seconds."""
    return float(min(FIRST_PAUSE * 2**tries, LONGEST_PAUSE))


def retry_after(reply: Reply) -> float | None:
    """Return what ``Retry-After`` asks for in seconds; a date is read by the server's own clock."""
    text = reply.headers.get("retry-after", "").strip()
    if not text:
        return None
    if text.isdecimal():
        return float(text)
    try:
        then, now = (parsedate_to_datetime(one) for one in (text, reply.headers["date"]))
        return max((then - now).total_seconds(), 0.0)
    except (KeyError, TypeError, ValueError):
        return None


def without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was given; the API takes what is left out for its own setting."""
    return {name: value for name, value in values.items() if value is not None}
