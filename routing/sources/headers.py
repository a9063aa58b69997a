"""One header that a source asks for: it is sent, and never kept."""

import re

# RFC 9110: a token, and visible ASCII with spaces and tabs between.
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_VALUE = re.compile(r"[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?")
_MOST = 8_000
# What the connection, and not its user, says.
_OF_THE_CONNECTION = frozenset(
    {
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "expect",
        "host",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)


class BadHeader(ValueError):
    """This is no header that may be sent; nothing of it is in the message."""


def read_header(written: str) -> dict[str, str]:
    """Return the header that is written as ``Name: value``; a value alone is of Authorization.

    No text is no header. Raises ``BadHeader``.
    """
    text = written.strip()
    if not text:
        return {}
    name, colon, value = text.partition(":")
    if not colon or not _NAME.fullmatch(name):
        name, value = "Authorization", text
    value = value.strip()
    if len(value) > _MOST or not _VALUE.fullmatch(value):
        raise BadHeader("A header is one line of plain characters, as “Authorization: Bearer …”.")
    if name.lower() in _OF_THE_CONNECTION or name.lower().startswith("mcp-"):
        raise BadHeader("This header is the connection's own.")
    return {name: value}
