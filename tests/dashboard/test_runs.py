"""The pages of runs: a list by outcome and age, and one run from its task to its outcome."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.models import Catalog
from dashboard.metrics.periods import comparison
from dashboard.run_links import RunLinks
from routing.compiled import compiled_release
from routing.models import KeptSince, Run, Span, Text
from routing.spans import hour_of, write_span
from tests.approvals import ask, desk_agent, refund_desk
from tests.dashboard.traffic import Traffic
from tests.eventful import eventful_run
from tests.routing.calls.conftest import Caller

PAGE = "/catalogs/refunds/runs"


@pytest.fixture
def desk(db: None) -> Catalog:
    return refund_desk()


@pytest.fixture
def run(desk: Catalog) -> Run:
    key = desk_agent().key
    return eventful_run(desk, key=key, tool="issue_refund", now=timezone.now())


def at(run: Run) -> str:
    return f"{PAGE}/{run.pk}"


class TestOne:
    def test_everything_that_happened_is_told(self, signed_in: Client, run: Run) -> None:
        page = signed_in.get(at(run)).text
        for said in (
            "Reconcile order 88231 &lt;b&gt;now&lt;/b&gt;",
            "proposed: two",
            "I need more.",
            "plan → review",
            "invalid_arguments",
            "<code>a[0]</code> is missing",
            "Paid twice.",
            "untrusted content",
            "new_orders",
            "only its beginning is kept",
            "abababababab",
            "e/1",
            "corrected later",
            "gave up",
            "attempt 2",
        ):
            assert said in page, said

    def test_a_selection_names_what_circuits_kept_from_it(
        self, signed_in: Client, run: Run
    ) -> None:
        assert "Switched off" not in signed_in.get(at(run)).text
        off = ["read_order", "route:order_status"]
        write_span(run=run, name=Span.Name.ROUTE, now=timezone.now(), switched_off=off)
        page = signed_in.get(at(run)).text
        assert "<dt>Switched off</dt><dd>read_order, route:order_status</dd>" in page

    def test_a_selection_says_what_came_of_it(self, signed_in: Client, run: Run) -> None:
        page = signed_in.get(at(run)).text
        assert "was complete</span>" in page
        assert re.search(r"tools offered, 1 used", page)
        assert 'issue_refund<span class="visually-hidden"> (used)</span>' in page
        assert "Incomplete" not in page
        narrow = write_span(
            run=run,
            name=Span.Name.ROUTE,
            now=timezone.now() + timedelta(minutes=3),
            offered=[1],
            strategy="auto",
            decided_by="rules",
            near_misses=[[0, 0.25, "below_cut"]],
            router={
                "model": "openai:small",
                "groups": ["refunds"],
                "confidence": 0.75,
                "failure": None,
                "unknown_groups": 0,
                "tokens": {"input": 1, "output": 1},
                "cost": 0.0015,
                "latency_ms": 812,
            },
        )
        for tool, reason in ((0, "tool_not_offered"), (1, "")):
            write_span(
                run=run,
                name=Span.Name.CALL,
                now=timezone.now() + timedelta(hours=2),
                selection=narrow,
                tool=tool,
                decision="refused" if reason else "allowed",
                reason=reason,
            )
        first = compiled_release(run.release_id).names[0]
        page = signed_in.get(at(run)).text
        assert f"Incomplete: the agent called what it had not offered: {first}" in page
        assert "+3 min 0 s" in page
        assert "+1 h 57 min" in page
        assert "rules <span" in page  # it was not what was asked for
        assert "(asked for: auto)" in page
        assert f"<code>{first}</code> 0.25" in page
        assert "openai:small" in page
        assert "812 ms" in page

    def test_steps_stand_in_the_order_of_the_record(self, signed_in: Client, run: Run) -> None:
        page = signed_in.get(at(run)).text
        steps = [int(pk) for pk in re.findall(r'id="run-step-(\d+)"', page)]
        assert steps == list(run.spans.order_by("pk").values_list("pk", flat=True))

    def test_an_attempt_that_is_out_says_until_when(self, signed_in: Client, desk: Catalog) -> None:
        caller = Caller(desk_agent())
        caller.draft()
        page = signed_in.get(f"{PAGE}/{Run.objects.get().pk}").text
        assert "The attempt is out until" in page
        assert "Idempotency key" in page

    def test_a_run_of_another_catalog_is_not_there(self, signed_in: Client, run: Run) -> None:
        Catalog.objects.create(name="other", title="Other")
        assert signed_in.get(f"/catalogs/other/runs/{run.pk}").status_code == 404
        assert signed_in.get(f"{PAGE}/{2**70}").status_code == 404

    def test_a_long_run_has_pages(
        self, signed_in: Client, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("dashboard.views.runs.STEPS", 3)
        seen, path = [], at(run)
        assert 'rel="next"' in signed_in.get(path).text
        while path:
            page = signed_in.get(path).text
            seen += [int(pk) for pk in re.findall(r'id="run-step-(\d+)"', page)]
            found = re.search(r'rel="next" href="([^"]+)"', page)
            path = at(run) + found[1] if found else ""
        assert seen == list(run.spans.order_by("pk").values_list("pk", flat=True))
        assert signed_in.get(f"{at(run)}?after=x").status_code == 404

    def test_more_steps_cost_no_query_more(self, signed_in: Client, run: Run) -> None:
        def queries() -> int:
            with CaptureQueriesContext(connection) as captured:
                assert signed_in.get(at(run)).status_code == 200
            return len(captured)

        queries()
        few = queries()
        caller = run.spans.get(name="tool_route")
        for _ in range(20):
            write_span(
                run=run,
                name=caller.Name.CALL,
                now=timezone.now(),
                selection=caller,
                tool=0,
                decision="refused",
                reason="tool_not_offered",
                words={"arguments": {}},
            )
        assert queries() == few <= 12


class TestErasing:
    def test_text_is_gone_after_asking_and_the_page_says_so(
        self, signed_in: Client, desk: Catalog
    ) -> None:
        approval = ask()
        run, key = approval.run, approval.run.key
        used = key.last_used_at
        assert "Erase the text of this run?" in signed_in.get(f"{at(run)}/erase").text
        assert Text.objects.filter(run=run).exists()

        answer = signed_in.post(f"{at(run)}/erase", follow=True)

        assert not Text.objects.filter(run=run).exists()
        page = answer.text
        assert "The text of this run was erased on" in page
        assert "The arguments were erased." in page
        assert "What is owed" not in page
        assert "What is owed" not in signed_in.get(PAGE).text
        key.refresh_from_db()
        assert key.last_used_at == used, "a person's doing is no use of the key"
        approval.refresh_from_db()
        assert approval.arguments is None
        assert approval.expires_at <= timezone.now()


class TestList:
    @pytest.fixture
    def runs(self, run: Run) -> list[Run]:
        """Return runs, newest first, some of which began together."""
        made = [
            Run(
                key=run.key,
                run_id=f"r{number}",
                catalog=run.catalog,
                release=run.release,
                started_at=run.started_at - timedelta(minutes=number // 2),
                outcome="failed" if number % 3 == 0 else "",
            )
            for number in range(6)
        ]
        Run.objects.bulk_create(made)
        return list(Run.objects.order_by("-started_at", "-pk"))

    @staticmethod
    def ids(page: str) -> list[int]:
        return [int(pk) for pk in re.findall(r'href="/catalogs/refunds/runs/(\d+)"', page)]

    def test_pages_hold_each_run_once(
        self, signed_in: Client, runs: list[Run], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("dashboard.views.runs.PAGE", 2)
        seen: list[int] = []
        path = PAGE
        while path:
            page = signed_in.get(path).text
            seen += self.ids(page)
            found = re.search(r'rel="next" href="([^"]+)"', page)
            path = PAGE + found[1] if found else ""
        assert seen == [run.pk for run in runs]

    @pytest.mark.parametrize(("outcome", "value"), [("failed", "failed"), ("unfinished", "")])
    def test_one_outcome_can_be_kept(
        self, signed_in: Client, runs: list[Run], outcome: str, value: str
    ) -> None:
        page = signed_in.get(f"{PAGE}?outcome={outcome}").text
        assert self.ids(page) == [run.pk for run in runs if run.outcome == value]

    def test_what_is_no_outcome_is_not_there(self, signed_in: Client, desk: Catalog) -> None:
        odd = signed_in.get(f"{PAGE}?outcome=odd")
        assert odd.status_code == 422
        assert "Select a valid choice" in odd.text
        assert signed_in.get(f"{PAGE}?before=odd").status_code == 404
        assert "No agent has asked yet." in signed_in.get(PAGE).text
        assert "No such run." in signed_in.get(f"{PAGE}?outcome=failed").text

    def test_the_end_of_the_list_says_what_was_dropped(
        self, signed_in: Client, runs: list[Run]
    ) -> None:
        assert b'id="dropped"' not in signed_in.get(PAGE).content
        assert "were dropped" not in signed_in.get(f"{PAGE}/{2**40}").text
        now = timezone.now()
        KeptSince.objects.create(pk=1, hour=hour_of(now - timedelta(days=1)), at=now)
        assert "Runs that ended before" in signed_in.get(PAGE).text
        gone = signed_in.get(f"{PAGE}/{2**40}")
        assert gone.status_code == 404
        assert "were dropped" in gone.text
        later = signed_in.get(PAGE, {"from": f"{now:%Y-%m-%dT%H:%M}"})
        assert b'id="dropped"' not in later.content

    def test_runs_are_read_once(self, signed_in: Client, runs: list[Run]) -> None:
        signed_in.get(PAGE)
        with CaptureQueriesContext(connection) as captured:
            signed_in.get(PAGE)
        of_runs: list[Any] = [
            one
            for one in captured.captured_queries
            if 'FROM "routing_run"' in one["sql"] and "MAX(" not in one["sql"]
        ]
        # Which they are, and then what is shown of them; PostgreSQL is asked for their last day.
        assert len(of_runs) == 2
        # One or two more see to it that everything is counted, and PostgreSQL has two of its own.
        assert len(captured) <= (13 if connection.vendor == "postgresql" else 11)


class TestFilters:
    def test_links_of_metrics_lead_to_the_runs_that_they_count(self, signed_in: Client) -> None:
        now = timezone.now()
        traffic = Traffic("shop", now=now)
        asking = traffic.select(groups=["billing"], groups_count=1, confidence=0.35)
        traffic.expand(asking, "stock", at=now)
        made_up = traffic.select(source="simulated", groups=["billing"], groups_count=1)
        traffic.select(at=now - timedelta(days=40))
        links = RunLinks(
            catalog="shop",
            period=comparison(name="7d", now=now, zone=timezone.get_current_timezone()).now,
            simulated=False,
        )

        def found(**filters: str | float) -> set[int]:
            page = signed_in.get(links.of(**filters)).text
            return {int(pk) for pk in re.findall(r'href="/catalogs/shop/runs/(\d+)"', page)}

        assert found() == {asking.run_id}
        assert found(group="billing") == {asking.run_id}
        assert found(asked="stock", expanded=1) == {asking.run_id}
        assert found(min_confidence=0.3, max_confidence=0.4) == {asking.run_id}
        assert found(min_confidence=0.4) == set()
        page = signed_in.get("/catalogs/shop/runs?group=billing").text
        assert f"/runs/{made_up.run_id}" in page

    def test_a_page_that_is_not_full_says_how_far_back_it_looked(
        self, signed_in: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = timezone.now()
        traffic = Traffic("shop", now=now)
        new = traffic.select(at=now - timedelta(hours=2), groups=["billing"])
        old = traffic.select(at=now - timedelta(days=2), groups=["billing"])
        monkeypatch.setattr("dashboard.views.runs.PATIENCE", 0)
        monkeypatch.setattr("routing.exploring.searching.FIRST", 1)
        page = signed_in.get("/catalogs/shop/runs?group=billing").text
        assert f"/runs/{new.run_id}" in page
        assert f"/runs/{old.run_id}" not in page
        assert "Looked at all back to" in page
        assert "Look further back" in page

    def test_what_cannot_be_is_said_beside_its_field(
        self, signed_in: Client, desk: Catalog
    ) -> None:
        page = signed_in.get(f"{PAGE}?min_confidence=2&from=yesterday&version=0")
        assert page.status_code == 422
        assert page.text.count("invalid-feedback") == 3
        assert 'value="yesterday"' in page.text
        assert " open>" in page.text  # the fields are folded out

    def test_names_are_offered_while_one_is_typed_unless_they_are_many(
        self, signed_in: Client, desk: Catalog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = signed_in.get(PAGE).text
        assert re.search(r'<input[^>]* name="tool"[^>]* list="known-tools"', page) or re.search(
            r'<input[^>]* list="known-tools"[^>]* name="tool"', page
        )
        assert '<option value="issue_refund"></option>' in page
        count = desk.groups.count() + desk.routes.count()
        monkeypatch.setattr("dashboard.views.runs.NAMES", count)
        page = signed_in.get(PAGE).text
        assert "issue_refund" not in page
        assert page.count("<option value=") > count

    @pytest.mark.parametrize(
        "time", ["0001-01-01T00:00", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"]
    )
    def test_the_ends_of_time_are_none_of_a_run(
        self, signed_in: Client, desk: Catalog, time: str
    ) -> None:
        page = signed_in.get(PAGE, {"from": time, "to": time})
        assert page.status_code == 422
        assert page.text.count("invalid-feedback") == 2
