"""What README.md says is true: its commands run, its settings exist."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.management import get_commands
from pytest_django.live_server_helper import LiveServer

from routing.keys import make_key
from tests.samples import NOW, published

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
SETTINGS = (ROOT / "dashboard" / "settings.py").read_text("utf-8")
SHELL = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)


def test_every_setting_is_documented_and_every_documented_one_is_read() -> None:
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', SETTINGS))
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", README, re.MULTILINE))

    assert documented == read


def test_every_documented_command_exists() -> None:
    section = README.partition("## Commands")[2].partition("\n## ")[0]
    named = re.findall(r"^\| `([a-z_]+)(?: [^`]*)?` \|", section, re.MULTILINE)

    assert named
    assert set(named) <= set(get_commands())


@pytest.mark.django_db(transaction=True)
def test_the_calls_of_the_api_run_as_printed(live_server: LiveServer, tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        if os.environ.get("CI"):
            pytest.fail("curl is missing")
        pytest.skip("curl is missing")
    published("back-office", exploration=0)
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "demo-key").write_text(make_key(name="demo", now=NOW).token)
    select, expand, outcome = SHELL

    def run(command: str, **more: str) -> dict[str, object]:
        done = subprocess.run(  # noqa: S603 - the commands of our own README
            ["/bin/sh", "-c", command.replace("http://127.0.0.1:8000", live_server.url)],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], **more},
            capture_output=True,
            check=True,
            timeout=60,
        )
        value: dict[str, object] = json.loads(done.stdout)
        return value

    selection = run(select)
    names = selection["tool_names"]
    assert selection["groups"] == ["billing"]
    assert isinstance(names, list)
    assert "find_payment" in names
    assert "check_stock" not in names
    assert names[-1] == "request_group"
    expansion = run(expand, SELECTION=str(selection["id"]))
    assert isinstance(expansion["tool_names"], list)
    assert expansion["tool_names"][: len(names)] == names
    assert "check_stock" in expansion["tool_names"]
    assert run(outcome, RUN=str(selection["run_id"]))["status"] == "solved"
