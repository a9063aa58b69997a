"""What came from a source, or why nothing did."""

from dataclasses import dataclass

import httpx2

MOST_BYTES = 16 * 1024 * 1024
"""A document of tools is no longer."""


class SourceFailed(Exception):
    """Nothing came; the message says why, without what was sent."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document as it came, and the name of its source, in which there is no secret."""

    content: bytes
    source: str
    format_name: str | None = None


def plain_address(url: str) -> str:
    """Return an address without what may be a secret: user, password, query and fragment."""
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL as error:
        raise SourceFailed("This is no address.") from error
    return str(parsed.copy_with(userinfo=b"", query=None, fragment=None))
