"""What goes wrong between an agent and Toolcrib, and what a handler may say of its own failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from routing.runtime.values import Outcome


class ToolcribError(Exception):
    """The base of what this package raises, but for what handlers raise."""


class Unreachable(ToolcribError):
    """No answer came, or only one of something that is not Toolcrib, such as a gateway.

    ``sent`` tells whether the request may have got through.
    """

    def __init__(self, text: str, *, sent: bool) -> None:
        super().__init__(text)
        self.sent = sent


class Overloaded(ToolcribError):
    """429 or 503, for longer than the client is willing to wait. ``retry_after`` is in seconds."""

    def __init__(self, text: str, *, retry_after: float) -> None:
        super().__init__(text)
        self.retry_after = retry_after


class NotRecorded(ToolcribError):
    """A handler ran, and Toolcrib could not be told what came of it; ``outcome`` is that.

    Answer the same message of the model again: the lease ends, and the next attempt is made under
    the same idempotency key.
    """

    def __init__(self, text: str, *, outcome: Outcome) -> None:
        super().__init__(text)
        self.outcome = outcome


class ApiProblem(ToolcribError):
    """An error that the API answered: an RFC 9457 document.

    ``slug`` names its kind; ``errors`` are ``{"path", "message"}`` of a 422.
    """

    def __init__(self, *, status: int, body: Mapping[str, Any]) -> None:
        self.status = status
        self.slug = str(body.get("type", "")).removeprefix("/problems/")
        self.title = str(body.get("title", ""))
        self.detail = str(body.get("detail", ""))
        errors = body.get("errors")
        # Something else than Toolcrib may have answered.
        self.errors: Sequence[Mapping[str, str]] = [
            error
            for error in (errors if isinstance(errors, list) else ())
            if isinstance(error, dict) and {"path", "message"} <= error.keys()
        ]
        places = "; ".join(f"{error['path']}: {error['message']}" for error in self.errors)
        said = places or self.detail or self.title
        super().__init__(f"{status}: {said}" if said else str(status))


class Unauthorized(ApiProblem):
    """401: no key, or none that is good."""


class Forbidden(ApiProblem):
    """403: the key does not grant this."""


class NotFound(ApiProblem):
    """404: it does not exist, or not for this key."""


class Conflict(ApiProblem):
    """409: it contradicts what is on record, as an idempotency key with other arguments does."""


class Invalid(ApiProblem):
    """422: it does not stand; ``errors`` says where and why."""


class StillRunning(Conflict):
    """Another worker holds the attempt, for longer than the client is willing to wait."""

    def __init__(self, *, status: int, body: Mapping[str, Any], retry_after: float) -> None:
        super().__init__(status=status, body=body)
        self.retry_after = retry_after


class RetryableError(Exception):
    """Raised by a handler: it failed now, and trying again may help.

    ``reason`` is a word or a sentence for the record and the model. ``retry_after`` is in seconds.
    """

    def __init__(self, reason: str, *, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after


class FatalError(Exception):
    """Raised by a handler: it failed, and trying again would not help."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


KINDS: Mapping[int, type[ApiProblem]] = {
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    422: Invalid,
}


def problem(*, status: int, body: Mapping[str, Any]) -> ApiProblem:
    """Return the exception of an error that the API answered."""
    return KINDS.get(status, ApiProblem)(status=status, body=body)
