"""Approvals, runs and the policy tester as a person goes through them, with and without scripts."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from catalog.models import Catalog
from routing.models import Approval, Text, Webhook
from routing.moves import current_move
from routing.releases import publish
from tests.approvals import ask, desk_agent, refund_desk
from tests.browser.conftest import Complaints, carry_session
from tests.eventful import eventful_run
from tests.routing.calls.conftest import Caller


@pytest.fixture
def desk(transactional_db: None, user: User) -> Catalog:
    return refund_desk()


@pytest.fixture
def approval(desk: Catalog) -> Approval:
    return ask()


@pytest.fixture
def plain_page(browser: Browser, live_server: LiveServer, signed_in: Client) -> Iterator[Page]:
    """Yield a page of ana's that runs no scripts."""
    context = browser.new_context(java_script_enabled=False, base_url=live_server.url)
    page = context.new_page()
    carry_session(page, signed_in, live_server)
    yield page
    context.close()


def state() -> str:
    return Approval.objects.get().state


class TestApprovals:
    def test_a_refusal_needs_a_reason(
        self, signed_in_page: Page, approval: Approval, complaints: Complaints
    ) -> None:
        complaints.expect_status(422)
        page = signed_in_page
        page.goto("/catalogs/refunds/approvals")
        expect(page.get_by_role("link", name="Approvals 1 waiting")).to_be_visible()
        page.get_by_role("button", name="Refuse issue_refund").click()
        expect(page.get_by_text("Say why")).to_be_visible()
        expect(page.get_by_label("Reason")).to_be_focused()
        assert state() == "pending"

        page.get_by_label("Reason").fill("It was paid twice.")
        page.get_by_role("button", name="Refuse issue_refund").click()
        expect(page.get_by_role("status")).to_contain_text("issue_refund is refused.")
        row = page.get_by_role("row", name="issue_refund")
        expect(row).to_contain_text("It was paid twice.")
        expect(row).to_contain_text("ana")
        expect(page.get_by_text("Nothing waits for a person.")).to_be_visible()
        assert state() == "refused"

    @pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
    def test_a_destructive_call_is_confirmed(
        self, request: pytest.FixtureRequest, approval: Approval, scripts: bool
    ) -> None:
        page: Page = request.getfixturevalue("signed_in_page" if scripts else "plain_page")
        page.goto("/catalogs/refunds/approvals")
        page.get_by_label("Reason").fill("Checked with billing")
        page.get_by_role("button", name="Approve issue_refund").click()
        expect(page.get_by_text("what it does may not be undone")).to_be_visible()
        expect(page.get_by_text('"amount_cents": 500')).to_be_visible()
        page.get_by_role("link", name="Cancel").click()
        assert state() == "pending"

        page.get_by_label("Reason").fill("Checked with billing")
        page.get_by_role("button", name="Approve issue_refund").click()
        page.get_by_role("button", name="Yes, approve this call").click()
        expect(page.get_by_text("approved, not used yet")).to_be_visible()
        assert Approval.objects.get().reason == "Checked with billing"
        assert state() == "approved"

    def test_the_agent_goes_on_where_a_person_said_yes(
        self, signed_in_page: Page, desk: Catalog
    ) -> None:
        caller = Caller(desk_agent())
        caller.refund()
        signed_in_page.goto("/catalogs/refunds/approvals")
        signed_in_page.get_by_role("button", name="Approve issue_refund").click()
        signed_in_page.get_by_role("button", name="Yes, approve this call").click()
        expect(signed_in_page.get_by_text("approved, not used yet")).to_be_visible()

        assert caller.refund().json()["decision"] == "allowed"

        signed_in_page.reload()
        row = signed_in_page.get_by_role("row", name="issue_refund")
        expect(row).to_contain_text("approved and used")
        row.get_by_role("link", name=caller.run_id).click()
        expect(signed_in_page.get_by_role("heading", name=caller.run_id)).to_be_visible()
        expect(signed_in_page.get_by_text("approved and used").first).to_be_visible()

    def test_long_arguments_unfold(self, signed_in_page: Page, desk: Catalog) -> None:
        approval = ask()
        Approval.objects.update(arguments={"lines": list(range(60))})
        signed_in_page.goto(f"/catalogs/refunds/approvals/{approval.uid}")
        whole = signed_in_page.locator("pre[aria-label=Arguments]")
        expect(whole).to_be_hidden()
        signed_in_page.locator(".folded > summary").click()
        expect(whole).to_contain_text("59")

    def test_a_secret_is_made_copied_and_replaced(
        self, signed_in_page: Page, desk: Catalog
    ) -> None:
        page = signed_in_page
        page.goto("/catalogs/refunds/approvals")
        page.get_by_role("link", name="Webhook").click()
        page.get_by_label("Address").fill("https://example.com/hook")
        page.get_by_role("button", name="Save, and make the secret").click()
        shown = page.get_by_role("group", name="Secret").locator("code")
        first = Webhook.objects.get().secret
        expect(shown).to_have_text(first)
        page.get_by_role("link", name="I have copied it").click()
        expect(page.get_by_text("Nothing was sent yet.")).to_be_visible()
        assert first not in page.content()

        page.get_by_role("button", name="Send a test").click()
        expect(page.get_by_role("status")).to_contain_text("waits for the worker")
        page.get_by_role("link", name="Make another secret").click()
        page.get_by_role("button", name="Make another secret").click()
        second = Webhook.objects.get().secret
        expect(shown).to_have_text(second)
        assert second != first
        page.goto("/catalogs/refunds/approvals/webhook")
        page.get_by_role("button", name="Remove").click()
        expect(page.get_by_role("status")).to_contain_text("The webhook is removed.")
        assert not Webhook.objects.exists()


class TestRuns:
    def test_a_run_is_found_read_and_its_text_erased(
        self, signed_in_page: Page, desk: Catalog
    ) -> None:
        page = signed_in_page
        run = eventful_run(desk, key=desk_agent().key, tool="issue_refund", now=timezone.now())
        page.goto("/catalogs/refunds/runs")
        page.get_by_label("Outcome").select_option("needs_human")
        page.get_by_role("button", name="Filter").click()
        expect(page.get_by_text("No such run.")).to_be_visible()
        page.get_by_label("Outcome").select_option("solved")
        page.get_by_text("More filters").click()
        page.get_by_label("Asked for a group", exact=True).check()
        page.get_by_role("button", name="Filter").click()
        page.get_by_role("link", name="Reconcile order 88231").click()
        expect(page.get_by_role("heading", name=run.run_id)).to_be_visible()
        expect(page.locator("#steps > li")).to_have_count(run.spans.count())

        page.get_by_role("link", name="Erase the text").click()
        page.get_by_role("link", name="Cancel").click()
        assert Text.objects.exists()
        page.get_by_role("link", name="Erase the text").click()
        page.get_by_role("button", name="Erase for good").click()
        expect(page.locator("#erased")).to_be_visible()
        expect(page.get_by_role("link", name="Erase the text")).to_have_count(0)
        assert not Text.objects.exists()


class TestPolicy:
    @pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
    def test_a_call_is_tried_until_it_may_be_made(
        self, request: pytest.FixtureRequest, desk: Catalog, scripts: bool
    ) -> None:
        page: Page = request.getfixturevalue("signed_in_page" if scripts else "plain_page")
        page.goto("/catalogs/refunds/policy")
        page.get_by_label("Route").select_option("desk")
        page.get_by_label("Tool", exact=False).first.fill("issue_refund")
        page.get_by_label("Arguments, as JSON").fill('{"order_id": "88231", "amount_cents": 5}')
        self.ask(page)
        expect(page.locator("#decision")).to_have_text("refused")
        expect(page.locator("#reason")).to_contain_text("missing_scope")
        failed = page.locator('.check[data-state="failed"]')
        expect(failed).to_have_count(1)
        expect(failed).to_contain_text("The key has its scopes")

        page.get_by_label("refunds:issue").check()
        self.ask(page)
        expect(page.locator("#decision")).to_have_text("needs approval")
        page.get_by_label("A person's word").select_option("approved")
        self.ask(page)
        expect(page.locator("#decision")).to_have_text("allowed")
        # What was typed is still there.
        expect(page.get_by_label("Route")).to_have_value("desk")
        assert not Approval.objects.exists()

    @staticmethod
    def ask(page: Page) -> None:
        page.get_by_role("button", name="May it be called?").click()

    def test_what_is_no_json_is_said_beside_it(
        self, signed_in_page: Page, desk: Catalog, complaints: Complaints
    ) -> None:
        complaints.expect_status(422)
        complaints.expect_console("Response Status Error Code 422")
        signed_in_page.goto("/catalogs/refunds/policy")
        signed_in_page.locator("#id_tool").fill("read_order")
        signed_in_page.get_by_label("Arguments, as JSON").fill("{oops")
        self.ask(signed_in_page)
        expect(signed_in_page.get_by_text("This is no JSON")).to_be_visible()
        expect(signed_in_page.get_by_label("Arguments, as JSON")).to_have_value("{oops")

    def test_another_version_brings_its_own_routes(
        self, signed_in_page: Page, desk: Catalog
    ) -> None:
        desk.routes.filter(name="order_status").delete()
        released: Any = publish(
            catalog=desk, author=None, now=timezone.now(), note="", base=desk_base(desk)
        )
        assert released.made
        signed_in_page.goto("/catalogs/refunds/policy")
        routes = signed_in_page.get_by_label("Route").locator("option")
        expect(routes).to_have_count(2)
        signed_in_page.get_by_label("Version").select_option("1")
        expect(routes).to_have_count(3)


def desk_base(catalog: Catalog) -> int:
    """Return the move that made the catalog live."""
    move = current_move(catalog)
    assert move is not None
    return move.pk
