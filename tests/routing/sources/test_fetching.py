"""A document is fetched through the guard; what may be a key goes to one address only."""

from http.server import BaseHTTPRequestHandler

import httpx2
import pytest

from routing.outgoing import Allowed, outgoing_client
from routing.sources import (
    BadHeader,
    Fetched,
    SourceFailed,
    fetch_document,
    plain_address,
    read_header,
)
from tests.routing.outgoing.servers import serving
from tests.routing.sources.servers import send

HERE = Allowed.parse(["127.0.0.1"])


def open_here(follow_redirects: bool) -> httpx2.Client:
    return outgoing_client(allowed=HERE, max_bytes=1000, follow_redirects=follow_redirects)


def fetched(answer: object, path: str = "/tools.json", **header: str) -> Fetched:
    with serving(answer) as server:  # type: ignore[arg-type]
        url = f"http://127.0.0.1:{server.port}{path}"
        made = fetch_document(url=url, header=header, client=open_here)
        assert [headers.get("X-Key") for _, headers in server.asked] == [header.get("X_Key")] * len(
            server.asked
        )
    return made


def moved(handler: BaseHTTPRequestHandler) -> None:
    if handler.path == "/there":
        return send(handler, 200, b"[]")
    handler.send_response(302)
    handler.send_header("Location", "/there")
    handler.send_header("Content-Length", "0")
    handler.end_headers()
    return None


def test_an_address_is_fetched_and_named_without_its_secrets() -> None:
    made = fetched(lambda handler: send(handler, 200, b"[]"), "/tools.json?token=s#part")

    assert made.content == b"[]"
    assert made.source.endswith("/tools.json")
    assert plain_address("https://me:pw@host.example/a?b=c#d") == "https://host.example/a"


def test_a_redirect_is_followed_without_a_header_only() -> None:
    assert fetched(moved).content == b"[]"
    with serving(moved) as server:
        url = f"http://127.0.0.1:{server.port}/"
        with pytest.raises(SourceFailed, match="another"):
            fetch_document(url=url, header={"X-Key": "s3cret"}, client=open_here)
    assert [path for path, _ in server.asked] == ["/"]


@pytest.mark.parametrize(("status", "length"), [(404, 10), (200, 1001)])
def test_what_is_not_there_or_too_long_is_told(status: int, length: int) -> None:
    with pytest.raises(SourceFailed):
        fetched(lambda handler: send(handler, status, b"x" * length))


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "file:///etc/passwd", "http://169.254.169.254/", "no address"]
)
def test_what_the_guard_refuses_is_told(url: str) -> None:
    with pytest.raises(SourceFailed):
        fetch_document(
            url=url, header={}, client=lambda _follow: outgoing_client(allowed=Allowed())
        )


@pytest.mark.parametrize(
    ("written", "header"),
    [
        ("", {}),
        ("Bearer abc", {"Authorization": "Bearer abc"}),
        ("X-Api-Key: abc", {"X-Api-Key": "abc"}),
        ("Basic dTpw:x", {"Authorization": "Basic dTpw:x"}),
    ],
)
def test_a_header_is_read(written: str, header: dict[str, str]) -> None:
    assert read_header(written) == header


@pytest.mark.parametrize(
    "written", ["Host: internal", "X-Key: a\r\nY: b", "Mcp-Session-Id: 1", "é"]
)
def test_a_header_that_may_not_be_sent_is_refused_without_a_word_of_it(written: str) -> None:
    with pytest.raises(BadHeader) as refused:
        read_header(written)
    assert "internal" not in str(refused.value)
