"""Circuits as rows: opened by hand and by failures, probed, closed, and counted."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import Catalog
from routing import circuits
from routing.compiled import CompiledRelease, compiled_release
from routing.keys import make_key
from routing.models import Circuit, Run, Span, ToolCall
from routing.moves import current_move
from routing.policy.circuits import CAPABILITY, ROUTE, ROUTER, TOOL
from routing.services.running import new_run
from routing.spans import write_span
from tests.samples import NOW, published

ROUTED = "refund_investigation"


def at(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


class Calls:
    """Calls of a run, as they stand on record."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        move = current_move(catalog)
        assert move is not None
        self.release: CompiledRelease = compiled_release(move.release_id)
        self.run: Run = new_run(
            key=make_key(name="agent", now=NOW).key,
            release=self.release,
            run_id="r",
            source="api",
            now=NOW,
            route=ROUTED,
        )
        self.run.save()
        self.selection: Span = write_span(run=self.run, name=Span.Name.ROUTE, now=NOW)

    def settle(
        self,
        tool: str,
        *,
        failed: bool,
        now: datetime,
        route: str = ROUTED,
        probe: datetime | None = None,
    ) -> ToolCall:
        """Record a call that ended, and note how; ``probe`` is until when a probe was leased."""
        until = probe or now + timedelta(seconds=10)
        call = self.lease(tool, until=until, route=route, probe=probe is not None)
        call.status = ToolCall.Status.RETRYABLE if failed else ToolCall.Status.OK
        call.settled_at = now
        call.save()
        circuits.note_result(call=call, failed=failed, release=self.release, now=now)
        return call

    def lease(
        self, tool: str, *, until: datetime, route: str = ROUTED, probe: bool = False
    ) -> ToolCall:
        """Record a call that is out."""
        entry = self.release.document["tools"][self.release.position(tool)]
        return ToolCall.objects.create(
            uid=uuid4(),
            run=self.run,
            selection=self.selection,
            catalog=self.catalog,
            key=self.run.key,
            tool=tool,
            capability=entry["capability"],
            route=route,
            arguments_sha256="0" * 64,
            leased_until=until,
            is_probe=probe,
        )


@pytest.fixture
def catalog(db: None) -> Catalog:
    return published("refunds")


@pytest.fixture
def calls(catalog: Catalog) -> Calls:
    return Calls(catalog)


def stands(catalog: Catalog, tool: str, *, now: datetime) -> str:
    gate = circuits.standing(catalog.pk).gate(tool=tool, now=now)
    return "open" if gate.is_open else "half open" if gate.probing else "closed"


def switch(catalog: Catalog, *, target: str = "read_order", **more: object) -> Circuit:
    said = {"kind": TOOL, "reason": "broken", "until": None, "by": None, "now": NOW} | more
    return circuits.open_by_hand(catalog=catalog, target=target, **said)  # type: ignore[arg-type]


class TestByHand:
    def test_it_acts_at_once_until_it_is_closed(self, catalog: Catalog, user: User) -> None:
        assert stands(catalog, "read_order", now=NOW) == "closed"
        row = switch(catalog, by=user)
        assert stands(catalog, "read_order", now=at(10**6)) == "open"
        closed = circuits.close(catalog=catalog, pk=row.pk, by=user, now=at(60))
        assert closed is not None
        assert (closed.closed_at, closed.closed_by, closed.opened_by) == (at(60), user, user)
        assert stands(catalog, "read_order", now=at(60)) == "closed"
        assert circuits.close(catalog=catalog, pk=row.pk, by=user, now=at(61)) is None

    def test_it_ends_by_itself_and_is_put_away(self, catalog: Catalog) -> None:
        row = switch(catalog, until=at(900))
        assert stands(catalog, "read_order", now=at(899)) == "open"
        assert stands(catalog, "read_order", now=at(900)) == "closed"
        assert circuits.close_expired(now=at(899)) == 0
        assert circuits.close_expired(now=at(950)) == 1
        row.refresh_from_db()
        assert (row.closed_at, row.closed_by) == (at(900), None)

    def test_switching_off_again_is_one_opening_for_the_new_reason(self, catalog: Catalog) -> None:
        switch(catalog, until=at(60))
        switch(catalog, reason="still broken", until=at(3600), now=at(30))
        assert stands(catalog, "read_order", now=at(61)) == "open"
        assert [row.reason for row in Circuit.objects.unclosed()] == ["still broken"]
        assert Circuit.objects.count() == 2

    def test_another_catalogs_circuit_cannot_be_closed(self, catalog: Catalog) -> None:
        row = switch(catalog)
        other = Catalog.objects.create(name="other", title="Other")
        assert circuits.close(catalog=other, pk=row.pk, by=None, now=NOW) is None
        assert stands(catalog, "read_order", now=NOW) == "open"

    def test_it_is_named_as_a_selection_needs_it(self, catalog: Catalog) -> None:
        switch(catalog)
        switch(catalog, kind=CAPABILITY, target="refunds.write")
        switch(catalog, kind=ROUTE, target=ROUTED)
        switch(catalog, kind=ROUTER, target="openai:small")
        off = circuits.switched_off(catalog.pk, route=ROUTED, now=NOW)
        assert off == {"read_order", "capability:refunds.write", f"route:{ROUTED}"}
        off = circuits.switched_off(catalog.pk, route="order_status", now=NOW)
        assert off == {"read_order", "capability:refunds.write"}
        assert not circuits.switched_off(catalog.pk, route=None, now=NOW, some=False)


class TestByFailures:
    def test_half_of_five_calls_open_the_tools_circuit_and_no_other(
        self, calls: Calls, catalog: Catalog
    ) -> None:
        for failed in (False, False, True, True):
            calls.settle("read_order", failed=failed, now=NOW)
        assert stands(catalog, "read_order", now=NOW) == "closed"
        calls.settle("read_order", failed=True, now=at(1))
        assert stands(catalog, "read_order", now=at(1)) == "open"
        row = Circuit.objects.get()
        assert (row.kind, row.target, row.until) == ("tool", "read_order", at(31))
        assert row.reason == "3 of 5 within 60 s failed."
        assert stands(catalog, "read_order", now=at(31)) == "half open"

    def test_failures_of_long_ago_do_not_count(self, calls: Calls) -> None:
        for _ in range(4):
            calls.settle("read_order", failed=True, now=NOW)
        calls.settle("read_order", failed=True, now=at(60.1))
        assert not Circuit.objects.exists()

    def test_calls_that_nothing_came_of_count(self, calls: Calls) -> None:
        for _ in range(4):
            calls.lease("read_order", until=at(10))
        calls.lease("read_order", until=at(100))  # is not over
        calls.settle("read_order", failed=True, now=at(9))
        assert not Circuit.objects.exists()
        lost = calls.lease("read_order", until=at(11))
        circuits.note_result(call=lost, failed=True, release=calls.release, now=at(12))
        assert Circuit.objects.get().reason == "6 of 6 within 60 s failed."

    def test_several_tools_that_fail_open_their_route(self, calls: Calls, catalog: Catalog) -> None:
        for tool in ("read_order", "search_refund_policy") * 2:
            calls.settle(tool, failed=True, now=NOW)
        assert not Circuit.objects.exists()
        calls.settle("read_order", failed=True, now=NOW)
        assert {(row.kind, row.target) for row in Circuit.objects.all()} == {(ROUTE, ROUTED)}
        off = circuits.switched_off(catalog.pk, route=ROUTED, now=at(1))
        assert off == {f"route:{ROUTED}"}

    def test_a_success_costs_no_query(self, calls: Calls) -> None:
        call = calls.lease("read_order", until=at(10))
        with CaptureQueriesContext(connection) as queries:
            circuits.note_result(call=call, failed=False, release=calls.release, now=NOW)
        assert len(queries) == 0

    def test_opening_it_twice_makes_one_row(self, catalog: Catalog) -> None:
        for _ in range(2):
            circuits.open_for_failures(
                catalog_id=catalog.pk, kind=TOOL, target="read_order", reason="x", now=NOW
            )
        assert Circuit.objects.count() == 1


class TestProbes:
    @pytest.fixture(autouse=True)
    def _opened(self, calls: Calls) -> None:
        for _ in range(5):
            calls.settle("read_order", failed=True, now=NOW)

    def claim(self, catalog: Catalog, *, now: datetime) -> bool:
        gate = circuits.standing(catalog.pk).gate(tool="read_order", route=ROUTED, now=now)
        assert not gate.is_open
        until = now + timedelta(seconds=10)
        return circuits.claim_probe(catalog_id=catalog.pk, gate=gate, until=until, now=now)

    def test_one_is_let_through_at_a_time(self, catalog: Catalog) -> None:
        stale = circuits.standing(catalog.pk).gate(tool="read_order", now=at(30))
        assert self.claim(catalog, now=at(30))
        assert stands(catalog, "read_order", now=at(31)) == "open"
        # Another process, which does not know of it yet, is not let through.
        assert not circuits.claim_probe(catalog_id=catalog.pk, gate=stale, until=at(41), now=at(31))

    def test_a_success_closes_it_and_what_failed_before_is_forgotten(
        self, calls: Calls, catalog: Catalog
    ) -> None:
        assert self.claim(catalog, now=at(30))
        calls.settle("read_order", failed=False, now=at(31), probe=at(40))
        assert stands(catalog, "read_order", now=at(31)) == "closed"
        for _ in range(4):
            calls.settle("read_order", failed=True, now=at(32))
        assert stands(catalog, "read_order", now=at(32)) == "closed"
        calls.settle("read_order", failed=True, now=at(33))
        assert stands(catalog, "read_order", now=at(33)) == "open"

    def test_a_failure_opens_it_for_twice_as_long(self, calls: Calls, catalog: Catalog) -> None:
        assert self.claim(catalog, now=at(30))
        calls.settle("read_order", failed=True, now=at(31), probe=at(40))
        assert stands(catalog, "read_order", now=at(90)) == "open"
        assert stands(catalog, "read_order", now=at(91)) == "half open"
        assert Circuit.objects.get().openings == 2

    def test_a_probe_that_is_lost_opens_it_for_longer_too(self, catalog: Catalog) -> None:
        assert self.claim(catalog, now=at(30))
        assert stands(catalog, "read_order", now=at(99)) == "open"
        assert self.claim(catalog, now=at(100))
        assert Circuit.objects.get().openings == 2

    def test_of_a_probe_that_was_given_up_nothing_comes(
        self, calls: Calls, catalog: Catalog
    ) -> None:
        assert self.claim(catalog, now=at(30))
        assert self.claim(catalog, now=at(100))
        for failed in (True, False):
            calls.settle("read_order", failed=failed, now=at(101), probe=at(40))
        row = Circuit.objects.get()
        assert (row.closed_at, row.probe_until, row.openings) == (None, at(110), 2)
        calls.settle("read_order", failed=False, now=at(102), probe=at(110))
        assert stands(catalog, "read_order", now=at(102)) == "closed"

    def test_a_call_from_before_it_opened_changes_nothing(
        self, calls: Calls, catalog: Catalog
    ) -> None:
        calls.settle("read_order", failed=False, now=at(31))
        calls.settle("read_order", failed=True, now=at(31))
        assert stands(catalog, "read_order", now=at(32)) == "half open"
        assert Circuit.objects.count() == 1

    def test_a_call_is_the_probe_of_all_or_of_none(self, calls: Calls, catalog: Catalog) -> None:
        circuits.open_for_failures(
            catalog_id=catalog.pk, kind=ROUTE, target=ROUTED, reason="x", now=NOW
        )
        gate = circuits.standing(catalog.pk).gate(tool="read_order", route=ROUTED, now=at(30))
        assert len(gate.probing) == 2
        Circuit.objects.filter(kind=ROUTE).update(probe_until=at(40))
        assert not circuits.claim_probe(catalog_id=catalog.pk, gate=gate, until=at(41), now=at(30))
        assert Circuit.objects.get(kind=TOOL).probe_until is None
