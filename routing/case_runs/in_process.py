"""The API without a server: a transport of the runtime whose requests this process answers."""

from io import BytesIO
from typing import Any

from django.core.handlers.wsgi import WSGIHandler, WSGIRequest

from routing.runtime.web import httpx


class InProcess(httpx.BaseTransport):
    """Hands requests to the site itself, within the caller's transaction if there is one.

    Nothing is told that a request began or ended: that would close the caller's connection.
    """

    def __init__(self) -> None:
        self._site = WSGIHandler()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the site's answer."""
        answer = self._site.get_response(WSGIRequest(_environ(request)))
        content = getattr(answer, "content", b"")  # nothing that the API streams
        return httpx.Response(answer.status_code, headers=list(answer.items()), content=content)


def _environ(request: httpx.Request) -> dict[str, Any]:
    url, body = request.url, request.read()
    return {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": url.path,
        "QUERY_STRING": url.query.decode("ascii"),
        "SERVER_NAME": url.host,
        "SERVER_PORT": str(url.port or 80),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_TYPE": request.headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
        "wsgi.url_scheme": url.scheme,
    } | {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in request.headers.items()}
