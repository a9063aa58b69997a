"""Two runs beside each other."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog
from routing.compiled import compiled_release
from routing.models import Run, Span
from tests.dashboard.traffic import Traffic
from tests.samples import published

PAGE = "/catalogs/refunds/runs/compare"


@pytest.fixture
def traffic(db: None) -> Traffic:
    return Traffic.of(published("refunds"), now=timezone.now())


def work(traffic: Traffic, *, tools: list[int], groups: list[str], status: str = "ok") -> Run:
    """Write a run that calls tools, expands before the second, and is solved."""
    run = traffic.run(outcome="solved")
    selection = traffic.select(run=run, groups=groups, offered=[0, 1])
    for place, tool in enumerate(tools):
        if place == 1:
            traffic.expand(selection, "orders")
        traffic.span(selection, name=Span.Name.CALL, tool=tool, decision="allowed")
        traffic.span(selection, name=Span.Name.RESULT, tool=tool, status=status)
    return run


def rows(page: str) -> list[tuple[bool, list[str]]]:
    """Return of each row whether it differs, and the titles of its two steps."""
    found = re.findall(r'<li class="beside-row( differs)?">(.*?)</li>', page, re.DOTALL)
    title = re.compile(r"no such step|#run-step-\d+\">(\w+)</a>(?: <code>(\w+)</code>)?")
    return [
        (bool(differs), [" ".join(filter(None, one)) or "-" for one in title.findall(cells)])
        for differs, cells in found
    ]


def test_steps_of_a_kind_meet_and_what_differs_is_marked(
    signed_in: Client, traffic: Traffic
) -> None:
    names = compiled_release(traffic.release.pk).names
    left = work(traffic, tools=[0, 1], groups=["orders"])
    right = work(traffic, tools=[1], groups=["refunds"], status="fatal_error")
    page = signed_in.get(f"{PAGE}?a={left.pk}&b={right.pk}").text
    assert rows(page) == [
        (False, ["Outcome", "Outcome"]),  # written first by the fixture
        (True, ["Selection", "Selection"]),
        (True, [f"Call {names[0]}", "-"]),
        (True, [f"Result {names[0]}", "-"]),
        (True, ["Expansion orders", "-"]),
        (False, [f"Call {names[1]}"] * 2),
        (True, [f"Result {names[1]}"] * 2),
    ]
    assert "5 of 7 steps differ." in page
    turned = signed_in.get(f"{PAGE}?run={right.pk}&run={left.pk}").text
    assert [differs for differs, _cells in rows(turned)] == [differs for differs, _ in rows(page)]


def test_a_run_is_like_itself(signed_in: Client, traffic: Traffic) -> None:
    run = work(traffic, tools=[0, 1, 0], groups=["orders"])
    page = signed_in.get(f"{PAGE}?a={run.pk}&b={run.pk}").text
    assert "Step for step they are alike." in page
    assert "differs" not in page


def test_two_have_to_be_chosen(signed_in: Client, traffic: Traffic) -> None:
    assert "There is no other run." in signed_in.get(PAGE).text
    one, other, third = (
        traffic.run(at=traffic.now - timedelta(minutes=minutes)) for minutes in range(3)
    )
    assert "Tick two runs" in signed_in.get(PAGE).text
    many = signed_in.get(f"{PAGE}?run={one.pk}&run={other.pk}&run={third.pk}").text
    assert f'type="radio" name="b" value="{other.pk}"' in many
    for nonsense in ("x", "9" * 30, str(third.pk + 1)):
        assert signed_in.get(f"{PAGE}?a={one.pk}&b={nonsense}").status_code == 404
    Catalog.objects.create(name="other", title="Other")
    elsewhere = PAGE.replace("refunds", "other")
    assert signed_in.get(f"{elsewhere}?a={one.pk}&b={other.pk}").status_code == 404
