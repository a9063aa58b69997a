"""The overview page, over real selections of the back office and over written rows."""

from datetime import UTC, timedelta
from html import unescape
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from catalog.models import Catalog
from dashboard.curl import first_selection
from dashboard.metrics.hourly import Scope
from dashboard.metrics.overview import Overview, overview
from dashboard.metrics.periods import comparison
from dashboard.overview_cards import cards, change, is_notable
from dashboard.overview_charts import readings
from dashboard.routing_charts import bucket_labels
from routing.keys import make_key
from routing.models import Span
from routing.references import parse_reference
from routing.rollups.folding import catch_up
from routing.selection import Query
from routing.services import SelectionRequest, expand_group, record_outcome, select_tools
from tests.dashboard.traffic import NOON, Traffic
from tests.drafts import draft_of
from tests.samples import published

RECONCILE = (
    "Reconcile the payment for order 88231 with yesterday's statement and, if it matches, "
    "settle the bill"
)
MINUS = "\u2212"
VAGUE = "Hello, can you help me?"


@pytest.fixture
def busy_office(db: None) -> Catalog:
    """Return the back office an hour after four selections, an expansion and three outcomes."""
    now = timezone.now() - timedelta(hours=1)
    catalog = published("back-office", now=now, exploration=0)
    key = make_key(name="agent", now=now).key
    for task, group, status in (
        (RECONCILE, None, "solved"),
        (RECONCILE, "stock", "solved"),
        (VAGUE, None, "failed"),
        (VAGUE, None, None),
    ):
        request = SelectionRequest(
            reference=parse_reference("back-office"), query=Query(task=task), source="simulated"
        )
        answer = select_tools(key=key, request=request, now=now)
        if group:
            expand_group(key=key, selection_id=UUID(answer.id), group=group, reason="", now=now)
        if status:
            record_outcome(key=key, run_id=answer.run_id, status=status, stop_reason="", now=now)
    return catalog


def text_of(response: Any) -> str:
    assert response.status_code == 200, response.content
    return unescape(str(response.content, "utf-8"))


def measure(traffic: Traffic, name: str = "7d") -> Overview:
    assert catch_up(now=NOON)
    periods = comparison(name=name, now=NOON, zone=UTC)
    return overview(scope=Scope(catalogs=(traffic.catalog.pk,)), periods=periods)


class TestTraffic:
    def test_the_figures_are_those_of_the_selections(
        self, signed_in: Client, busy_office: Catalog
    ) -> None:
        response = signed_in.get("/?catalog=back-office&period=24h")
        shown = {card.id: card for card in response.context["cards"]}
        assert shown["selections"].value == shown["runs"].value == "4"
        assert shown["solved"].value == "66.7 %"
        assert shown["silent"].detail == "1 of 3 that ended"
        assert shown["fallbacks"].value == "50.0 %"
        assert shown["expansions"].value == "25.0 %"
        assert shown["groups"].value == "1.50"
        selections = Span.objects.filter(name="tool_route")
        unasked = selections.exclude(following__name="tool_route_expand")
        carried = [*unasked, Span.objects.get(name="tool_route_expand")]
        everything = sum(span.tokens_catalog for span in selections)
        saved = everything - sum(span.tokens_selected for span in carried)
        assert shown["tokens"].detail == f"{saved:,} tokens"
        assert shown["tokens"].value == f"{100 * saved / everything:.1f} %"
        assert shown["latency"].value.endswith(" ms")

    def test_every_chart_has_its_table_and_how_to_read_it(
        self, signed_in: Client, busy_office: Catalog
    ) -> None:
        response = signed_in.get("/?catalog=back-office")
        text = text_of(response)
        ids = [reading.chart.id for reading in response.context["readings"]]
        assert ids == [
            "asked-for",
            "confidence",
            "confidence-trend",
            "groups",
            "fallbacks",
            "tokens",
            "decided-by",
            "outcomes",
        ]
        assert text.count("<canvas") == text.count("<table") == len(ids)
        assert text.count('<p class="overview-note">') == len(ids)
        assert "Threshold now: 0.60; under it the default tools are served." in text

    def test_a_version_that_went_live_is_named_and_linked(
        self, signed_in: Client, busy_office: Catalog
    ) -> None:
        text = text_of(signed_in.get("/?catalog=back-office&period=24h"))
        assert '<a href="/catalogs/back-office/versions/1">back-office@1</a>' in text
        assert "published: First version" in " ".join(text.split())

    def test_simulated_traffic_is_said_and_can_be_hidden(
        self, signed_in: Client, busy_office: Catalog
    ) -> None:
        text = text_of(signed_in.get("/?catalog=back-office&period=7d"))
        assert "4 of 4 selections are simulated." in text
        assert 'href="?catalog=back-office&period=7d&simulated=0"' in text
        hidden = text_of(signed_in.get("/?catalog=back-office&period=7d&simulated=0"))
        assert "4 simulated selections are hidden." in hidden
        assert 'href="?catalog=back-office&period=7d"' in hidden
        assert "Only simulated traffic in this period" in hidden
        assert "<canvas" not in hidden

    def test_numbers_are_written_as_the_language_does(
        self, signed_in: Client, busy_office: Catalog
    ) -> None:
        text = text_of(signed_in.get("/?catalog=back-office", headers={"Accept-Language": "es"}))
        assert "66,7 %" in text


class TestScope:
    def test_all_catalogs_are_the_star(self, signed_in: Client) -> None:
        now = timezone.now()
        for name in ("shop", "desk"):
            Traffic(name, now=now).select()
        text = text_of(signed_in.get("/?catalog=*&period=7d"))
        assert 'id="figure-selections"' in text
        response = signed_in.get("/?catalog=*&period=7d")
        assert response.context["cards"][0].value == "2"
        assert 'href="?catalog=desk&period=7d"' in text

    def test_an_archived_catalog_is_in_none(self, signed_in: Client) -> None:
        now = timezone.now()
        Traffic("shop", now=now).select()
        old = Traffic("desk", now=now)
        old.select()
        Catalog.objects.filter(pk=old.catalog.pk).update(archived=True)
        assert signed_in.get("/?catalog=*").context["cards"][0].value == "1"
        assert signed_in.get("/?catalog=desk").status_code == 404

    @pytest.mark.parametrize("query", ["period=31d", "period=", "catalog=nowhere"])
    def test_what_does_not_exist_is_not_quietly_something_else(
        self, signed_in: Client, query: str
    ) -> None:
        Traffic("shop")
        assert signed_in.get(f"/?{query}").status_code == 404

    def test_days_are_cut_in_the_time_zone_of_the_settings(
        self, signed_in: Client, settings: Settings
    ) -> None:
        settings.TIME_ZONE = "America/New_York"
        Traffic("shop", now=timezone.now()).select()
        text = text_of(signed_in.get("/?catalog=shop&period=7d"))
        assert "(America/New_York)" in text

    def test_nobody_sees_it_without_signing_in(self, client: Client, db: None) -> None:
        response = client.get("/")
        assert response.status_code == 302
        assert response["Location"].startswith("/sign-in")


class TestNothingToShow:
    def test_an_empty_draft_needs_tools_first(self, signed_in: Client) -> None:
        Catalog.objects.create(name="bare", title="Bare")
        text = text_of(signed_in.get("/?catalog=bare"))
        assert "This catalog has no tool yet" in text
        assert '<a class="btn btn-primary" href="/catalogs/bare/start">Add tools</a>' in text
        assert "Nothing is published yet" not in text
        assert "a change in the charts" not in text

    def test_a_draft_has_to_be_published_first(self, signed_in: Client) -> None:
        draft_of("dev-agent")
        text = text_of(signed_in.get("/?catalog=dev-agent"))
        assert "Nothing is published yet" in text
        assert '<a class="btn btn-primary" href="/catalogs/dev-agent/start">' in text
        assert "curl" not in text

    def test_a_live_catalog_waits_with_a_command_that_names_it(self, signed_in: Client) -> None:
        published("refunds", now=timezone.now())
        text = text_of(signed_in.get("/?catalog=refunds"))
        assert "Waiting for the first selection" in text
        assert "curl -sS http://testserver/api/v1/selections" in text
        assert '"catalog": "refunds"' in text
        assert '"route": "refund_investigation"' in text

    def test_of_all_catalogs_it_asks_to_choose_one(self, signed_in: Client) -> None:
        draft_of("dev-agent")
        assert "No catalog has answered a task yet" in text_of(signed_in.get("/?catalog=*"))

    def test_traffic_that_stopped_is_no_first_start(self, signed_in: Client) -> None:
        traffic = Traffic("shop", now=timezone.now())
        traffic.select(at=traffic.now - timedelta(days=10))
        text = text_of(signed_in.get("/?catalog=shop&period=7d"))
        assert "No selection in this period" in text
        assert "1 before" in text


def test_the_command_survives_a_shell() -> None:
    document = {
        "catalog": "shop",
        "groups": [{"examples": []}, {"examples": ["What's in stock?"]}],
        "routes": [],
    }
    command = first_selection(document=document, url="http://127.0.0.1:8000/api/v1/selections")
    assert command.startswith("curl -sS http://127.0.0.1:8000/api/v1/selections -H ")
    assert """-d '{"catalog": "shop", "task": "What'"'"'s in stock?"}'""" in command


def test_the_number_of_queries_is_fixed(signed_in: Client) -> None:
    traffic = Traffic("shop", now=timezone.now())
    traffic.select()
    signed_in.get("/?catalog=shop")  # the session notes the catalog, and the span is counted
    counts = []
    for spans in (0, 40):
        for number in range(spans):
            selection = traffic.select(at=traffic.now - timedelta(hours=7 * number))
            traffic.expand(selection, f"group_{number}")
        signed_in.get("/?catalog=shop")
        for query in ("catalog=shop", "catalog=shop&period=90d", "catalog=shop&simulated=0"):
            with CaptureQueriesContext(connection) as captured:
                signed_in.get(f"/?{query}")
            counts.append(len(captured))
    assert len(set(counts)) == 1
    assert counts[0] <= 24


@pytest.mark.django_db
class TestCharts:
    def test_the_groups_asked_for_least_are_shown_together(self) -> None:
        traffic = Traffic()
        for number in range(12):
            for _ in range(12 - number):
                traffic.expand(traffic.select(), f"group_{number}")
        chart = readings(measure(traffic), threshold=0.6)[0].chart
        assert [str(series.label) for series in chart.series] == [
            *(f"group_{number}" for number in range(7)),
            "5 other groups",
        ]
        assert sum(v or 0 for v in chart.series[-1].values) == 5 + 4 + 3 + 2 + 1

    def test_eight_groups_have_a_colour_each(self) -> None:
        traffic = Traffic()
        for number in range(8):
            traffic.expand(traffic.select(), f"group_{number}")
        assert len(readings(measure(traffic), threshold=0.6)[0].chart.series) == 8

    def test_what_rules_decided_is_said_to_be_left_out(self) -> None:
        traffic = Traffic()
        traffic.select()
        traffic.select(confidence=None, decided_by="rules")
        found = readings(measure(traffic), threshold=0.6)
        assert "Left out: 1 selection that a rule decided" in str(found[2].note)
        assert found[6].note == "In the whole period embedding: 50.0 %, rules: 50.0 %."

    def test_with_nothing_estimated_the_charts_of_confidence_say_so(self) -> None:
        traffic = Traffic()
        traffic.select(confidence=None, decided_by="rules")
        found = readings(measure(traffic), threshold=0.6)
        assert found[1].chart.is_empty
        assert found[2].chart.is_empty
        assert "estimated" in str(found[1].empty)

    def test_the_outcomes_of_both_periods_stand_side_by_side(self) -> None:
        traffic = Traffic()
        week_ago = NOON - timedelta(days=7)
        traffic.select(run=traffic.run(outcome="solved"))
        traffic.select(run=traffic.run(outcome="failed"))
        traffic.select(at=week_ago, run=traffic.run(at=week_ago, outcome="solved"))
        found = readings(measure(traffic), threshold=None)[7]
        assert [series.values for series in found.chart.series] == [[1, 1, 0, 0], [1, 0, 0, 0]]
        assert str(found.note).startswith("1 run failed or needed a person and never asked")

    def test_a_day_without_selections_is_a_gap_not_a_zero(self) -> None:
        traffic = Traffic()
        traffic.select(confidence=0.5)
        trend = readings(measure(traffic), threshold=None)[2].chart
        assert trend.series[0].values == [None] * 6 + [0.5]

    def test_hours_of_24_are_told_apart(self) -> None:
        labels = bucket_labels(comparison(name="24h", now=NOON, zone=UTC).now)
        assert labels[0] == "Sun 13:00"
        assert len(set(labels)) == 24

    def test_days_are_named(self) -> None:
        labels = bucket_labels(comparison(name="7d", now=NOON, zone=UTC).now)
        assert labels == [f"{day} Nov" for day in range(24, 31)]


@pytest.mark.django_db
class TestCards:
    def test_a_change_is_beside_what_was_before(self) -> None:
        traffic = Traffic()
        week = timedelta(days=7)
        for _ in range(50):
            traffic.select(at=NOON - week, fallback="no_match", groups_count=0)
            traffic.select(at=NOON)
        shown = {card.id: card for card in cards(measure(traffic))}
        assert shown["selections"].change == "unchanged"
        assert shown["fallbacks"].change == f"{MINUS}100.0 points from 100.0 %"
        assert shown["fallbacks"].trend == "better"
        assert shown["groups"].change == "nothing before"

    def test_to_few_cases_nothing_is_compared(self) -> None:
        traffic = Traffic()
        for _ in range(5):
            traffic.select(at=NOON - timedelta(days=7))
            traffic.select(at=NOON, fallback="no_match")
        shown = {card.id: card for card in cards(measure(traffic))}
        assert shown["selections"].change == "5 before"
        assert shown["fallbacks"].change == "too few before"
        assert shown["fallbacks"].trend == ""


@pytest.mark.parametrize(
    ("now", "before", "unit", "words"),
    [
        (112, 100, "count", "+12 % from 100"),
        (1234, 2468, "count", f"{MINUS}50 % from 2,468"),
        (1198, 1200, "count", f"{MINUS}0.2 % from 1,200"),
        (5, 0, "count", "nothing before"),
        (0.31, 0.30, "share", "+1.0 points from 30.0 %"),
        (0.3001, 0.3, "share", "unchanged"),
        (0.5, 0.62, "confidence", f"{MINUS}0.12 from 0.62"),
        (3400, 3000, "microseconds", "+0.4 ms from 3.0 ms"),
        (None, 0.5, "share", "50.0 % before"),
        (0.5, None, "share", "nothing before"),
    ],
)
def test_changes_in_words(now: Any, before: Any, unit: Any, words: str) -> None:
    assert change(now, before, unit) == words


def test_a_share_is_notable_beyond_two_standard_errors() -> None:
    # By hand: sqrt(.1 * .9 / 100 + .1 * .9 / 100) = .042 and so on.
    assert not is_notable(0.15, 0.10, cases=(100, 100), is_share=True)
    assert is_notable(0.15, 0.10, cases=(1000, 1000), is_share=True)
    assert is_notable(1.05, 1.0, cases=(100, 100), is_share=False)
    assert not is_notable(1.04, 1.0, cases=(100, 100), is_share=False)
    assert not is_notable(0.0, 0.0, cases=(100, 100), is_share=False)
