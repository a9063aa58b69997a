"""A server that is a program is listed too, from the command line alone."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from routing.sources import SourceFailed
from routing.sources.mcp_stdio import run_mcp_server

SERVER = Path(__file__).with_name("program.py")


def test_a_program_is_listed_under_the_name_that_it_gives_itself() -> None:
    fetched = run_mcp_server(command=shlex.join([sys.executable, str(SERVER)]))

    (tool,) = json.loads(fetched.content)["tools"]
    assert tool["name"] == "find_note"
    assert fetched.source == "notes"


@pytest.mark.parametrize("command", ["/there/is/no/such/program", '"open', sys.executable + " -V"])
def test_what_is_no_server_is_told(command: str) -> None:
    with pytest.raises(SourceFailed) as failed:
        run_mcp_server(command=command, timeout=5.0)
    assert str(failed.value)
