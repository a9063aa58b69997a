"""One shape for every error: RFC 9457 ``application/problem+json``."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.http import HttpResponse

# The answer to a body of 80,000 unknown fields shall not be many times as long as the body.
MAX_ERRORS = 1000


@dataclass(frozen=True, slots=True)
class FieldError:
    """One thing wrong with a request; ``path`` is like ``history[2]``."""

    path: str
    message: str


@dataclass(eq=False)
class Problem(Exception):
    """An error as the caller sees it. ``slug`` names its kind and never changes."""

    status: int
    slug: str
    title: str
    detail: str
    errors: Sequence[FieldError] = field(default=())
    headers: dict[str, str] = field(default_factory=dict)

    def response(self) -> HttpResponse:
        """Return the problem document."""
        body: dict[str, object] = {
            "type": f"/problems/{self.slug}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
        }
        if self.errors:
            body["errors"] = [
                {"path": error.path, "message": error.message} for error in self.errors
            ]
        # A message may quote what was sent: a lone surrogate must not break the answer to it.
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        return HttpResponse(
            content,
            status=self.status,
            content_type="application/problem+json",
            headers=self.headers,
        )


def unauthorized() -> Problem:
    """No key, or not a usable one."""
    return Problem(
        401,
        "unauthorized",
        "No valid key",
        "Send a key as “Authorization: Bearer <key>”. Keys are made on the Keys page or with "
        "manage.py create_key; this one may be wrong, expired or revoked.",
        headers={"WWW-Authenticate": "Bearer"},
    )


def forbidden(detail: str) -> Problem:
    """The key is good and does not grant this."""
    return Problem(403, "forbidden", "Not granted", detail)


def not_found(detail: str) -> Problem:
    """It does not exist, or not for this key."""
    return Problem(404, "not-found", "Not found", detail)


def conflict(detail: str, *, retry_after: int | None = None) -> Problem:
    """The request contradicts what is already on record, for ``retry_after`` seconds at most."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Problem(409, "conflict", "Conflict", detail, headers=headers)


def malformed(detail: str) -> Problem:
    """The body is no JSON that can be read."""
    return Problem(400, "malformed", "Malformed request", detail)


def too_large(limit: int) -> Problem:
    """The body is over the limit."""
    return Problem(
        413, "too-large", "Request too large", f"A request may hold at most {limit:,} bytes."
    )


def too_many(detail: str, *, retry_after: int) -> Problem:
    """The key has spent its minute, which ends in so many seconds."""
    return Problem(
        429, "too-many", "Too many requests", detail, headers={"Retry-After": str(retry_after)}
    )


def overloaded(detail: str, *, retry_after: int = 1) -> Problem:
    """Nothing was done, for want of room or of the database; the same request may succeed later."""
    return Problem(
        503, "overloaded", "Overloaded", detail, headers={"Retry-After": str(retry_after)}
    )


def invalid(*errors: FieldError) -> Problem:
    """The body is JSON and says something that does not stand."""
    count = len(errors)
    detail = errors[0].message if count == 1 else f"{count} things are wrong with the request."
    return Problem(422, "invalid", "Invalid request", detail, errors=errors[:MAX_ERRORS])
