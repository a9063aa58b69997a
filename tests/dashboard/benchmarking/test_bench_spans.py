"""What ``manage.py bench_spans`` loads and measures."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from catalog.models import Catalog
from dashboard.management.scale.bulk import load
from dashboard.management.scale.charts import CHARTS, agree, counted_figures, raw_figures, raw_rows
from dashboard.management.scale.counting import count_from_nothing, count_new
from dashboard.management.scale.days import make_past_days
from dashboard.management.scale.patterns import simulated_patterns
from dashboard.management.scale.searches import found_by, searches
from dashboard.management.scale.sizes import sizes
from dashboard.metrics.hourly import Scope
from dashboard.metrics.periods import comparison
from routing.exploring.searching import PAGE
from routing.models import Run, Span, Text, ToolCall

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 30, 12, 30, tzinfo=UTC)
DAYS = 10


def test_what_is_loaded_counts_as_the_spans_say_and_every_filter_is_tried(settings: Any) -> None:
    settings.ENCODER = "none"
    ticks = count()

    def clock() -> float:
        return float(next(ticks))

    begins = NOW - timedelta(days=DAYS)
    make_past_days(since=begins, now=NOW)
    patterns = simulated_patterns(
        until=NOW, days=DAYS, tasks=30, seed=1, say=lambda _text: None, samples=["back-office"]
    )
    simulated = Span.objects.count()
    loaded = load(patterns, spans=2000, begins=begins, ends=NOW, texts=0.5, seed=2, clock=clock)

    assert Span.objects.count() == simulated + loaded.spans
    assert 1500 < loaded.spans < 2500
    copies = Span.objects.filter(run__run_id__startswith="copy-")
    assert list(copies.order_by("pk").values_list("pk")) == list(
        copies.order_by("time", "pk").values_list("pk")
    )
    assert not copies.exclude(selection=None).exclude(selection__name="tool_route").exists()
    assert ToolCall.objects.filter(run__run_id__startswith="copy-").count() == loaded.calls > 0
    assert 0 < Text.objects.filter(run__run_id__startswith="copy-").count() == loaded.texts
    assert 0 < Run.objects.filter(source="batch").count() < loaded.runs
    assert count_from_nothing(now=NOW, clock=clock).spans == simulated + loaded.spans

    catalog = Catalog.objects.get()
    scope = Scope(catalogs=(catalog.pk,))
    for name in ("24h", "7d"):
        periods = comparison(name=name, now=NOW, zone=UTC)
        for chart in CHARTS:
            counted = counted_figures(chart, scope=scope, periods=periods)
            rows = raw_rows(chart, catalog=catalog.pk, periods=periods)
            assert agree(chart, counted, raw_figures(chart, rows, periods=periods)), (name, chart)
            assert counted or name == "24h"

    more = load(
        patterns, spans=50, begins=begins, ends=NOW, texts=0, seed=3, clock=clock, late=True
    )
    assert count_new(now=NOW, clock=clock).spans == more.spans
    tried = list(searches(catalog, begins=begins, now=NOW))
    found = {
        (one.name, one.value): len(found_by(one, catalog=catalog, before="", now=NOW).runs)
        for one in tried
    }
    assert {"group", "asked", "tool", "fallback", "q", "silent"} <= {one.name for one in tried}
    assert found["no filter", "common"] == PAGE
    assert found["group", "common"] >= found["group", "rare"] > 0
    assert not any(number for (_name, value), number in found.items() if value == "none")
    assert sizes()["spans"] > 0
