"""Runs as a file: all that the filters leave, with their spans."""

import csv
import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.models import Catalog
from dashboard.streaming import in_blocks
from routing.exploring import exporting
from routing.models import Run, Span
from routing.services.erasing import erase_words
from tests.approvals import desk_agent, refund_desk
from tests.dashboard.traffic import Traffic
from tests.eventful import eventful_run

PAGE = "/catalogs/refunds/runs/runs"


@pytest.fixture
def run(db: None) -> Run:
    desk = refund_desk()
    return eventful_run(desk, key=desk_agent().key, tool="issue_refund", now=timezone.now())


def body(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.streaming
    return b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]


def lines(client: Client, query: str = "") -> list[dict[str, Any]]:
    return [json.loads(line) for line in body(client, f"{PAGE}.jsonl{query}").splitlines()]


def rows(client: Client, query: str = "") -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(body(client, f"{PAGE}.csv{query}"))))


def test_a_line_holds_a_run_with_its_spans_and_their_words(signed_in: Client, run: Run) -> None:
    (one,) = lines(signed_in)
    assert (one["run_id"], one["version"], one["outcome"]) == (run.run_id, "refunds@1", "solved")
    spans = one["spans"]
    assert [span["name"] for span in spans] == list(
        run.spans.order_by("pk").values_list("name", flat=True)
    )
    assert spans[0]["task"] == "Reconcile order 88231 <b>now</b>"
    assert spans[0]["offered"][-1] == "request_group"
    assert {span["selection"] for span in spans[1:]} == {spans[0]["id"]}
    assert spans[3]["arguments"] == {"lines": list(range(40))}
    erase_words(run=run, now=timezone.now())
    (erased,) = lines(signed_in)
    assert erased["text_erased_at"]
    assert erased["spans"][0]["task"] is None


def test_a_row_holds_a_span_and_no_formula(signed_in: Client, run: Run) -> None:
    formula = '=HYPERLINK("http://example.com")'
    run.spans.get(name="tool_route").text.__class__.objects.filter(run=run).update(task=formula)
    Run.objects.update(run_id="@SUM(1)")
    found = rows(signed_in)
    assert [row["name"] for row in found] == list(
        run.spans.order_by("pk").values_list("name", flat=True)
    )
    assert found[0]["task"] == f"'{formula}"
    assert {row["run_id"] for row in found} == {"'@SUM(1)"}
    assert found[0]["groups"] == "one"
    assert json.loads(found[3]["arguments"])["lines"][:2] == [0, 1]


def test_what_the_filters_leave_is_in_it(signed_in: Client, run: Run) -> None:
    traffic = Traffic.of(run.catalog, now=timezone.now())
    old = traffic.select(at=traffic.now - timedelta(days=3), groups=["orders"]).run
    assert {row["run"] for row in rows(signed_in, "?group=orders")} == {str(old.pk)}
    assert [line["run"] for line in lines(signed_in, "?period=24h")] == [run.pk]
    assert [line["run"] for line in lines(signed_in)] == [run.pk, old.pk]
    assert signed_in.get(f"{PAGE}.csv?outcome=odd").status_code == 404
    assert signed_in.get(f"{PAGE}.xlsx").status_code == 404
    page = signed_in.get("/catalogs/refunds/runs?period=24h").text
    assert f'href="{PAGE}.jsonl?period=24h"' in page


def test_pages_and_pieces_lose_nothing_and_cost_no_query_a_run(
    signed_in: Client, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    traffic = Traffic.of(Catalog.objects.get(), now=timezone.now())
    for number in range(7):
        selection = traffic.select(at=traffic.now - timedelta(minutes=number // 2))
        for _ in range(number):
            traffic.span(selection, name=Span.Name.CALL, tool=0, decision="allowed")
    traffic.run()  # that never selected

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert len(lines(signed_in)) == 9
        return len(captured)

    whole = lines(signed_in)
    few = queries()
    monkeypatch.setattr(exporting, "RUNS", 2)
    assert lines(signed_in) == whole
    assert queries() <= few + 4 * 4  # ids, runs, spans, texts of four pages more
    monkeypatch.setattr(exporting, "SPANS", 3)
    assert lines(signed_in) == whole
    assert len(whole) == len({line["run"] for line in whole})
    spans = [span["id"] for line in whole for span in line["spans"]]
    assert len(spans) == len(set(spans)) == Span.objects.count()


def test_lines_are_sent_in_blocks() -> None:
    texts = ["12345"] * 5
    assert list(in_blocks(texts, size=10)) == ["1234512345", "1234512345", "12345"]
    assert list(in_blocks([])) == []
