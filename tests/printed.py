"""Commands run as a page of the documentation prints them."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from routing.keys import make_key
from tests.samples import NOW

ROOT = Path(__file__).parents[1]


def printed_commands(page: str) -> list[str]:
    """Return the shell commands of a page, whose path is below the root of the project."""
    return re.findall(r"```sh\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)


def demo_key(folder: Path) -> str:
    """Make the key that commands read from ``var/demo-key`` in a folder; skip without curl."""
    if shutil.which("curl") is None:
        if os.environ.get("CI"):
            pytest.fail("curl is missing")
        pytest.skip("curl is missing")
    token = make_key(name="demo", now=NOW).token
    (folder / "var").mkdir()
    (folder / "var" / "demo-key").write_text(token)
    return token


def run_printed(command: str, *, url: str, folder: Path, **more: str) -> dict[str, Any]:
    """Run a command in a folder against a server at ``url``, and return the JSON it prints."""
    done = subprocess.run(  # noqa: S603 - the commands of our own pages
        ["/bin/sh", "-c", command.replace("http://127.0.0.1:8000", url)],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **more},
        capture_output=True,
        check=True,
        timeout=60,
    )
    value: dict[str, Any] = json.loads(done.stdout)
    return value
