"""List the tools of a server of MCP by the official client, page by page, each as it was sent.

The client takes no page in which one tool is not as the protocol has it. So the tools are taken out
of each page before the client looks at it: a bad one takes no good neighbour along.
"""

import json
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any

import anyio
import httpx2
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import Implementation, JSONRPCResponse
from pydantic import ValidationError

from routing.sources.results import MOST_BYTES, SourceFailed

MOST_PAGES = 200
MOST_TOOLS = 10_000
TIMEOUT, TOTAL = 10.0, 30.0
_TOO_LONG = f"The list is longer than {MOST_BYTES:,} bytes."
Streams = tuple[Any, Any]
Transport = AbstractAsyncContextManager[Streams]


class Listed:
    """What a server listed: the tools as it sent them, and the name that it gives itself."""

    def __init__(self) -> None:
        self.tools: list[Any] = []
        self.name = ""
        self._length = 0

    def take(self, tools: list[Any]) -> None:
        """Take the tools of one more page."""
        self.tools += tools
        self._length += len(_written(tools))

    @property
    def is_too_long(self) -> bool:
        """Tell whether no document holds what was listed so far."""
        return self._length > MOST_BYTES

    def content(self) -> bytes:
        """Return the list as a document. Raises ``SourceFailed`` where it is too long."""
        written = _written({"tools": self.tools})
        if len(written) > MOST_BYTES:
            raise SourceFailed(_TOO_LONG)
        return written


def _written(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


async def list_tools(
    transport: Transport, *, timeout: float = TIMEOUT, total: float = TOTAL
) -> Listed:
    """Return the tools that a server lists, all pages. Raises ``SourceFailed``.

    ``timeout`` is for each answer, ``total`` for everything, in seconds.
    """
    listed = Listed()
    try:
        with anyio.fail_after(total):
            client: Any = Client(
                _Taking(transport, listed),
                read_timeout_seconds=timeout,
                client_info=Implementation(name="toolcrib", version="1"),
                cache=None,
            )
            async with client:
                listed.name = client.server_info.name if client.server_info else ""
                await _take_pages(client, listed)
    except TimeoutError as error:
        raise SourceFailed("The server took too long.") from error
    except ExceptionGroup as group:
        raise _failure(group) from group
    except (MCPError, httpx2.HTTPError, OSError, ValidationError) as error:
        raise _failure(error) from error
    return listed


async def _take_pages(client: Any, listed: Listed) -> None:
    seen: set[str] = set()
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        if len(listed.tools) > MOST_TOOLS:
            raise SourceFailed(f"The server lists more than {MOST_TOOLS:,} tools.")
        if listed.is_too_long:
            raise SourceFailed(_TOO_LONG)
        cursor = page.next_cursor
        if cursor is None:
            return
        if cursor in seen or len(seen) >= MOST_PAGES:
            raise SourceFailed("The server's list does not end.")
        seen.add(cursor)


class _Taking:
    """A transport that keeps the tools of each page and hands on the page without them."""

    def __init__(self, inner: Transport, listed: Listed) -> None:
        self._inner = inner
        self._listed = listed

    async def __aenter__(self) -> Streams:
        incoming, outgoing = await self._inner.__aenter__()
        return _Incoming(incoming, self._listed), outgoing

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._inner.__aexit__(kind, error, trace)


class _Incoming:
    """The messages of a server, with no tools in them."""

    def __init__(self, inner: Any, listed: Listed) -> None:
        self._inner = inner
        self._listed = listed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def __aenter__(self) -> "_Incoming":
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *told: Any) -> Any:
        return await self._inner.__aexit__(*told)

    def __aiter__(self) -> "_Incoming":
        return self

    async def __anext__(self) -> Any:
        return self._without_tools(await self._inner.__anext__())

    async def receive(self) -> Any:
        """Return the next message."""
        return self._without_tools(await self._inner.receive())

    def _without_tools(self, item: Any) -> Any:
        message = item.message if isinstance(item, SessionMessage) else None
        if isinstance(message, JSONRPCResponse) and isinstance(message.result.get("tools"), list):
            self._listed.take(message.result["tools"])
            message.result = {**message.result, "tools": []}
        return item


def _failure(error: BaseException) -> SourceFailed:
    """Return what is said of an error; of several that happened at once the first counts."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, SourceFailed):
        return error
    # The client says of an answer that it cannot read all that its models missed there.
    unread = isinstance(error, MCPError) and str(error).startswith("Failed to parse")
    if unread or isinstance(error, ValidationError):
        return SourceFailed("The server does not answer as the protocol has it.")
    return SourceFailed(str(error) or type(error).__name__)
