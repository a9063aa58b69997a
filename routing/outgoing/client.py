"""The client of outgoing requests: guarded, timed, and given no more than it can hold."""

import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import httpcore2
import httpx2
from django.conf import settings

from routing.outgoing.allowed import Allowed
from routing.outgoing.connecting import CheckedNetwork, Clock, Resolve, system_addresses
from routing.outgoing.errors import OutgoingRefused, ResponseTooLarge

TIMEOUT = 10.0
TOTAL = 60.0
MAX_BYTES = 32 * 1024 * 1024
MAX_REDIRECTS = 3


def outgoing_client(
    *,
    allowed: Allowed | None = None,
    timeout: float = TIMEOUT,
    total: float = TOTAL,
    max_bytes: int = MAX_BYTES,
    follow_redirects: bool = False,
    resolve: Resolve = system_addresses,
    tls: ssl.SSLContext | None = None,
) -> httpx2.Client:
    """Return a client that reaches public addresses, and those that the allow-list opens.

    ``allowed`` is the environment's list (``OUTGOING_ALLOWED``) unless given. ``timeout`` is for
    each of connecting, sending and the next piece of an answer, ``total`` for a request with all of
    its answer, in seconds. An answer is at most ``max_bytes`` long. Redirects are not followed
    unless asked for: a body or a key would travel on; each one is checked like a first request.
    The environment's proxies are not used: they would resolve hosts themselves.

    Requests raise ``OutgoingRefused`` and ``ResponseTooLarge`` beside what ``httpx2`` raises; both
    are ``httpx2.TransportError``.
    """
    transport = outgoing_transport(
        allowed=allowed, total=total, max_bytes=max_bytes, resolve=resolve, tls=tls
    )
    return httpx2.Client(
        transport=transport,
        timeout=timeout,
        follow_redirects=follow_redirects,
        max_redirects=MAX_REDIRECTS,
        trust_env=False,
        # A short answer that unpacks to gigabytes is not worth what packing saves.
        headers={"Accept-Encoding": "identity"},
    )


def outgoing_transport(
    *,
    allowed: Allowed | None = None,
    total: float = TOTAL,
    max_bytes: int = MAX_BYTES,
    resolve: Resolve = system_addresses,
    tls: ssl.SSLContext | None = None,
) -> "GuardedTransport":
    """Return what ``outgoing_client`` sends its requests by, for clients of other kinds."""
    if allowed is None:
        allowed = Allowed.parse(settings.OUTGOING_ALLOWED)
    return GuardedTransport(
        allowed=allowed, total=total, max_bytes=max_bytes, resolve=resolve, tls=tls
    )


class GuardedTransport(httpx2.BaseTransport):
    """Sends requests over connections to checked addresses."""

    def __init__(
        self,
        *,
        allowed: Allowed,
        total: float,
        max_bytes: int,
        resolve: Resolve,
        tls: ssl.SSLContext | None,
    ) -> None:
        self._total = total
        self._max_bytes = max_bytes
        self._clock = Clock()
        self._pool = httpcore2.ConnectionPool(
            ssl_context=tls or httpx2.create_ssl_context(),
            network_backend=CheckedNetwork(allowed=allowed, resolve=resolve, clock=self._clock),
            max_connections=32,
            max_keepalive_connections=8,
            keepalive_expiry=30.0,
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request, be it a first one or a redirect's."""
        _check_url(request.url)
        self._clock.start(self._total)
        sent = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
            # Not the caller's: one of them names another host to TLS.
            extensions={"timeout": request.extensions.get("timeout", {})},
        )
        with _as_httpx2(request):
            answer = self._pool.handle_request(sent)
        stream = _BoundedStream(answer.stream, request=request, most=self._max_bytes)
        response = httpx2.Response(
            status_code=answer.status,
            headers=answer.headers,
            stream=stream,
            extensions=answer.extensions,
        )
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            stream.close()
            raise ResponseTooLarge("The answer is packed, though it was asked for as it is.")
        return response

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()


def _check_url(url: httpx2.URL) -> None:
    if url.scheme not in ("http", "https"):
        raise OutgoingRefused(f"{url.scheme or 'no scheme'}: only http and https are spoken.")
    if url.userinfo:
        raise OutgoingRefused("A URL carries no user and password; a key has a setting of its own.")
    if not url.host:
        raise OutgoingRefused("The URL names no host.")


class _BoundedStream(httpx2.SyncByteStream):
    """The bytes of an answer, as many as its reader takes."""

    def __init__(self, stream: object, *, request: httpx2.Request, most: int) -> None:
        if not isinstance(stream, Iterable):
            raise TypeError("A synchronous answer is read by iterating.")
        self._stream = stream
        self._request = request
        self._most = most

    def __iter__(self) -> Iterator[bytes]:
        length = 0
        with _as_httpx2(self._request):
            for piece in self._stream:
                length += len(piece)
                if length > self._most:
                    raise ResponseTooLarge(f"The answer is longer than {self._most:,} bytes.")
                yield piece

    def close(self) -> None:
        close = getattr(self._stream, "close", None)
        if close is not None:
            close()


# The most specific first.
_SAME_ERRORS: tuple[tuple[type[Exception], type[httpx2.TransportError]], ...] = (
    (httpcore2.ConnectTimeout, httpx2.ConnectTimeout),
    (httpcore2.ReadTimeout, httpx2.ReadTimeout),
    (httpcore2.WriteTimeout, httpx2.WriteTimeout),
    (httpcore2.PoolTimeout, httpx2.PoolTimeout),
    (httpcore2.ConnectError, httpx2.ConnectError),
    (httpcore2.ReadError, httpx2.ReadError),
    (httpcore2.WriteError, httpx2.WriteError),
    (httpcore2.LocalProtocolError, httpx2.LocalProtocolError),
    (httpcore2.RemoteProtocolError, httpx2.RemoteProtocolError),
    (httpcore2.UnsupportedProtocol, httpx2.UnsupportedProtocol),
)


@contextmanager
def _as_httpx2(request: httpx2.Request) -> Iterator[None]:
    """Raise what the connection raises as its readers expect it."""
    try:
        yield
    except Exception as error:
        for theirs, ours in _SAME_ERRORS:
            if isinstance(error, theirs):
                raise ours(str(error), request=request) from error
        raise
