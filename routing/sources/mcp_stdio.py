"""List the tools of a server of MCP that is a program of this machine.

It runs what it is given: the command line alone may ask for it, and no page of the web.
"""

import asyncio
import shlex
from pathlib import PurePath

from mcp.client.stdio import StdioServerParameters, stdio_client

from routing.sources.listing import TIMEOUT, TOTAL, list_tools
from routing.sources.results import Fetched, SourceFailed


def run_mcp_server(*, command: str, timeout: float = TIMEOUT, total: float = TOTAL) -> Fetched:
    """Return the list of a program's tools as a document of MCP. Raises ``SourceFailed``.

    ``command`` is split as a shell would, and run without one. The source is named by what the
    server calls itself: arguments may be secrets.
    """
    try:
        program, *arguments = shlex.split(command)
    except ValueError as error:
        raise SourceFailed(f"The command cannot be read: {error}.") from error
    listed = asyncio.run(
        list_tools(
            stdio_client(StdioServerParameters(command=program, args=arguments)),
            timeout=timeout,
            total=total,
        )
    )
    source = listed.name.strip()[:200] or PurePath(program).name
    return Fetched(content=listed.content(), source=source, format_name="mcp")
