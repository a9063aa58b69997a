"""List the tools of a live server of MCP over HTTP, through the guard of outgoing requests."""

import asyncio
from collections.abc import Callable, Mapping

import httpx2
from django.views.decorators.debug import sensitive_variables
from mcp.client.streamable_http import streamable_http_client

from routing.outgoing import ThreadedTransport, outgoing_transport
from routing.sources.listing import TIMEOUT, TOTAL, list_tools
from routing.sources.results import MOST_BYTES, Fetched, plain_address

OpenTransport = Callable[[], httpx2.BaseTransport]


def open_transport() -> httpx2.BaseTransport:
    """Return the transport that servers are asked through."""
    return outgoing_transport(total=TOTAL, max_bytes=MOST_BYTES)


@sensitive_variables("header", "url")
def fetch_mcp_tools(
    *,
    url: str,
    header: Mapping[str, str],
    timeout: float = TIMEOUT,
    total: float = TOTAL,
    transport: OpenTransport = open_transport,
) -> Fetched:
    """Return the list of a server's tools as a document of MCP. Raises ``SourceFailed``."""
    source = plain_address(url)
    content = asyncio.run(
        _fetch(url, dict(header), timeout=timeout, total=total, inner=transport())
    )
    return Fetched(content=content, source=source, format_name="mcp")


@sensitive_variables("header", "url")
async def _fetch(
    url: str, header: dict[str, str], *, timeout: float, total: float, inner: httpx2.BaseTransport
) -> bytes:
    async with httpx2.AsyncClient(
        transport=_WithoutListening(inner), headers=header, timeout=timeout, trust_env=False
    ) as client:
        client.headers["Accept-Encoding"] = "identity"
        listed = await list_tools(
            streamable_http_client(url, http_client=client, max_sse_event_size=MOST_BYTES),
            timeout=timeout,
            total=total,
        )
    return listed.content()


class _WithoutListening(ThreadedTransport):
    """Sends what asks for something; what would wait for news of the server is not needed."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request; say as a server without news would to one that listens."""
        if request.method == "GET":
            return httpx2.Response(405, request=request)
        return await super().handle_async_request(request)
