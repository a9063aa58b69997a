"""A run as its agent lives it: groups, approvals, several calls, another worker."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from routing.runtime import Call, Handlers, Toolcrib
from tests.routing.runtime.fake import (
    KEY,
    SELECTION,
    URL,
    Agent,
    FakeApi,
    allowed,
    call,
    problem,
    quiet,
)

EXPANSIONS = "/selections/s1/expansions"


def expansion(*added: Any, names: list[str]) -> dict[str, Any]:
    return {"group": "billing", "added": list(added), "tool_names": names, "references": []}


def test_a_group_is_opened_and_its_tools_are_carried_from_then_on(agent: Agent) -> None:
    names = [*SELECTION["tool_names"], "find_payment"]
    agent.api.others[EXPANSIONS] = [expansion({"name": "find_payment"}, names=names)]

    turn = agent.answer(
        quiet(), call("request_group", group="billing", reason="to see what was paid")
    )

    assert agent.api.heard == [(EXPANSIONS, {"group": "billing", "reason": "to see what was paid"})]
    assert agent.state["tools"] == [*SELECTION["tools"], {"name": "find_payment"}]
    assert agent.state["tool_names"] == names
    assert turn.messages[0]["content"] == (
        '{"status":"ok","data":{"group":"billing","added":["find_payment"]}}'
    )


def test_a_group_that_was_opened_by_a_worker_before_is_carried_too(agent: Agent) -> None:
    names = [*SELECTION["tool_names"], "find_payment"]
    agent.api.others = {
        EXPANSIONS: [httpx2.Response(200, json=expansion(names=names))],
        "/catalogs/desk@1/tools": [
            {"tools": [{"name": "settle_bill"}, {"name": "find_payment"}], "format": "native"}
        ],
    }

    agent.answer(quiet(), call("request_group", group="billing"))

    assert agent.state["tools"][-1] == {"name": "find_payment"}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (problem(403, "forbidden", "Not on this route."), "group_not_allowed"),
        (problem(422, "invalid", "There is no such group."), "invalid_arguments"),
    ],
)
def test_a_group_that_is_not_to_be_had_is_told_to_the_model(
    agent: Agent, answer: Any, reason: str
) -> None:
    agent.api.others[EXPANSIONS] = [answer]

    turn = agent.answer(quiet(), call("request_group", group="payroll"))

    assert (turn.observations[0].status, turn.observations[0].reason) == ("refused", reason)
    assert agent.state["tools"] == SELECTION["tools"]


def test_results_come_in_the_order_of_the_calls(agent: Agent) -> None:
    agent.api.others[EXPANSIONS] = [expansion(names=list(SELECTION["tool_names"]))]

    turn = agent.answer(
        quiet(),
        call("draft", "m1"),
        call("request_group", "m2", group="billing"),
        call("read_order", "m3"),
    )

    assert [one.call.id for one in turn.observations] == ["m1", "m2", "m3"]
    keys = [sent["idempotency_key"] for sent in agent.api.bodies("/calls")]
    assert len(set(keys)) == 2


def test_two_calls_of_one_id_have_keys_of_their_own(agent: Agent) -> None:
    turn = agent.answer(quiet(), call("draft", "m1"), call("draft", "m1"))

    keys = [sent["idempotency_key"] for sent in agent.api.bodies("/calls")]
    assert len(set(keys)) == 2
    assert [message["id"] for message in turn.messages] == ["m1", "m1"]


def pending(state: str) -> dict[str, Any]:
    return {"approval": {"id": "a1", "state": state}}


NEEDED = allowed(
    None, id="p1", decision="needs_approval", reason="needs_approval", approval_id="a1"
)


def test_a_call_waits_for_a_person_as_long_as_it_may(agent: Agent) -> None:
    agent.api.proposals = [NEEDED, allowed(approval_id="a1")]
    agent.api.others["/calls/p1"] = [pending("pending"), pending("pending"), pending("approved")]

    turn = agent.answer(quiet(), call(), approval_wait=60)

    assert agent.slept == [2.0, 2.0, 2.0]
    first, second = agent.api.bodies("/calls")
    assert second == first | {"approval_id": "a1"}
    assert turn.observations[0].status == "ok"
    assert turn.pending == ()


def test_a_call_waits_for_a_person_no_longer_than_it_may(agent: Agent) -> None:
    agent.api.proposals = [NEEDED]
    agent.api.others["/calls/p1"] = [pending("pending")]

    turn = agent.answer(quiet(), call(), approval_wait=5)

    assert agent.slept == [2.0, 2.0, 1.0]
    assert [one.approval_id for one in turn.pending] == ["a1"]


def test_a_key_that_may_not_read_asks_by_proposing_again(agent: Agent) -> None:
    agent.api.proposals = [NEEDED, NEEDED, allowed(approval_id="a1")]
    agent.api.others["/calls/p1"] = [problem(403, "forbidden")]

    turn = agent.answer(quiet(), call(), approval_wait=60)

    assert (agent.slept, turn.observations[0].status) == ([2.0, 2.0], "ok")


def test_a_turn_proceeds_with_what_waited_and_keeps_the_rest() -> None:
    api = FakeApi(proposals=[allowed(tool="read_order"), NEEDED, allowed(approval_id="a1")])
    with Toolcrib(URL, KEY, transport=httpx2.MockTransport(api)) as crib:
        api.others["/selections"] = [SELECTION]
        session = crib.start(quiet(), catalog="desk", task="Draft it")
        turn = session.answer([call("read_order", "m1"), call("draft", "m2")])
        assert [one.call.id for one in turn.pending] == ["m2"]
        assert len(turn.messages) == 2
        again = session.proceed(turn)

    sent = api.bodies("/calls")
    assert [one["tool"] for one in sent] == ["read_order", "draft", "draft"]
    assert sent[1]["idempotency_key"] == sent[2]["idempotency_key"]
    assert [one.status for one in again.observations] == ["ok", "ok"]
    assert (again.pending, session.state()["step"]) == ((), 1)


def test_a_worker_that_takes_over_proposes_under_the_same_key() -> None:
    api = FakeApi()
    api.others["/selections"] = [SELECTION]
    transport = httpx2.MockTransport(api)
    with Toolcrib(URL, KEY, transport=transport) as crib:
        session = crib.start(quiet(), catalog="desk", task="Draft it", run_id="run-1")
        session.answer([call("read_order", "m1")])
        saved = session.state()
        session.answer([call("draft", "m1")])
    with Toolcrib(URL, KEY, transport=transport) as crib:
        crib.restore(saved, quiet()).answer([call("draft", "m1")])

    first, second, third = (one["idempotency_key"] for one in api.bodies("/calls"))
    assert first != second == third


def test_a_blocking_agent_takes_no_handlers_that_are_to_be_awaited() -> None:
    handlers = Handlers()

    @handlers.handler()
    async def draft(call: Call, order_id: str) -> None: ...

    with pytest.raises(TypeError, match="AsyncToolcrib: draft"):
        Agent(awaits=False).answer(handlers, call())


def test_a_name_has_one_handler() -> None:
    handlers = quiet()

    with pytest.raises(ValueError, match="draft already"):
        handlers.handler("draft")(print)
