"""The page Metrics: its topics, their tables, and where their numbers lead."""

import re
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.topics import TOPICS
from routing.models import Span
from routing.rollups.folding import catch_up
from tests.dashboard.traffic import Traffic

CHARTS = {
    "advice": [],
    "groups": ["asked-for", "groups"],
    "confidence": ["confidence", "confidence-trend", "reliability", "fallbacks", "decided-by"],
    "sizes": ["coverage", "cost", "tokens", "latency"],
    "tools": [],
    "calls": ["decisions", "refusals", "results"],
    "outcomes": ["silent", "outcomes", "outcomes-trend"],
}


@pytest.fixture
def shop(db: None) -> Traffic:
    """Return a day of traffic in which every chart has something to show."""
    traffic = Traffic("shop", now=timezone.now() - timedelta(hours=1))
    for number in range(24):
        run = traffic.run(outcome="failed" if number % 6 == 0 else "solved")
        selection = traffic.select(
            run=run, groups=["billing"], offered=[0, 1], confidence=0.9 if number else None
        )
        if number % 3 == 1:
            traffic.expand(selection, "stock", offered=[2])
        traffic.span(selection, name=Span.Name.CALL, decision="allowed", tool=number % 3)
        traffic.span(selection, name=Span.Name.RESULT, status="ok", tool=number % 3)
    other = traffic.select(fallback="low_confidence", confidence=0.2, groups_count=0)
    traffic.span(other, name=Span.Name.CALL, decision="refused", reason="tool_not_offered", tool=2)
    return traffic


def text_of(response: Any) -> str:
    assert response.status_code == 200, response.content
    return unescape(str(response.content, "utf-8"))


def rows_of(text: str, section: str) -> dict[str, list[str]]:
    """Return the cells of each row of a section's table by the row's head, without markup."""
    part = (
        text[text.index(f'id="{section}"') :]
        .split("</section>", maxsplit=1)[0]
        .split("</figure>", maxsplit=1)[0]
    )
    rows = {}
    for row in re.findall(r"<tr>(.*?)</tr>", part, re.DOTALL):
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        plain = [" ".join(re.sub(r"<[^>]*>", " ", cell).split()) for cell in cells]
        rows[plain[0]] = plain[1:]
    return rows


@pytest.mark.parametrize("topic", TOPICS)
def test_every_chart_of_a_topic_has_its_table(signed_in: Client, shop: Traffic, topic: str) -> None:
    response = signed_in.get(f"/charts/{topic}?catalog=shop&period=7d")
    text = text_of(response)
    assert re.findall(r'<figure class="overview-chart chart" id="([\w-]+)"', text) == CHARTS[topic]
    assert text.count("<canvas") == len(CHARTS[topic])
    assert text.count('<p class="overview-note">') == len(CHARTS[topic])
    assert f'href="/charts/{topic}?catalog=shop&period=7d" aria-current="page"' in text


def test_the_matrix_says_how_many_of_how_many(signed_in: Client, shop: Traffic) -> None:
    text = text_of(signed_in.get("/charts/groups?catalog=shop&period=7d"))
    assert rows_of(text, "matrix") == {
        "The run began with": ["Runs", "stock"],
        "billing": ["24", "33 % 8 · 18 to 53 %"],
        "no group": ["1", "\u2013"],
    }
    shop.expand(Span.objects.filter(fallback="low_confidence").get(), "stock")
    text = text_of(signed_in.get("/charts/groups?catalog=shop&period=7d"))
    assert rows_of(text, "matrix")["no group"] == ["1", "1 of 1 few"]


def test_a_number_leads_to_its_runs(signed_in: Client, shop: Traffic) -> None:
    text = text_of(signed_in.get("/charts/groups?catalog=shop&period=7d&simulated=0"))
    link = re.search(r'<a href="([^"]+)">33 %</a>', text)
    assert link
    parts = urlsplit(link[1])
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
    response = signed_in.get("/charts/groups?catalog=shop&period=7d")
    period = response.context["periods"].now
    assert parts.path == "/catalogs/shop/runs"
    assert asked == {
        "from": period.first_moment.isoformat(timespec="minutes"),
        "to": period.end_moment.isoformat(timespec="minutes"),
        "began": "billing",
        "asked": "stock",
        "simulated": "0",
    }
    chart = response.context["shown"].blocks[0].chart
    assert len(chart.label_urls) == len(chart.labels) == 7
    starts = [parse_qs(urlsplit(url).query)["from"][0] for url in chart.label_urls]
    assert starts == [begins.isoformat(timespec="minutes") for begins in period.bucket_moments]


def test_bins_of_few_are_no_statement(signed_in: Client, shop: Traffic) -> None:
    url = "/charts/confidence?catalog=shop&period=7d"
    rows = rows_of(text_of(signed_in.get(url)), "reliability")
    # 15 of 23 in the last bin; the fallback has a call, and says nothing of its confidence.
    assert rows["0.90 - 1.00"] == ["90 %", "65.20 %", "23", "15", "44.90 %", "81.20 %"]
    assert rows["0.20 - 0.30"][:4] == ["\u2013", "\u2013", "0", "0"]
    other = Traffic("other", now=timezone.now())
    other.span(other.select(offered=[1]), name=Span.Name.CALL, decision="allowed", tool=1)
    text = text_of(signed_in.get("/charts/confidence?catalog=other&period=90d"))
    assert "Every bin has fewer than 20 selections with calls: too few to say." in text


def test_of_all_catalogs_no_number_leads_anywhere(signed_in: Client, shop: Traffic) -> None:
    for topic in TOPICS:
        text = text_of(signed_in.get(f"/charts/{topic}?catalog=*&period=7d"))
        assert not re.search(r'href="/catalogs/[^/]+/runs\?', text)
    assert "Choose a catalog" in text_of(signed_in.get("/charts?catalog=*"))


def test_tools_are_told_apart_by_what_stands_out(signed_in: Client, shop: Traffic) -> None:
    text = text_of(signed_in.get("/charts/tools?catalog=shop&period=7d"))
    assert rows_of(text, "tools") == {
        "Tool": [
            "Offered at first",
            "Added by expansion",
            "Calls allowed",
            "Before",
            "Only by expansion",
            "Called, not offered",
        ],
        "#0": ["24", "0", "8", "0", "0", "0"],
        "#1": ["24", "0", "8", "0", "0", "0"],
        "#2": ["0", "8", "8", "0", "8 few", "1"],
    }
    for _ in range(40):
        selection = shop.select(offered=[5, 6])
        shop.span(selection, name=Span.Name.CALL, decision="allowed", tool=2)
    # It is wanted, whatever was decided.
    shop.span(selection, name=Span.Name.CALL, decision="needs_approval", tool=6)
    text = text_of(signed_in.get("/charts/tools?catalog=shop&remark=never_used"))
    assert list(rows_of(text, "tools")) == ["Tool", "#5 never used"]
    text = text_of(signed_in.get("/charts/tools?catalog=shop&remark=mostly_added"))
    assert rows_of(text, "tools")["#2 mostly by expansion"][4] == "100 % 48 · 93 to 100 %"


def test_the_period_before_stands_beside_it(signed_in: Client, shop: Traffic) -> None:
    for _ in range(40):
        shop.span(
            shop.select(at=shop.now - timedelta(days=8), offered=[1, 2, 3, 4]),
            at=shop.now - timedelta(days=8),
            name=Span.Name.CALL,
            decision="allowed",
            tool=1,
        )
    response = signed_in.get("/charts/sizes?catalog=shop&period=7d")
    figures = {str(f.label): f for f in response.context["shown"].blocks[0].figures}
    # 16 of 24 had offered what was called; the refused one of the fallback had not.
    assert figures["complete"].value == "64.0 %"
    assert figures["complete"].change == "\u221236.0 points from 100.0 %"
    assert figures["tools offered"].change == "\u22122.08 from 4.00"


@pytest.mark.parametrize("topic", TOPICS)
def test_queries_do_not_grow_with_the_spans(signed_in: Client, shop: Traffic, topic: str) -> None:
    counts = []
    for _ in range(2):
        assert catch_up(now=timezone.now())
        signed_in.get(f"/charts/{topic}?catalog=shop")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            signed_in.get(f"/charts/{topic}?catalog=shop")
        counts.append(len(queries))
        for _more in range(30):
            shop.expand(shop.select(groups=["billing"]), "stock")
    assert counts[0] == counts[1] <= 20


def test_what_is_no_topic_is_not_there(signed_in: Client, shop: Traffic) -> None:
    assert signed_in.get("/charts/nothing?catalog=shop").status_code == 404
    assert signed_in.get("/charts/groups?catalog=shop&period=2d").status_code == 404


def test_without_a_selection_it_says_so(signed_in: Client, db: None) -> None:
    traffic = Traffic("quiet")
    assert "No selection yet" in text_of(signed_in.get("/charts?catalog=quiet"))
    traffic.select(at=timezone.now(), source="simulated")
    hidden = signed_in.get("/charts/calls?catalog=quiet&simulated=0")
    assert "Only simulated traffic in this period" in text_of(hidden)
    assert "No call was proposed." in text_of(signed_in.get("/charts/calls?catalog=quiet"))
