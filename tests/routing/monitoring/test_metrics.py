"""``GET /metrics``: for Prometheus, with a key that may read or the token of the environment."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.models import Catalog
from routing.circuits import open_by_hand
from routing.models import Span, TotalCount
from routing.monitoring import gathering
from routing.monitoring.checks import check_token
from routing.monitoring.exposition import Family, Kind, exposition, histogram
from routing.monitoring.gathering import KEPT, Answers
from routing.rollups.folding import fold_all
from routing.rollups.rebuilding import rebuild
from routing.rollups.sections import Section, latency_bin
from routing.working import beat
from tests.dashboard.traffic import NOON, Traffic
from tests.routing.conftest import Agent
from tests.routing.monitoring.reading import Series, read, value
from tests.samples import published

TOKEN = "a token of the environment"


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    gathering.answers.forget()
    yield
    gathering.answers.forget()


@pytest.fixture
def with_token(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    settings.ENCODER = "none"


@pytest.mark.parametrize(
    ("token", "ids"),
    [("", []), (TOKEN, []), ("x", ["routing.E006"]), (f"{TOKEN}\n", ["routing.E005"])],
)
def test_a_token_that_could_be_guessed_or_not_be_sent_stops_the_start(
    settings: Any, token: str, ids: list[str]
) -> None:
    settings.METRICS_TOKEN = token
    assert [fault.id for fault in check_token()] == ids


def scrape(token: str = TOKEN) -> dict[Series, float]:
    """Return what is scraped now."""
    gathering.answers.forget()
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return read(answer.content.decode())


class TestWhatIsCounted:
    @pytest.mark.django_db
    def test_counts_of_all_time_by_catalog_and_source(self, with_token: None) -> None:
        traffic = Traffic()
        long_ago = NOON - timedelta(days=900)
        old = traffic.select(at=long_ago, latency_us=3_000, fallback="no_match")
        new = traffic.select(at=NOON, latency_us=300, tokens_selected=50, tokens_catalog=900)
        made_up = traffic.select(run=traffic.run(source="simulated"), source="simulated")
        traffic.expand(old, "stock", at=long_ago)
        traffic.expand(new, "stock")
        traffic.span(new, name=Span.Name.CALL, decision="allowed", tool=1)
        traffic.span(new, name=Span.Name.CALL, decision="refused", reason="tool_not_offered")
        traffic.span(new, name=Span.Name.RESULT, status="ok", tool=1)
        traffic.span(new, name=Span.Name.OUTCOME, status="failed")
        fold_all(now=NOON)
        of = {"catalog": new.catalog.name, "source": "api"}

        found = scrape()

        assert value(found, "selections_total", **of) == 2
        assert value(found, "selections_total", **of | {"source": made_up.source}) == 1
        assert value(found, "selections_decided_total", decided_by="embedding", **of) == 2
        assert value(found, "selection_fallbacks_total", fallback="no_match", **of) == 1
        assert value(found, "selections_expanded_total", **of) == 2
        assert value(found, "expansions_total", **of) == 2
        assert value(found, "calls_total", decision="allowed", **of) == 1
        assert value(found, "call_refusals_total", reason="tool_not_offered", **of) == 1
        assert value(found, "results_total", status="ok", **of) == 1
        assert value(found, "runs_total", **of) == 2
        assert value(found, "run_outcomes", outcome="failed", **of) == 1
        assert value(found, "run_outcomes", outcome="open", **of) == 1
        assert value(found, "tokens_catalog_total", **of) == old.tokens_catalog + 900
        took = "selection_duration_seconds"
        assert value(found, f"{took}_bucket", le="0.000256", **of) == 0
        assert value(found, f"{took}_bucket", le="0.000512", **of) == 1
        assert value(found, f"{took}_bucket", le="0.004096", **of) == 2
        assert value(found, f"{took}_sum", **of) == pytest.approx(0.0033, rel=0.02)
        assert value(found, "selection_confidence_count", **of) == 2

    @pytest.mark.django_db
    def test_counters_never_fall_whatever_comes_late(self, with_token: None) -> None:
        traffic = Traffic()
        selection = traffic.select(at=NOON - timedelta(days=40))
        before: dict[Series, float] = {}
        for name, more in (
            (Span.Name.OUTCOME, {"status": "failed"}),
            (Span.Name.CALL, {"decision": "allowed", "tool": 4}),
            (Span.Name.OUTCOME, {"status": "solved"}),
            (Span.Name.EXPAND, {"group": "stock", "groups_count": 2}),
        ):
            traffic.span(selection, name=name, at=NOON, **more)
            fold_all(now=NOON)
            now = scrape()
            rising = [one for one in before if one[0].endswith(("_total", "_count", "_bucket"))]
            assert all(now[one] >= before[one] for one in rising)
            before = now
        kept = list(TotalCount.objects.order_by("section").values_list("section", "counts"))
        rebuild(now=NOON)
        assert list(TotalCount.objects.order_by("section").values_list("section", "counts")) == kept

    @pytest.mark.django_db
    def test_what_stands_now(self, with_token: None, back_office: Catalog) -> None:
        now = timezone.now()
        idle = published("refunds")
        found = scrape()
        assert value(found, "worker_up") == 0
        assert value(found, "live_version", catalog="refunds") == 1
        assert value(found, "circuits_open", catalog="refunds") == 0
        assert value(found, "approvals_waiting", catalog="refunds") == 0
        assert value(found, "selections_total", catalog="refunds", source="api") == 0
        assert ("toolcrib_seconds_since_fold", frozenset()) not in found

        beat(name="a worker", now=now)
        Traffic().select()
        open_by_hand(
            catalog=idle, kind="tool", target="read_order", reason="x", until=None, by=None, now=now
        )
        found = scrape()
        assert value(found, "worker_up") == 1
        assert value(found, "spans_uncounted") == 1
        assert value(found, "circuits_open", catalog="refunds") == 1
        fold_all(now=now - timedelta(seconds=90))
        found = scrape()
        assert value(found, "spans_uncounted") == 0
        assert value(found, "seconds_since_fold") == pytest.approx(90, abs=30)

    @pytest.mark.django_db
    def test_no_series_is_of_a_tool_or_a_run_and_the_queries_are_few(
        self, with_token: None, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        traffic = Traffic()
        for number in range(3):
            selection = traffic.select(offered=[number])
            traffic.span(selection, name=Span.Name.CALL, decision="allowed", tool=number)
        fold_all(now=NOON)

        with django_assert_num_queries(8):
            found = scrape()

        labels = {name for _series, pairs in found for name, _said in pairs}
        assert labels == {
            *("catalog", "source", "decided_by", "decision", "outcome", "le"),
            *("version", "python", "database"),
        }
        kept = set(TotalCount.objects.values_list("section", flat=True))
        assert not kept & {Section.TOOLS, Section.FACTS, Section.BEGAN}


class TestWhoMayRead:
    @pytest.mark.django_db
    def test_a_key_reads_of_its_own_catalogs(
        self, make_agent: Callable[..., Agent], back_office: Catalog, refunds: Catalog
    ) -> None:
        own = make_agent("reader", actions=["read"], catalogs=[refunds])
        whole = make_agent("all", actions=["read"])

        found = scrape(own.headers["Authorization"].removeprefix("Bearer "))
        assert {said for _s, pairs in found for name, said in pairs if name == "catalog"} == {
            "refunds"
        }
        found = scrape(whole.headers["Authorization"].removeprefix("Bearer "))
        assert value(found, "runs_total", catalog="back-office", source="api") == 0

    @pytest.mark.django_db
    @pytest.mark.parametrize("sent", [None, "Bearer nonsense", "Bearer ", "Basic x", "Bearer é"])
    def test_nobody_else_does(
        self, settings: Any, make_agent: Callable[..., Agent], sent: str | None
    ) -> None:
        headers = {"Authorization": sent} if sent else {}
        for settings.METRICS_TOKEN in ("", TOKEN):
            refused = Client().get("/metrics", headers=headers)
            assert (refused.status_code, refused["WWW-Authenticate"]) == (401, "Bearer")
        asks = make_agent("asks", actions=["select"])
        assert asks.client.get("/metrics", headers=asks.headers).status_code == 403
        assert Client().post("/metrics").status_code == 405

    @pytest.mark.django_db
    def test_a_key_with_a_rate_limit_is_held_to_it(self, make_agent: Callable[..., Agent]) -> None:
        slow = make_agent("slow", actions=["read"], rate_limit=1)
        assert slow.client.get("/metrics", headers=slow.headers).status_code == 200
        assert slow.client.get("/metrics", headers=slow.headers).status_code == 429

    def test_without_a_database_it_says_so(
        self, with_token: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_args: object, **_more: object) -> str:
            raise DatabaseError

        monkeypatch.setattr("routing.api.monitoring.gather", broken)
        answer = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        assert (answer.status_code, answer["Retry-After"]) == (503, "1")


def test_an_answer_is_good_for_some_seconds_and_for_who_asked() -> None:
    now, made = [0.0], iter(range(10))
    answers = Answers(clock=lambda: now[0])

    def ask(who: str) -> str:
        return answers.of(who, lambda: str(next(made)))

    assert [ask("a"), ask("a"), ask("b")] == ["0", "0", "1"]
    now[0] = KEPT
    assert [ask("a"), ask("a")] == ["2", "2"]


def test_the_format_escapes_what_it_must() -> None:
    family = Family("x_total", Kind.COUNTER, "One\\two\nlines")
    family.add(1.5, name='a "b"\\\n')
    times = Family("t_seconds", Kind.HISTOGRAM, "Times.")
    histogram(times, bounds=[0.5, 1], counts=[1, 0, 2], total=7.25)
    nothing = Family("y", Kind.GAUGE, "Nothing.")

    text = exposition([family, times, nothing])

    assert text == (
        "# HELP x_total One\\\\two\\nlines\n"
        "# TYPE x_total counter\n"
        'x_total{name="a \\"b\\"\\\\\\n"} 1.5\n'
        "# HELP t_seconds Times.\n"
        "# TYPE t_seconds histogram\n"
        't_seconds_bucket{le="0.5"} 1\n'
        't_seconds_bucket{le="1"} 1\n'
        't_seconds_bucket{le="+Inf"} 3\n'
        "t_seconds_sum 7.25\n"
        "t_seconds_count 3\n"
    )
    assert read(text)["x_total", frozenset({("name", 'a "b"\\\n')})] == 1.5


def test_no_bin_of_latencies_lies_across_a_bound() -> None:
    from routing.monitoring.counting import LARGEST, SMALLEST, _bucket

    for microseconds in [*range(0, 5000, 7), *(1 << power for power in range(30)), 10**9]:
        low, _colon, width = latency_bin(microseconds).partition(":")
        place = _bucket(int(low))
        assert place == _bucket(int(low) + int(width) - 1)
        assert microseconds < 1 << (place + SMALLEST) or place == LARGEST + 1 - SMALLEST
