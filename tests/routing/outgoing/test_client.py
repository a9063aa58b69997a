"""Outgoing requests: refused where they must not go, and the same as ever where they may."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx2
import pytest
from anthropic import Anthropic, APIConnectionError
from openai import OpenAI

from routing.outgoing import Allowed, OutgoingRefused, ResponseTooLarge, outgoing_client
from tests.routing.outgoing.servers import StandIn, send, serving

TLS = Path(__file__).parent / "tls"
HERE = Allowed.parse(["127.0.0.1"])


def hello(handler: BaseHTTPRequestHandler) -> None:
    send(handler, b"hello")


def resolver(*answers: list[str]) -> Any:
    """Return a resolver that gives one answer after the other, the last one for ever."""
    left = list(answers)

    def resolve(host: str, port: int) -> Sequence[str]:
        return left.pop(0) if len(left) > 1 else left[0]

    return resolve


HERE_WRITTEN = [
    "127.0.0.1",
    "localhost",
    "localhost.",
    "LOCALHOST",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",  # noqa: S104
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "127.0.0.1.",
    "[::]",
    "[fe80::1%25lo]",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "0",
    "169.254.169.254",
]


@pytest.mark.parametrize("host", HERE_WRITTEN)
def test_this_machine_is_not_reached_however_it_is_written(host: str) -> None:
    with serving(hello) as server, outgoing_client(allowed=Allowed()) as client:
        with pytest.raises((OutgoingRefused, httpx2.InvalidURL, httpx2.ConnectError)):
            client.get(f"http://{host}:{server.port}/")
        assert server.asked == []


def test_a_name_with_one_private_address_among_public_ones_is_refused() -> None:
    client = outgoing_client(allowed=Allowed(), resolve=resolver(["8.8.8.8", "10.0.0.1"]))
    with client, pytest.raises(OutgoingRefused, match=r"10\.0\.0\.1.*OUTGOING_ALLOWED"):
        client.get("https://models.example/")


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("10.0.0.1", "^10.0.0.1 is not a public address"),
        ("[fd00::1]", "^fd00::1 is not a public address"),
        ("inside.example", "^inside.example is 10.0.0.1, which is not a public address"),
    ],
)
def test_what_is_not_public_is_named_once(host: str, why: str) -> None:
    client = outgoing_client(allowed=Allowed(), resolve=resolver(["10.0.0.1"]))
    with client, pytest.raises(OutgoingRefused, match=why):
        client.get(f"http://{host}/")


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/", "file:///etc/passwd", "http://a:b@127.0.0.1/"])
def test_other_schemes_and_passwords_in_a_url_are_refused(url: str) -> None:
    with (
        outgoing_client(allowed=HERE) as client,
        pytest.raises((OutgoingRefused, httpx2.UnsupportedProtocol)),
    ):
        client.get(url)


def test_what_the_environment_names_is_reached(settings: Any) -> None:
    with serving(hello) as server:
        settings.OUTGOING_ALLOWED = [f"127.0.0.1:{server.port}"]
        with outgoing_client() as client:
            assert client.get(f"http://127.0.0.1:{server.port}/").text == "hello"
            with pytest.raises(OutgoingRefused):
                client.get(f"http://127.0.0.1:{server.port + 1}/")
        settings.OUTGOING_ALLOWED = []
        with outgoing_client() as client, pytest.raises(OutgoingRefused):
            client.get(f"http://127.0.0.1:{server.port}/")


def test_the_connection_goes_to_the_address_that_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A name that says something else when it is asked again leads nowhere else."""
    connected: list[str] = []
    connect = socket.create_connection

    def record(address: tuple[str, int], *args: Any, **more: Any) -> socket.socket:
        connected.append(address[0])
        return connect(address, *args, **more)

    monkeypatch.setattr(socket, "create_connection", record)
    allowed = Allowed.parse(["models.example"])
    with serving(hello) as server:
        url = f"http://models.example:{server.port}/"
        resolve = resolver(["127.0.0.1"], ["169.254.169.254"])
        with outgoing_client(allowed=allowed, resolve=resolve) as client:
            assert client.get(url, headers={"Connection": "close"}).text == "hello"
            assert server.asked[0][1]["Host"] == f"models.example:{server.port}"
            with pytest.raises(OutgoingRefused, match=r"169\.254"):
                client.get(url)
    assert connected == ["127.0.0.1"]


def test_the_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(hello) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        with outgoing_client(allowed=HERE) as client, pytest.raises(OutgoingRefused):
            client.get("http://10.0.0.1/")
        assert proxy.asked == []


def _secure(server: StandIn) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "certificate.pem", TLS / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)


def test_tls_verifies_the_name_of_the_url_not_the_address() -> None:
    tls = ssl.create_default_context(cafile=str(TLS / "certificate.pem"))
    allowed = Allowed.parse(["127.0.0.0/8"])
    with (
        serving(hello, prepare=_secure) as server,
        outgoing_client(allowed=allowed, resolve=resolver(["127.0.0.1"]), tls=tls) as client,
    ):
        assert client.get(f"https://models.example:{server.port}/").text == "hello"
        for host in ("other.example", "127.0.0.1"):
            with pytest.raises(httpx2.ConnectError, match="certificate"):
                client.get(f"https://{host}:{server.port}/")


def redirect_to(url: str) -> Any:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        if handler.path == "/end":
            send(handler, b"the end")
        else:
            send(handler, b"", status=302, Location=url)

    return answer


@pytest.mark.parametrize(
    "inside", ["http://10.0.0.1/", "http://[::1]/", "http://localhost/", "http://a:b@127.0.0.1/"]
)
def test_a_redirect_is_checked_again(inside: str) -> None:
    with (
        serving(redirect_to(inside)) as server,
        outgoing_client(
            allowed=Allowed.parse([f"127.0.0.1:{server.port}"]), follow_redirects=True
        ) as client,
        pytest.raises(OutgoingRefused),
    ):
        client.get(f"http://127.0.0.1:{server.port}/start")


def test_redirects_are_followed_only_where_asked_for_and_not_for_ever() -> None:
    with serving(redirect_to("/end")) as server:
        url = f"http://127.0.0.1:{server.port}/start"
        with outgoing_client(allowed=HERE) as client:
            assert client.get(url).status_code == 302
        with outgoing_client(allowed=HERE, follow_redirects=True) as client:
            assert client.get(url).text == "the end"
    with (
        serving(redirect_to("/again")) as server,
        outgoing_client(allowed=HERE, follow_redirects=True) as client,
        pytest.raises(httpx2.TooManyRedirects),
    ):
        client.get(f"http://127.0.0.1:{server.port}/")


def test_an_answer_is_bounded() -> None:
    def long(handler: BaseHTTPRequestHandler) -> None:
        send(handler, b"x" * 2_000)

    def packed(handler: BaseHTTPRequestHandler) -> None:
        send(handler, b"x", Content_Encoding="gzip")

    with serving(long) as server:
        url = f"http://127.0.0.1:{server.port}/"
        with outgoing_client(allowed=HERE, max_bytes=2_000) as client:
            assert len(client.get(url).content) == 2_000
            assert server.asked[0][1]["Accept-Encoding"] == "identity"
        with (
            outgoing_client(allowed=HERE, max_bytes=1_999) as client,
            pytest.raises(ResponseTooLarge, match=r"1,999"),
        ):
            client.get(url)
    with (
        serving(packed) as server,
        outgoing_client(allowed=HERE) as client,
        pytest.raises(ResponseTooLarge, match="packed"),
    ):
        client.get(f"http://127.0.0.1:{server.port}/")


def test_an_answer_that_drips_in_ends_with_the_time_for_the_whole() -> None:
    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        for _ in range(100):
            handler.wfile.write(b"x")
            time.sleep(0.05)

    with serving(drip) as server, outgoing_client(allowed=HERE, timeout=5, total=0.3) as client:
        begun = time.monotonic()
        with pytest.raises(httpx2.ReadTimeout):
            client.get(f"http://127.0.0.1:{server.port}/")
        assert time.monotonic() - begun < 2


def test_a_name_server_that_is_silent_ends_with_the_time_out() -> None:
    def slow(host: str, port: int) -> Sequence[str]:
        time.sleep(0.5)
        return ["8.8.8.8"]

    with (
        outgoing_client(allowed=Allowed(), timeout=0.05, resolve=slow) as client,
        pytest.raises(httpx2.ConnectTimeout, match="resolved in time"),
    ):
        client.get("http://models.example/")


def test_the_second_address_is_tried_where_the_first_is_silent() -> None:
    with (
        serving(hello) as server,
        outgoing_client(
            allowed=Allowed.parse(["127.0.0.0/8"]), resolve=resolver(["127.0.0.9", "127.0.0.1"])
        ) as client,
    ):
        assert client.get(f"http://models.example:{server.port}/").text == "hello"


def test_both_sdks_speak_through_it() -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        send(handler, b'{"data": [], "has_more": false}', Content_Type="application/json")

    with serving(answer) as server, outgoing_client(allowed=HERE) as client:
        base = f"http://127.0.0.1:{server.port}"
        assert OpenAI(api_key="k", base_url=base, http_client=client).models.list().data == []
        assert Anthropic(api_key="k", base_url=base, http_client=client).models.list().data == []
        closed = Anthropic(
            api_key="k", base_url="http://10.0.0.1", http_client=client, max_retries=0
        )
        with pytest.raises(APIConnectionError) as caught:
            closed.models.list()
        assert isinstance(caught.value.__cause__, OutgoingRefused)
    assert [path.partition("?")[0] for path, _ in server.asked] == ["/models", "/v1/models"]
