"""Where documents of tools come from: an address, or a live server of MCP.

``mcp_http`` and ``mcp_stdio`` are imported by who uses them: MCP's client takes a second to load.
"""

from routing.sources.fetching import fetch_document
from routing.sources.headers import BadHeader, read_header
from routing.sources.results import MOST_BYTES, Fetched, SourceFailed, plain_address

__all__ = [
    "MOST_BYTES",
    "BadHeader",
    "Fetched",
    "SourceFailed",
    "fetch_document",
    "plain_address",
    "read_header",
]
