"""``manage.py simulate_traffic``."""

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from routing.models import Run
from tests.samples import published

pytestmark = pytest.mark.django_db


def run_command(*arguments: str) -> str:
    out = StringIO()
    call_command("simulate_traffic", *arguments, stdout=out)
    return out.getvalue()


def test_it_simulates_until_the_time_that_was_given() -> None:
    published("refunds")
    said = run_command("--tasks", "100", "--days", "2", "--until", "2026-04-01T10:00:00Z")
    runs = Run.objects.all()
    assert 0 < runs.count() < 100  # the tasks of the other catalogs are left out
    assert f"2026-03-30 to 2026-04-01: {runs.count()} runs made, 0 were there" in said
    latest = runs.latest("started_at").started_at
    assert datetime(2026, 3, 31, tzinfo=UTC) < latest < datetime(2026, 4, 1, 10, tzinfo=UTC)


def test_without_catalogs_there_is_nothing_to_simulate() -> None:
    assert "0 runs made" in run_command("--tasks", "20", "--days", "1")


@pytest.mark.parametrize("arguments", [("--tasks", "0"), ("--days", "0"), ("--until", "soon")])
def test_what_makes_no_sense_is_refused(arguments: tuple[str, str]) -> None:
    with pytest.raises(CommandError):
        run_command(*arguments)
