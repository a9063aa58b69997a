"""The runtime lives without the rest of the project."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ALONE = """
import sys
from importlib.abc import MetaPathFinder

class Only(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in {blocked!r} or top in ("catalog", "dashboard"):
            raise ModuleNotFoundError("not here: " + name, name=top)
        if top == "routing" and name != "routing" and not name.startswith("routing.runtime"):
            raise ModuleNotFoundError("not here: " + name, name=top)

sys.meta_path.insert(0, Only())
import routing.runtime
from routing.runtime.web import httpx
print(httpx.__name__, routing.runtime.Toolcrib("http://127.0.0.1", "k").core.patience)
"""
ELSEWHERE = ("django", "ninja", "numpy", "pydantic", "openai", "anthropic", "jsonschema_rs", "re2")


@pytest.mark.parametrize(("library", "other"), [("httpx2", "httpx"), ("httpx", "httpx2")])
def test_it_needs_one_of_two_http_libraries_and_nothing_else(library: str, other: str) -> None:
    done = subprocess.run(  # noqa: S603 - our own lines
        [sys.executable, "-c", ALONE.format(blocked=(*ELSEWHERE, other))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.stderr == ""
    assert done.stdout == f"{library} 60.0\n"
