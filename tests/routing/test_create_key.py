"""The limits of a key that is made at the command line."""

import pytest
from django.core.management import CommandError, call_command

from routing.models import ApiKey

pytestmark = pytest.mark.django_db


def test_it_grants_everything_unless_told() -> None:
    call_command("create_key", "agent")

    key = ApiKey.objects.get()
    assert (key.scopes, key.rate_limit, key.budget) == (["*"], None, {})
    # Its runs are traffic: none of them is left out of what is counted.
    assert key.actions == ["select", "propose", "read", "ingest"]


def test_scopes_rate_and_budget_can_be_told() -> None:
    call_command(
        "create_key",
        "agent",
        *("--scope", "refunds:issue", "--scope", "other", "--scope", "other"),
        *("--rate-limit", "60"),
        *("--budget", "calls=100", "--budget", "cost=0.5", "--budget", "seconds=90"),
    )

    key = ApiKey.objects.get()
    assert key.scopes == ["refunds:issue", "other"]
    assert key.rate_limit == 60
    assert key.budget == {"calls": 100, "cost": 0.5, "seconds": 90.0}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--scope", " "], "A scope has 1 to 200 characters"),
        (["--scope", "s" * 201], "A scope has 1 to 200 characters"),
        (["--rate-limit", "0"], "1 to 1,000,000 requests a minute"),
        (["--budget", "100"], "KIND one of calls, tokens, cost, seconds"),
        (["--budget", "calls=1.5"], "“1.5” is no such number"),
        (["--budget", "calls=-1"], "calls is 0 to 1,000,000"),
        (["--budget", "cost=nan"], "cost is 0 to"),
    ],
)
def test_what_cannot_be_is_told(arguments: list[str], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        call_command("create_key", "agent", *arguments)
    assert not ApiKey.objects.exists()
