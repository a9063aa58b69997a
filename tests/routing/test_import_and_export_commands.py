"""Tools come in and go out by command, with what became of each."""

import io
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from catalog.models import AuditEntry, Catalog
from catalog.reading import read
from tests.catalog.reading.made import mcp_tool
from tests.routing.sources.servers import mcp_server, tool
from tests.samples import published

PROGRAM = Path(__file__).with_name("sources") / "program.py"
pytestmark = pytest.mark.django_db


@pytest.fixture
def catalog() -> Catalog:
    return Catalog.objects.create(name="shop", title="Shop")


def file_of(folder: Path, *tools: dict[str, Any]) -> str:
    path = folder / "tools.json"
    path.write_text(json.dumps(tools))
    return str(path)


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_a_file_goes_in_and_is_synced(catalog: Catalog, tmp_path: Path) -> None:
    first = file_of(tmp_path, mcp_tool("find"), mcp_tool("old"), mcp_tool("deleted"))
    assert "tools.json: 3 added." in run("import_tools", "shop", first, "--group", "search")
    catalog.tools.filter(name="find").update(description="Mine.")
    catalog.tools.get(name="deleted").delete()
    newer = file_of(tmp_path, mcp_tool("find", title="T"), mcp_tool("deleted"), mcp_tool("send.it"))

    told = run("import_tools", "shop", newer)

    assert "~ find: takes title; keeps description as edited here" in told
    assert "? old: no longer in the source" in told
    assert "- deleted: was deleted here" in told
    assert "“send.it” is called “send_it” here" in told
    assert {entry.via for entry in AuditEntry.objects.filter(action="import")} == {"command"}
    run("import_tools", "shop", newer, "--take-theirs", "--remove-gone", "--bring-back")
    assert dict(catalog.tools.values_list("name", "description")) == dict.fromkeys(
        ["find", "send_it", "deleted"], "Find."
    )


def test_a_dry_run_writes_nothing(catalog: Catalog, tmp_path: Path) -> None:
    told = run("import_tools", "shop", file_of(tmp_path, mcp_tool("find")), "--dry-run")

    assert "+ find" in told
    assert not catalog.tools.exists()


def test_a_faulty_tool_is_told_by_the_exit_code(catalog: Catalog, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        run("import_tools", "shop", file_of(tmp_path, mcp_tool("good"), {"inputSchema": {}}))

    assert ended.value.code == 1
    assert catalog.tools.get().name == "good"


def test_a_program_and_a_live_server_are_listed(catalog: Catalog, settings: Any) -> None:
    settings.OUTGOING_ALLOWED = ["127.0.0.1"]
    command = shlex.join([sys.executable, str(PROGRAM)])
    assert "notes: 1 added." in run("import_tools", "shop", "--mcp-stdio", command)
    with mcp_server(lambda _cursor: {"tools": [tool("find")]}) as server:
        url = f"http://127.0.0.1:{server.port}/mcp"
        assert f"{url}: 1 added." in run("import_tools", "shop", "--mcp", url)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["no-such-file.json"],
        ["a.json", "--url", "https://tools.example/"],
        ["--url", "http://127.0.0.1:9/"],
        ["--url", "https://tools.example/", "--header", "Host: here"],
    ],
)
def test_what_cannot_be_imported_is_told(catalog: Catalog, arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        run("import_tools", "shop", *arguments)


def test_a_group_that_is_none_keeps_everything_out(catalog: Catalog, tmp_path: Path) -> None:
    file = file_of(tmp_path, mcp_tool("find"))
    with pytest.raises(CommandError, match="--group"):
        run("import_tools", "shop", file, "--group", "No Name")
    assert not catalog.tools.exists()


def test_tools_go_out_and_come_back(settings: Any, capsys: pytest.CaptureFixture[str]) -> None:
    settings.ENCODER = "none"
    refunds = published("refunds")
    count = refunds.tools.count()
    refunds.tools.all()[0].delete()

    for ref, options, tools in (
        ("refunds", ["--format", "openai", "--strict"], count),
        ("refunds@1", ["--format", "mcp"], count),
        ("refunds", ["--draft"], count - 1),
    ):
        assert len(read(run("export_tools", ref, *options)).found) == tools
    assert "side_effect is not carried" in capsys.readouterr().err
    for ref, option in (("refunds@2", []), ("refunds@staging", []), ("refunds@1", ["--draft"])):
        with pytest.raises(CommandError):
            run("export_tools", ref, *option)
