"""Connections to checked addresses only.

A host is resolved once, every address that it has is checked, and the connection is made to one of
them: a name that resolves differently a moment later changes nothing. TLS still asks for, and
verifies, the name of the URL, because only the connecting is replaced.
"""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from ipaddress import ip_address
from typing import Any

import httpcore2

from routing.outgoing.addresses import Address, is_public, read_address
from routing.outgoing.allowed import Allowed, plain_host
from routing.outgoing.errors import OutgoingRefused

Resolve = Callable[[str, int], Sequence[str]]

_resolvers = ThreadPoolExecutor(max_workers=8, thread_name_prefix="resolve")


def system_addresses(host: str, port: int) -> list[str]:
    """Return a host's addresses as the system resolves it. Raises ``OSError``."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def checked_addresses(
    *, host: str, port: int, allowed: Allowed, resolve: Resolve, seconds: float | None
) -> list[Address]:
    """Return the addresses of a host, all of which may be reached.

    Raises ``OutgoingRefused`` where one may not, ``httpcore2.ConnectError`` where there is none and
    ``httpcore2.ConnectTimeout`` where the answer takes too long.
    """
    for address in (found := _addresses(host, port, resolve=resolve, seconds=seconds)):
        if not is_public(address) and not allowed.opens(host=host, port=port, address=address):
            named = host if plain_host(host) == str(address) else f"{host} is {address}, which"
            raise OutgoingRefused(
                f"{named} is not a public address. OUTGOING_ALLOWED can name it if it is meant."
            )
    return found


def _addresses(host: str, port: int, *, resolve: Resolve, seconds: float | None) -> list[Address]:
    try:
        written = read_address(host)
    except ValueError as error:
        raise OutgoingRefused(f"{host}: {error}.") from error
    if written is not None:
        return [written]
    try:
        # The system's resolver takes no time-out.
        names = _resolvers.submit(resolve, host, port).result(timeout=seconds)
    except TookTooLong as error:
        raise httpcore2.ConnectTimeout(f"{host} was not resolved in time.") from error
    except (OSError, UnicodeError) as error:
        raise httpcore2.ConnectError(f"{host} does not resolve: {error}") from error
    if not names:
        raise httpcore2.ConnectError(f"{host} has no address.")
    try:
        return [ip_address(name) for name in names]
    except ValueError as error:
        raise OutgoingRefused(f"{host}: {error}.") from error


class Clock(threading.local):
    """When the request of this thread must be over, on the monotonic clock."""

    deadline: float | None = None

    def start(self, seconds: float) -> None:
        """Give the request that this thread makes so many seconds in all."""
        self.deadline = time.monotonic() + seconds

    def left(self, timeout: float | None) -> float | None:
        """Return a time-out, cut to what is left; raises ``httpcore2.ReadTimeout`` at the end."""
        if self.deadline is None:
            return timeout
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("The request took longer than it may in all.")
        return left if timeout is None else min(timeout, left)


class CheckedNetwork(httpcore2.NetworkBackend):
    """Opens connections for ``httpcore2``, to checked addresses only."""

    def __init__(self, *, allowed: Allowed, resolve: Resolve, clock: Clock) -> None:
        self._allowed = allowed
        self._resolve = resolve
        self._clock = clock
        self._network = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to the first of a host's addresses that answers."""
        addresses = checked_addresses(
            host=host,
            port=port,
            allowed=self._allowed,
            resolve=self._resolve,
            seconds=self._clock.left(timeout),
        )
        failure: Exception | None = None
        for address in addresses:
            try:
                stream = self._network.connect_tcp(
                    str(address), port, self._clock.left(timeout), local_address, socket_options
                )
            except httpcore2.ConnectError as error:
                failure = error
            else:
                return _TimedStream(stream, self._clock)
        raise failure or httpcore2.ConnectError(f"{host} has no address.")

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore2.NetworkStream:
        """Refuse: a socket of this machine is no outgoing request."""
        raise OutgoingRefused(f"{path} is a socket of this machine.")


class _TimedStream(httpcore2.NetworkStream):
    """A connection on which one request may not drip in for ever."""

    def __init__(self, stream: httpcore2.NetworkStream, clock: Clock) -> None:
        self._stream = stream
        self._clock = clock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._clock.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._clock.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, self._clock.left(timeout))
        return _TimedStream(secured, self._clock)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
