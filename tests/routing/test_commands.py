"""Publishing and rolling back from the command line."""

import pytest
from django.core.management import CommandError, call_command

from catalog.models import Catalog, Tool

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
