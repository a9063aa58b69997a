"""Bodies that come in chunks, without a length: Django reads only as far as a length says."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed.wsgi import InputStream, StartResponse, WSGIApplication


def with_lengths(application: WSGIApplication, *, limit: int) -> WSGIApplication:
    """Return an application that reads a chunked body first and says how long it is.

    At most ``limit`` bytes and one more are read: Django refuses what is longer than it allows.
    """

    def answer(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        is_chunked = "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower()
        if is_chunked and not environ.get("CONTENT_LENGTH"):
            body = _read(environ["wsgi.input"], limit + 1)
            environ["wsgi.input"] = BytesIO(body)
            environ["CONTENT_LENGTH"] = str(len(body))
        return application(environ, start_response)

    return answer


def _read(stream: InputStream, size: int) -> bytes:
    """Read until the end or ``size`` bytes; one read may return less than it was asked for."""
    parts = []
    while size and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
