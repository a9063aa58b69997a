"""The addresses of endpoints as settings write them, looked at before anything is sent."""

import httpx2

from routing.outgoing.addresses import read_address

MOST_OF_A_PORT = 65_535


def fault_of_url(url: str) -> str | None:
    """Return what an endpoint's address has to be and is not, ``None`` where it can be asked.

    The words follow the name of the setting; nothing of the address is in them, since a password
    may be. Paths are put behind the address, so that it ends before a query.
    """
    try:
        parsed = httpx2.URL(url)
        read_address(parsed.host)
    except (httpx2.InvalidURL, ValueError):
        return "is an address that can be read, such as https://models.example/v1"
    if parsed.scheme not in ("http", "https") or not parsed.host:
        return "begins with https:// or http:// and names a host"
    if parsed.userinfo:
        return "carries no user and password; a key has a setting of its own"
    if "?" in url or "#" in url:
        return "ends before a query (?) or a fragment (#)"
    if parsed.port is not None and not 0 < parsed.port <= MOST_OF_A_PORT:
        return f"names a port from 1 to {MOST_OF_A_PORT}"
    return None
