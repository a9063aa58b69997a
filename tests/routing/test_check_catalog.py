"""What the command line says of a draft's health, and that new warnings ask for a reason."""

import pytest
from django.core.management import CommandError, call_command

from catalog.models import Catalog, Group, Tool

pytestmark = pytest.mark.django_db


def test_a_line_a_finding_and_a_count_of_each_severity(
    dev_agent: Catalog, capsys: pytest.CaptureFixture[str]
) -> None:
    Group.objects.filter(name="data").update(description="")
    call_command("check_catalog", "dev-agent")
    *lines, counts = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("warning: groups data: The group has no description")
    assert lines[0].endswith("[group_without_description]")
    assert "[look_alike]" in lines[1]
    assert counts.startswith("0 errors, 2 warnings, ")


def test_an_error_is_an_exit_code(dev_agent: Catalog, capsys: pytest.CaptureFixture[str]) -> None:
    Tool.objects.filter(name="write_file").update(always_on=True)
    with pytest.raises(SystemExit) as ended:
        call_command("check_catalog", "dev-agent")
    assert ended.value.code == 1
    assert capsys.readouterr().out.startswith("error: tools write_file: ")
    with pytest.raises(CommandError, match="There are: dev-agent"):
        call_command("check_catalog", "elsewhere")


def test_new_warnings_ask_a_publish_for_a_note(
    dev_agent: Catalog, capsys: pytest.CaptureFixture[str]
) -> None:
    Group.objects.filter(name="data").update(description="")
    with pytest.raises(CommandError, match=r"group_without_description\]\nSay with --note why"):
        call_command("publish", "dev-agent", "--note", " ")
    call_command("publish", "dev-agent", "--note", "It is being written")
    # What is live has it already: no reason is asked for again.
    Tool.objects.filter(name="calculator").update(description="Adds exact numbers, any length.")
    call_command("publish", "dev-agent")
    assert capsys.readouterr().out.splitlines() == [
        "dev-agent@2 is live (release 2).",
        "dev-agent@3 is live (release 3).",
    ]
