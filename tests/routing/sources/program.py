"""A program that is a server of MCP, as small as one can be."""

import json
import sys
from typing import Any

TOOL = {"name": "find_note", "description": "Find a note.", "inputSchema": {"type": "object"}}
RESULTS: dict[str, Any] = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "notes", "version": "1"},
    },
    "tools/list": {"tools": [TOOL]},
}

for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        result = RESULTS.get(asked["method"])
        error = {"code": -32601, "message": "not known"}
        said = {"error": error} if result is None else {"result": result}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}) + "\n")
        sys.stdout.flush()
