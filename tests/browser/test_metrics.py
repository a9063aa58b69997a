"""Metrics as a person uses them: topics, a click on a chart, advice drafted and taken back."""

from datetime import timedelta
from typing import Literal

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from dashboard.topics import TOPICS
from routing.models import Span
from tests.browser.test_every_page import CONTRAST, DESKTOP, FAULTS, PHONE
from tests.dashboard.traffic import Traffic
from tests.samples import published


@pytest.fixture
def traffic(transactional_db: None, user: User) -> Traffic:
    """Return runs of the back office that began with logistics and often asked for stock."""
    now = timezone.now() - timedelta(hours=1)
    catalog = published("back-office", now=now - timedelta(days=20), exploration=0)
    traffic = Traffic.of(catalog, now=now)
    tools = list(catalog.tools.order_by("position").values_list("name", flat=True))
    for number in range(40):
        run = traffic.run(outcome="failed" if number % 5 == 0 else "solved")
        selection = traffic.select(run=run, groups=["logistics"], offered=[0, 1])
        if number % 2:
            traffic.expand(selection, "stock")
        at = tools.index("check_stock")
        traffic.span(selection, name=Span.Name.CALL, decision="allowed", tool=at)
        traffic.span(selection, name=Span.Name.RESULT, status="ok", tool=at)
    return traffic


def test_every_topic_can_be_read_wide_and_narrow(signed_in_page: Page, traffic: Traffic) -> None:
    faults = []
    for size in (DESKTOP, PHONE):
        scheme: Literal["light", "dark"] = "dark" if size == PHONE else "light"
        signed_in_page.set_viewport_size({"width": size[0], "height": size[1]})
        signed_in_page.emulate_media(color_scheme=scheme)
        for topic in TOPICS:
            path = reverse("dashboard:metrics_topic", kwargs={"topic": topic})
            signed_in_page.goto(f"{path}?catalog=back-office&period=7d")
            found = [*signed_in_page.evaluate(FAULTS), *signed_in_page.evaluate(CONTRAST)]
            faults += [f"{topic}, {scheme}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)


def test_a_click_on_a_bar_leads_to_the_runs_of_its_day_and_kind(
    signed_in_page: Page, traffic: Traffic
) -> None:
    signed_in_page.goto("/charts?catalog=back-office&period=7d")
    signed_in_page.get_by_role("link", name="Groups asked for").click()
    expect(signed_in_page).to_have_url("/charts/groups?catalog=back-office&period=7d")
    canvas = signed_in_page.locator("#asked-for canvas")
    place = canvas.evaluate(
        "(canvas) => { const bars = Chart.getChart(canvas).getDatasetMeta(0).data;"
        " const last = bars.filter((bar) => bar.height > 0).at(-1);"
        " return {x: last.x, y: (last.y + last.base) / 2}; }"
    )
    canvas.click(position=place)
    signed_in_page.wait_for_url("**/catalogs/back-office/runs?*")
    assert "asked=stock" in signed_in_page.url
    assert "expanded=1" in signed_in_page.url
    assert signed_in_page.url.count("from=") == 1


def test_advice_is_drafted_by_its_button_and_taken_back(
    signed_in_page: Page, traffic: Traffic
) -> None:
    signed_in_page.goto("/charts?catalog=back-office&period=7d")
    advice = signed_in_page.locator("[data-advice='asked:logistics>stock']")
    expect(advice).to_contain_text("95 % interval 35 to 65 %")
    advice.get_by_role("button", name="Draft the change").click()
    expect(advice.get_by_text("in the draft")).to_be_visible()
    group = traffic.catalog.groups.get(name="logistics")
    assert group.tools.filter(name="check_stock").exists()
    signed_in_page.get_by_role("button", name="Undo").click()
    expect(advice.get_by_role("button", name="Draft the change")).to_be_visible()
    assert not group.tools.filter(name="check_stock").exists()

    # The overview loads the surest of it by itself.
    signed_in_page.goto("/?catalog=back-office&period=7d")
    advice.get_by_role("button", name="Draft the change").click()
    signed_in_page.wait_for_url("**/charts/advice?*")
    assert group.tools.filter(name="check_stock").exists()
