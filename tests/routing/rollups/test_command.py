"""``rollup_spans``: counts what is new, or everything again."""

from io import StringIO

import pytest
from django.core.management import call_command

from routing.models import HourlyCount
from tests.dashboard.traffic import Traffic

pytestmark = pytest.mark.django_db


def say(*options: str) -> str:
    out = StringIO()
    call_command("rollup_spans", *options, stdout=out)
    return out.getvalue()


def test_it_counts_what_is_new_and_mends_what_is_wrong() -> None:
    selection = Traffic().select()
    assert say() == f"Counted up to span {selection.pk}; there is traffic in 1 hours.\n"
    HourlyCount.objects.update(counts={"n": 12})
    say()
    assert set(HourlyCount.objects.values_list("counts__n", flat=True)) == {12}
    say("--rebuild")
    assert HourlyCount.objects.get(section="selections").counts["n"] == 1
