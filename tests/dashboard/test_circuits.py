"""The page of circuits: what is switched off and was, and switching it off and on."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.models import Catalog
from catalog.roles import Role
from routing.circuit_board import board
from routing.circuits import close, open_by_hand, open_for_failures, reason_of, standing
from routing.models import Circuit
from tests.drafts import draft_of, empty_catalog
from tests.members import client_of, member

PAGE = "/catalogs/back-office/circuits"
BROKEN = {"kind": "tool", "target": "find_payment", "reason": "It errs.", "lasts": "1h"}


@pytest.fixture
def catalog(db: None) -> Catalog:
    return draft_of("back-office")


def text_of(response: Any) -> str:
    return " ".join(unescape(response.text).split())


def is_off(catalog: Catalog, tool: str, *, capability: str = "") -> bool:
    gate = standing(catalog.pk).gate(tool=tool, capability=capability, now=timezone.now())
    return gate.is_open


def switch(catalog: Catalog, target: str = "find_payment", **more: Any) -> Circuit:
    said = {"kind": "tool", "reason": "It errs.", "until": None, "by": None} | more
    return open_by_hand(catalog=catalog, target=target, now=timezone.now(), **said)


class TestSwitchingOff:
    def test_it_acts_and_is_shown_with_why_and_by_whom(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        response = signed_in.post(PAGE, BROKEN, follow=True)
        page = text_of(response)
        assert "“find_payment” is switched off." in page
        assert is_off(catalog, "find_payment")
        row = Circuit.objects.get()
        assert row.until is not None
        assert timedelta(minutes=59) < row.until - timezone.now() <= timedelta(hours=1)
        assert (row.opened_by and row.opened_by.username) == "ana"
        for shown in ("by hand", "It errs.", ", ana", "59 minutes from now"):
            assert shown in page

    @pytest.mark.parametrize(
        ("lasts", "time"),
        [("15m", timedelta(minutes=15)), ("1d", timedelta(days=1)), ("closed", None)],
    )
    def test_it_lasts_as_long_as_was_said(
        self, signed_in: Client, catalog: Catalog, lasts: str, time: timedelta | None
    ) -> None:
        signed_in.post(PAGE, BROKEN | {"lasts": lasts})
        row = Circuit.objects.get()
        assert (row.until and row.until - row.opened_at) == time

    @pytest.mark.parametrize(
        ("kind", "target"), [("capability", "billing.write"), ("router", "openai:small")]
    )
    def test_capabilities_and_the_router_model_too(
        self, signed_in: Client, catalog: Catalog, settings: Any, kind: str, target: str
    ) -> None:
        settings.LLM_ROUTER, settings.LLM_ROUTER_KEY = "openai:small", "k"
        if kind == "capability":
            target = catalog.tools.exclude(capability="").values_list("capability", flat=True)[0]
        response = signed_in.post(PAGE, BROKEN | {"kind": kind, "target": target})
        assert response.status_code == 302
        assert (Circuit.objects.get().kind, Circuit.objects.get().target) == (kind, target)

    def test_a_route_of_the_draft_or_of_what_is_live(self, signed_in: Client) -> None:
        draft_of("refunds")
        page = "/catalogs/refunds/circuits"
        sent = BROKEN | {"kind": "route", "target": "order_status"}
        assert signed_in.post(page, sent).status_code == 302

    @pytest.mark.parametrize(
        ("said", "why"),
        [
            ({"target": "find_paymnt"}, "There is none of this name. Did you mean find_payment"),
            ({"target": "zzzzzzzz"}, "There is none of this name."),
            ({"kind": "capability"}, "There is none of this name."),
            ({"kind": "router", "target": "openai:small"}, "Select a valid choice."),
            ({"reason": " "}, "This field is required."),
            ({"reason": "x" * 501}, "at most 500 characters"),
            ({"lasts": "2h"}, "Select a valid choice."),
            ({"target": ""}, "This field is required."),
        ],
    )
    def test_what_cannot_be_is_said_beside_the_field(
        self, signed_in: Client, catalog: Catalog, said: dict[str, str], why: str
    ) -> None:
        response = signed_in.post(PAGE, BROKEN | said)
        assert response.status_code == 422
        assert why in text_of(response)
        assert not Circuit.objects.exists()

    def test_a_link_fills_the_form(self, signed_in: Client, catalog: Catalog) -> None:
        page = signed_in.get(f"{PAGE}?kind=tool&target=check_stock").text
        assert 'value="check_stock"' in page


class TestClosing:
    def test_it_lets_calls_through_again_and_is_history(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        row = switch(catalog)
        page = text_of(signed_in.post(f"{PAGE}/{row.pk}/close", follow=True))
        assert "The circuit of “find_payment” is closed" in page
        assert "Nothing is switched off." in page
        assert not is_off(catalog, "find_payment")
        row.refresh_from_db()
        assert row.closed_by is not None
        again = text_of(signed_in.post(f"{PAGE}/{row.pk}/close", follow=True))
        assert "is closed: calls" not in again

    def test_a_circuit_of_another_catalog_is_not_found(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        other = switch(empty_catalog())
        assert signed_in.post(f"{PAGE}/{other.pk}/close").status_code == 404
        assert signed_in.get(f"{PAGE}/{other.pk}/close").status_code == 405
        assert Circuit.objects.unclosed().exists()


class TestWhatIsShown:
    def test_an_empty_page_says_what_circuits_are_for(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        page = text_of(signed_in.get(PAGE))
        assert "takes a tool, a capability or a route away from every agent at once" in page
        assert "Nothing so far." in page

    def test_a_catalog_without_tools_says_so(self, signed_in: Client) -> None:
        empty_catalog()
        page = text_of(signed_in.get("/catalogs/empty/circuits"))
        assert "There is nothing to switch off." in page

    def test_failures_half_open_and_probing_are_told_apart(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        now = timezone.now()
        for name in ("find_payment", "check_stock", "reserve_stock"):
            open_for_failures(
                catalog_id=catalog.pk, kind="tool", target=name, reason="5 of 5.", now=now
            )
        past = now - timedelta(minutes=2)
        Circuit.objects.exclude(target="find_payment").update(opened_at=past, until=past)
        Circuit.objects.filter(target="reserve_stock").update(
            probe_until=now + timedelta(minutes=1), openings=3
        )
        page = text_of(signed_in.get(PAGE))
        assert "one call is tried" in page
        assert "the next call shows whether it works again" in page
        assert "one call is being tried" in page
        assert "opened 3 times in a row" in page

    def test_failures_are_told_in_the_readers_language(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        open_for_failures(
            catalog_id=catalog.pk,
            kind="tool",
            target="find_payment",
            reason=reason_of(settled=8, failed=5),
            now=timezone.now(),
        )
        assert "5 of 8 calls within 60 s failed." in text_of(signed_in.get(PAGE))
        spanish = text_of(signed_in.get(PAGE, headers={"Accept-Language": "es"}))
        assert "Fallaron 5 de 8 llamadas en 60 s." in spanish

    def test_history_says_how_each_ended(
        self, signed_in: Client, catalog: Catalog, user: Any
    ) -> None:
        now = timezone.now()
        switch(catalog, "check_stock", until=now + timedelta(hours=1))
        Circuit.objects.update(opened_at=now - timedelta(hours=2), until=now - timedelta(hours=1))
        close(catalog=catalog, pk=switch(catalog).pk, by=user, now=timezone.now())
        open_for_failures(
            catalog_id=catalog.pk, kind="tool", target="reserve_stock", reason="5 of 5.", now=now
        )
        Circuit.objects.filter(by_hand=False).update(closed_at=timezone.now())
        page = text_of(signed_in.get(PAGE))
        assert "Nothing is switched off." in page
        for how in ("its time was over", "a call worked again", "ana"):
            assert how in page.split("What was switched off")[1]

    def test_the_number_of_queries_does_not_grow(
        self, signed_in: Client, catalog: Catalog, user: Any
    ) -> None:
        counts = []
        for names in (["find_payment"], ["check_stock", "reserve_stock", "settle_bill"]):
            for name in names:
                close(
                    catalog=catalog,
                    pk=switch(catalog, name, by=user).pk,
                    by=user,
                    now=timezone.now(),
                )
                switch(catalog, name, by=user)
            signed_in.get(PAGE)
            with CaptureQueriesContext(connection) as queries:
                signed_in.get(PAGE)
            counts.append(len(queries))
        assert counts[0] == counts[1]

    def test_a_long_history_has_pages(self, signed_in: Client, catalog: Catalog) -> None:
        for number in range(21):
            row = switch(catalog, reason=f"reason {number:02}")
            close(catalog=catalog, pk=row.pk, by=None, now=timezone.now())
        assert "reason 00" not in signed_in.get(PAGE).text
        assert "reason 00" in signed_in.get(f"{PAGE}?page=2").text


class TestWhoMay:
    @pytest.mark.parametrize("role", [Role.VIEWER, Role.EDITOR])
    def test_others_read_and_change_nothing(self, catalog: Catalog, role: Role) -> None:
        client = client_of(member(catalog, role))
        row = switch(catalog)
        page = text_of(client.get(PAGE))
        assert "find_payment" in page
        assert "you need the role “publisher”" in page
        assert "Close the circuit" not in page
        assert client.post(PAGE, BROKEN | {"target": "check_stock"}).status_code == 403
        assert client.post(f"{PAGE}/{row.pk}/close").status_code == 403
        assert Circuit.objects.unclosed().count() == 1

    def test_a_publisher_may(self, catalog: Catalog) -> None:
        client = client_of(member(catalog, Role.PUBLISHER))
        assert client.post(PAGE, BROKEN).status_code == 302
        assert client.post(f"{PAGE}/{Circuit.objects.get().pk}/close").status_code == 302

    def test_to_strangers_it_does_not_exist(self, catalog: Catalog, client: Client) -> None:
        row = switch(catalog)
        stranger = client_of(member(None, None))
        assert stranger.get(PAGE).status_code == 404
        assert stranger.post(f"{PAGE}/{row.pk}/close").status_code == 404
        assert client.get(PAGE)["Location"].startswith("/sign-in")


class TestBadges:
    def test_the_list_and_the_tools_page_mark_what_is_off(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        tools, tool = "/catalogs/back-office/tools", "/catalogs/back-office/tools/find_payment"
        assert "switched off by hand" not in signed_in.get(tools).text
        switch(catalog)
        assert signed_in.get(tools).text.count("switched off by hand") == 1
        assert "switched off by hand" in signed_in.get(tool).text

    def test_a_capability_marks_each_of_its_tools(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        capability = catalog.tools.exclude(capability="").values_list("capability", flat=True)[0]
        switch(catalog, capability, kind="capability")
        marked = signed_in.get("/catalogs/back-office/tools").text.count("switched off by hand")
        assert marked == catalog.tools.filter(capability=capability).count()

    def test_they_cost_one_query_and_that_once_a_second(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        signed_in.get("/catalogs/back-office/tools")

        def cost() -> int:
            with CaptureQueriesContext(connection) as queries:
                signed_in.get("/catalogs/back-office/tools")
            return sum("routing_circuit" in query["sql"] for query in queries)

        assert cost() == 0
        board.clear()
        assert cost() == 1
