"""Rules, routes and phases, by mouse and by keyboard."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from catalog.models import Catalog
from tests.browser.conftest import Complaints
from tests.drafts import draft_of

BASE = "/catalogs/back-office"


@pytest.fixture
def catalog(transactional_db: None, user: User) -> Catalog:
    return draft_of()


def test_a_route_is_made_by_keyboard_and_shows_its_reach(
    catalog: Catalog, signed_in_page: Page
) -> None:
    page = signed_in_page
    page.goto(f"{BASE}/routes")
    page.get_by_role("link", name="Add route").first.press("Enter")
    page.get_by_label("Name").focus()
    page.keyboard.type("payments")
    search = page.get_by_role("searchbox", name="Search tools")
    search.focus()
    page.keyboard.type("find_payment")
    found = page.get_by_role("checkbox", name="find_payment").first
    expect(found).to_be_visible()
    page.keyboard.press("Enter")  # searches; it does not send the form
    found.focus()
    page.keyboard.press("Space")
    search.fill("zzz")  # what was ticked is kept below what is looked for next
    expect(page.get_by_text("Nothing is called so.")).to_be_visible()
    expect(page.get_by_role("checkbox", name="find_payment")).to_be_checked()
    page.get_by_role("button", name="Add").press("Enter")
    expect(page.get_by_role("heading", name="payments", level=1)).to_be_visible()
    reach = page.locator("#reach")
    expect(reach).to_contain_text("find_payment")
    reach.get_by_label("Which tools").select_option("denied")
    expect(reach).to_contain_text("not named: denied")
    page.get_by_role("checkbox", name="write").click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("“payments” is saved.")).to_be_visible()
    assert catalog.routes.get().side_effects == ["read", "write"]
    assert [tool.name for tool in catalog.routes.get().tools.all()] == ["find_payment"]


def test_a_rule_moves_by_mouse_and_by_keyboard_and_keeps_the_focus(
    catalog: Catalog, signed_in_page: Page
) -> None:
    page = signed_in_page
    page.goto(f"{BASE}/rules?kind=channel")
    first, second = (str(rule) for rule in catalog.channelrules.all()[:2])
    down = page.get_by_role("button", name=f"Move {first} down")
    down.click()
    expect(page.get_by_text("The rule is moved.")).to_be_visible()
    assert [str(rule) for rule in catalog.channelrules.all()[:2]] == [second, first]
    up = page.get_by_role("button", name=f"Move {first} up")
    up.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#rule-list li").first).to_contain_text(first.split(" ", 1)[1])
    expect(up).to_be_focused()


def test_the_tester_answers_while_it_is_typed_into(
    catalog: Catalog, signed_in_page: Page, complaints: Complaints
) -> None:
    # What is typed next takes the place of the request before it.
    complaints.expect_console("htmx:sendAbort")
    complaints.expect_console("htmx:afterRequest")
    page = signed_in_page
    rule = catalog.intentrules.all()[0]
    page.goto(f"{BASE}/rules?kind=intent")
    page.get_by_label("Task").press_sequentially(rule.phrases[0])
    expect(page.locator("#tried")).to_contain_text("1 rule fires.")
    channel = catalog.channelrules.all()[0]
    page.get_by_label("Came in by").select_option(channel.kind)
    page.get_by_label("called").fill(channel.value)
    expect(page.locator("#tried")).to_contain_text("The channel decides first")


def test_of_two_people_the_second_sees_what_changed(
    catalog: Catalog, signed_in_page: Page, complaints: Complaints
) -> None:
    complaints.expect_status(409)
    page = signed_in_page
    phase = catalog.phases.create(name="intake", description="before")
    page.goto(f"{BASE}/phases/intake")
    catalog.phases.filter(pk=phase.pk).update(description="theirs")
    page.get_by_label("Name").fill("reception")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#overtaken")).to_contain_text("theirs")
    expect(page.get_by_label("Description")).to_have_value("theirs")
    expect(page.get_by_label("Name")).to_have_value("reception")
    page.get_by_role("button", name="Save").press("Enter")
    expect(page.locator("svg.states")).to_contain_text("reception")
    phase.refresh_from_db()
    assert (phase.name, phase.description) == ("reception", "theirs")


def test_a_phase_is_added_by_keyboard_and_drawn(catalog: Catalog, signed_in_page: Page) -> None:
    page = signed_in_page
    catalog.phases.create(name="settling", position=1)
    page.goto(f"{BASE}/phases")
    page.get_by_role("link", name="Add phase").press("Enter")
    page.get_by_label("Name").focus()
    page.keyboard.type("intake")
    for box in ("A run begins here", "settling"):
        page.get_by_role("checkbox", name=box).focus()
        page.keyboard.press("Space")
    search = page.get_by_role("searchbox", name="Search groups")
    search.focus()
    page.keyboard.type("billing")
    page.get_by_role("checkbox", name="billing").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Add").press("Enter")
    expect(page.locator("svg.states .states-initial")).to_contain_text("intake")
    page.get_by_text("7 tools").press("Enter")
    expect(page.get_by_role("link", name="settle_bill")).to_be_visible()
    phase = catalog.phases.get(name="intake")
    assert phase.initial
    assert [other.name for other in phase.next.all()] == ["settling"]


def test_a_rule_is_made_by_mouse_and_refused_where_it_would_do_nothing(
    catalog: Catalog, signed_in_page: Page, complaints: Complaints
) -> None:
    complaints.expect_status(422)
    page = signed_in_page
    page.goto(f"{BASE}/rules")
    page.get_by_role("link", name="Add keyword rule").first.click()
    page.get_by_label("Pattern").fill(r"\b(refund|refunds)\b")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("alert")).to_contain_text("as it is it does nothing")
    page.get_by_role("searchbox", name="Search groups").first.fill("billing")
    page.get_by_role("checkbox", name="billing").first.check()
    page.get_by_role("button", name="Add").click()
    expect(page.locator("#rule-list li")).to_contain_text("refund|refunds")
    rule = catalog.keywordrules.get()
    assert [group.name for group in rule.add_groups.all()] == ["billing"]
