"""What ``manage.py bench_calls`` measures."""

from itertools import count

import pytest

from routing.management.benchmarking.deciding import BASELINE, measured
from routing.models import Span, ToolCall
from tests.samples import NOW


@pytest.mark.django_db
def test_each_kind_of_request_is_made_as_often_beside_the_bare_row() -> None:
    ticks = count()
    found = measured(rounds=2, clock=lambda: float(next(ticks)), now=NOW).record()

    assert list(found) == [
        BASELINE,
        "allowed, without a key",
        "allowed, under a new key",
        "refused",
    ]
    assert all(row == {"ms": 1000.0, "times_bare": 1.0} for row in found.values())
    rounds = 2 + 5  # the first five warm up
    assert Span.objects.filter(name="tool_call", decision="").count() == rounds
    assert Span.objects.filter(decision="refused").count() == rounds
    assert ToolCall.objects.exclude(idempotency_key=None).count() == rounds
    assert ToolCall.objects.filter(idempotency_key=None).count() == rounds
