"""Publishing and rolling back from the command line."""

import json

import pytest
from django.core.management import CommandError, call_command

from catalog.models import Catalog, Tool
from routing.models import Span

pytestmark = pytest.mark.django_db


def test_publish_and_roll_back(dev_agent: Catalog, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("publish", "dev-agent")
    Tool.objects.filter(name="calculator").update(description="Adds numbers.")
    call_command("publish", "dev-agent", "--note", "Shorter")
    call_command("rollback", "dev-agent", "1", "--reason", "Too short")

    assert capsys.readouterr().out.splitlines() == [
        "Nothing to publish: dev-agent@1 is live and unchanged.",
        "dev-agent@2 is live (release 2).",
        "dev-agent@1 is live (release 1).",
    ]


def test_faults_are_told(dev_agent: Catalog) -> None:
    with pytest.raises(CommandError, match="no version 9"):
        call_command("rollback", "dev-agent", "9")
    with pytest.raises(CommandError, match="There are: dev-agent"):
        call_command("publish", "elsewhere")
    Tool.objects.filter(name="write_file").update(always_on=True)
    with pytest.raises(CommandError, match=r"tools write_file: .*read-only"):
        call_command("publish", "dev-agent")


@pytest.mark.parametrize(
    "arguments",
    [
        ["create_key", " "],
        ["create_key", "n" * 101],
        ["publish", "dev-agent", "--note", "n" * 501],
        ["rollback", "dev-agent", "1", "--reason", "n" * 501],
    ],
)
def test_texts_are_as_long_as_is_kept(dev_agent: Catalog, arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="characters"):
        call_command(*arguments)


def test_a_selection_is_tried_without_a_record(
    dev_agent: Catalog, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("select", "dev-agent", "Deploy it", "--strategy", "keyword", "--json")
    value = json.loads(capsys.readouterr().out)
    call_command("select", "dev-agent@1", "Deploy it", "--strategy", "keyword", "--explain")
    lines = capsys.readouterr().out.splitlines()

    assert value["tool_names"] == ["run_tests", "deploy", "request_group"]
    assert "+ deploy: keyword" in lines
    assert not Span.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dev-agent@9", "x"], "not published"),
        (["dev-agent@staging", "x"], "not published"),
        (["Dev Agent", "x"], "no reference"),
        (["dev-agent", " "], "blank"),
        (["dev-agent", "x", "--phase", "nowhere"], "nowhere"),
    ],
)
def test_a_selection_that_cannot_be_tried_says_why(
    dev_agent: Catalog, arguments: list[str], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("select", *arguments)
