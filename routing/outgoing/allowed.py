"""The allow-list: which places that are not public the owner of the server opens."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_network

from routing.outgoing.addresses import Address, Network, is_delicate, meant, read_address, within
from routing.outgoing.urls import MOST_OF_A_PORT

_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\Z")
_ENTRY = re.compile(r"(?:\[(?P<bracketed>[^\]]+)\]|(?P<plain>[^:\[\]]+))(?::(?P<port>[0-9]{1,5}))?")


class BadEntry(ValueError):
    """An entry of the allow-list is neither a host, a host with a port, nor a network."""


@dataclass(frozen=True, slots=True)
class _Place:
    name: str | None = None
    network: Network | None = None
    port: int | None = None


@dataclass(frozen=True, slots=True)
class Allowed:
    """Hosts, hosts with a port, addresses and networks (CIDR) that may be reached though private.

    A name opens whatever private address it resolves to; link-local addresses, where clouds keep
    their machines' credentials, are opened only by an address or a network.
    """

    places: tuple[_Place, ...] = ()

    @classmethod
    def parse(cls, entries: Iterable[str]) -> "Allowed":
        """Read entries as they stand in the environment. Raises ``BadEntry``."""
        return cls(tuple(_place(entry.strip()) for entry in entries if entry.strip()))

    def opens(self, *, host: str, port: int, address: Address) -> bool:
        """Tell whether the list opens a host's address at a port."""
        return any(
            place.port in (None, port) and _fits(place, host=plain_host(host), address=address)
            for place in self.places
        )


def plain_host(host: str) -> str:
    """Return a host as names are compared: small letters, no final dot, no brackets."""
    return host.lower().removesuffix(".").strip("[]")


def _fits(place: _Place, *, host: str, address: Address) -> bool:
    if place.network is not None:
        return within(address, (place.network,)) or within(meant(address), (place.network,))
    return place.name == host and not is_delicate(address)


def _place(entry: str) -> _Place:
    try:
        return _Place(network=ip_network(entry))
    except ValueError:
        pass
    found = _ENTRY.fullmatch(entry)
    if found is None:
        raise BadEntry(f"{entry!r} is no host, host:port or network.")
    port = int(found["port"]) if found["port"] else None
    if port is not None and not 0 < port <= MOST_OF_A_PORT:
        raise BadEntry(f"{entry!r} names no port from 1 to {MOST_OF_A_PORT}.")
    host = plain_host(found["bracketed"] or found["plain"])
    try:
        address = read_address(host)
    except ValueError as error:
        raise BadEntry(f"{entry!r}: {error}.") from error
    if address is not None:
        return _Place(network=ip_network(address), port=port)
    if not _NAME.match(host):
        raise BadEntry(f"{entry!r} is no host, host:port or network.")
    return _Place(name=host, port=port)
