"""No sequence of requests gets a call allowed that must not be.

What must not be is said a second time here, from what the agent was answered and what people did,
and not from the code that decides.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from catalog.models import Catalog
from routing.circuits import close, open_by_hand
from routing.models import Approval, Circuit, Run, ToolCall
from tests.routing.calls.conftest import REFUND, decide, desk_document
from tests.routing.calls.test_idempotency import end_lease
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db

DESK = desk_document()
TOOLS = {tool["name"]: tool for tool in DESK["tools"]}
ON_ROUTE = {
    "desk": {"read_order", "search_refund_policy", "draft_refund_request", "issue_refund"},
    "refund_investigation": {"read_order", "search_refund_policy", "draft_refund_request"},
    "order_status": {"read_order"},
}
GOOD: dict[str, Any] = {
    "read_order": {"order_id": "1"},
    "read_invoice": {"order_id": "1"},
    "read_ledger": {"order_id": "1"},
    "search_refund_policy": {"query": "x"},
    "draft_refund_request": REFUND,
    "issue_refund": REFUND,
}
CALLS_OF_A_RUN = 3

SOME = st.integers(0, 3)
KEYS = st.sampled_from([None, "a", "b", "c", "d"])
OPERATIONS = [
    st.tuples(
        st.just("select"),
        st.integers(0, 1),
        st.sampled_from(sorted(ON_ROUTE)),
        st.sampled_from(["all", "all", "keyword"]),
        st.booleans(),
    ),
    st.tuples(st.just("expand"), SOME, st.sampled_from(["orders", "refunds"])),
    st.tuples(st.just("reselect"), SOME, st.sampled_from(sorted(TOOLS))),
    st.tuples(st.just("insist"), SOME, KEYS),
    st.tuples(st.just("result"), SOME, st.sampled_from(["ok", "retryable_error", "fatal_error"])),
    st.tuples(st.just("decide"), SOME, st.sampled_from(["approved", "refused"])),
    st.tuples(
        st.just("open"),
        st.sampled_from(
            [("tool", "read_order"), ("capability", "refunds.issue"), ("route", "desk")]
        ),
    ),
    st.tuples(st.just("close")),
    st.tuples(st.just("time")),
    st.tuples(st.just("narrow"), st.sampled_from([[], [], ["desk"], ["order_status"]])),
]
PROPOSAL = st.tuples(
    st.just("propose"),
    SOME,
    st.sampled_from([*TOOLS, "read_order", "get_order", "ISSUE_REFUND", "request_group"]),
    KEYS,
    st.sampled_from(["good", "good", "good", "other", "bad"]),
    st.sampled_from([None, None, 0, 1]),
)
OPERATION = st.one_of(*OPERATIONS, *[PROPOSAL] * len(OPERATIONS))


@dataclass
class World:
    """What the agent was told and what people did."""

    agent: Agent
    scopes: set[str]
    prefix: str = field(default_factory=lambda: uuid4().hex)
    selections: list[dict[str, Any]] = field(default_factory=list)
    calls: list[tuple[str, int]] = field(default_factory=list)
    approvals: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)
    approved: set[tuple[Any, ...]] = field(default_factory=set)
    bound: dict[tuple[str, str], str] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)
    off: set[str] = field(default_factory=set)
    routes: list[str] = field(default_factory=list)

    def act(self, operation: tuple[Any, ...]) -> None:
        """Do one thing."""
        name, *rest = operation
        getattr(self, name)(*rest)

    def select(self, number: int, route: str, strategy: str, search: bool) -> None:
        sent: dict[str, Any] = {
            "catalog": "refunds",
            "task": "What about order 88231?",
            "route": route,
            "strategy": strategy,
            "run_id": f"{self.prefix}.{number}.{route}",
            "max_tools": 1,
        }
        if search:
            sent |= {"format": "anthropic", "tool_search": True}
        response = self.agent.post("/selections", sent)
        if response.status_code != 403:  # the key's routes were narrowed
            self.keep(response, route)

    def keep(self, response: Any, route: str) -> None:
        assert response.status_code == 201, response.content
        answer = response.json()
        offered = {*answer["tool_names"], *answer["deferred"]}
        self.selections.append(
            {"id": answer["id"], "run": answer["run_id"], "route": route, "offered": offered}
        )

    def expand(self, number: int, group: str) -> None:
        if selection := self.pick(self.selections, number):
            path = f"/selections/{selection['id']}/expansions"
            response = self.agent.post(path, {"group": group})
            if response.status_code in {200, 201}:
                selection["offered"] |= set(response.json()["tool_names"])

    def reselect(self, number: int, tool: str) -> None:
        if selection := self.pick(self.selections, number):
            path = f"/selections/{selection['id']}/reselections"
            response = self.agent.post(path, {"tool": tool})
            if response.status_code == 201:
                self.keep(response, selection["route"])

    def propose(
        self, number: int, tool: str, key: str | None, kind: str, approval: int | None
    ) -> None:
        selection = self.pick(self.selections, number)
        if selection is None:
            return
        real = {"get_order": "read_order"}.get(tool, tool)
        arguments = dict(GOOD.get(real, {}))
        if kind == "other" and "order_id" in arguments:
            arguments["order_id"] = "other"
        sent = {"tool": tool, "arguments": {"x": 1} if kind == "bad" else arguments}
        if key is not None:
            sent["idempotency_key"] = key
        if approval is not None and self.approvals:
            sent["approval_id"] = self.approvals[approval % len(self.approvals)][0]
        response = self.agent.post(f"/selections/{selection['id']}/calls", sent)
        if response.status_code == 409:
            return
        call = response.json()
        this = (selection["run"], real, tuple(sorted(arguments.items())))
        if call["decision"] == "needs_approval":
            self.approvals.append((call["approval_id"], this))
        if response.status_code == 201 and call["decision"] == "allowed":
            self.check(selection, real, key, kind, this, call)

    def check(
        self,
        selection: dict[str, Any],
        tool: str,
        key: str | None,
        kind: str,
        this: tuple[Any, ...],
        call: dict[str, Any],
    ) -> None:
        """Hold a call that was allowed against all that must be so."""
        run = selection["run"]
        assert tool in ON_ROUTE[selection["route"]]
        assert not self.routes or selection["route"] in self.routes
        assert tool in selection["offered"]
        assert TOOLS[tool]["enabled"]
        assert not self.off & {tool, TOOLS[tool]["capability"], selection["route"]}
        assert set(TOOLS[tool]["scopes"]) <= self.scopes
        assert kind != "bad"
        if TOOLS[tool]["side_effect"] != "read":
            assert key is not None
        if call["attempt"] == 1:
            self.spent[run] = self.spent.get(run, 0) + 1
            assert self.spent[run] <= CALLS_OF_A_RUN
            if TOOLS[tool]["needs_approval"]:
                assert this in self.approved
                self.approved.remove(this)
            if key is not None:
                assert (run, key) not in self.bound
                self.bound[run, key] = call["id"]
        else:
            assert self.bound[run, key or ""] == call["id"]
        assert call["attempt"] <= TOOLS[tool]["max_attempts"]
        self.calls.append((call["id"], call["attempt"]))

    def insist(self, number: int, key: str | None) -> None:
        """Propose the refund, have a person say yes, and propose it again."""
        self.propose(number, "issue_refund", key, "good", None)
        self.decide(0, "approved")
        self.propose(number, "issue_refund", key, "good", None)

    def narrow(self, routes: list[str]) -> None:
        type(self.agent.key).objects.filter(pk=self.agent.key.pk).update(routes=routes)
        self.routes = routes

    def result(self, number: int, status: str) -> None:
        if call := self.pick(self.calls, number):
            sent = {"attempt": call[1], "status": status, "data": {"order_id": "1"}}
            self.agent.post(f"/calls/{call[0]}/results", sent)

    def decide(self, number: int, state: str) -> None:
        if approval := self.pick(self.approvals, number):
            uid, this = approval
            if Approval.objects.get(uid=uid).state == "pending":
                decide(uid, state)
                if state == "approved":
                    self.approved.add(this)

    def open(self, circuit: tuple[str, str]) -> None:
        kind, target = circuit
        open_by_hand(
            catalog=Catalog.objects.get(name="refunds"),
            kind=kind,
            target=target,
            reason="x",
            until=None,
            by=None,
            now=timezone.now(),
        )
        self.off.add(target)

    def close(self) -> None:
        for circuit in Circuit.objects.unclosed():
            close(catalog=circuit.catalog, pk=circuit.pk, by=None, now=timezone.now())
        self.off.clear()

    def time(self) -> None:
        end_lease()

    @staticmethod
    def pick(things: list[Any], number: int) -> Any:
        """Return one of the newest things, if there are any."""
        return things[-1 - number % len(things)] if things else None


@pytest.mark.parametrize("scopes", [[], ["refunds:issue"]])
def test_no_sequence_of_requests_gets_a_call_allowed_that_must_not_be(
    make_agent: Callable[..., Agent], desk: Catalog, scopes: list[str]
) -> None:
    agent = make_agent(scopes=scopes, budget={"calls": CALLS_OF_A_RUN})
    allowed: set[str] = set()

    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    @example([("propose", 0, "read_order", "a", "good", None)])
    @given(st.lists(OPERATION, min_size=6, max_size=30))
    def walk(operations: list[tuple[Any, ...]]) -> None:
        world = World(agent, set(scopes))
        world.select(0, "desk", "all", False)
        for operation in operations:
            world.act(operation)
        world.close()
        world.narrow([])
        assert all(spent <= CALLS_OF_A_RUN for spent in world.spent.values())
        allowed.update(ToolCall.objects.values_list("tool", flat=True))

    walk()
    assert "read_order" in allowed  # the first walk, if no other
    assert "issue_refund" not in allowed or scopes
    assert not Run.objects.filter(calls_spent__gt=CALLS_OF_A_RUN).exists()


def test_what_is_allowed_when_all_is_well_is_allowed(
    make_agent: Callable[..., Agent], desk: Catalog
) -> None:
    """The walks above could be right and never get far: this one shows the way."""
    world = World(make_agent(scopes=["refunds:issue"]), {"refunds:issue"})
    world.select(0, "desk", "all", False)
    world.insist(0, "a")

    assert world.spent
    assert not world.approved
    assert ToolCall.objects.get().tool == "issue_refund"
