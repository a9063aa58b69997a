"""The example loops of docs/examples, through the official SDKs and the real API."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from catalog.models import Catalog
from routing.approvals import decide_approval
from routing.keys import make_key
from routing.models import Approval, Run, Span
from routing.runtime import AsyncToolcrib, Toolcrib
from tests.routing.runtime.models import Calls, ScriptedModel
from tests.samples import NOW, published

pytestmark = pytest.mark.django_db(transaction=True)
EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
TASK = "The customer of order 88231 wants the money back for a lamp that arrived broken"
READ: Calls = [("read_order", {"order_id": "88231"})]
SEARCH: Calls = [("search_refund_policy", {"query": "arrived broken"})]
DRAFT: Calls = [("draft_refund_request", {"order_id": "88231", "amount_cents": 3490})]
ISSUE: Calls = [("issue_refund", {"order_id": "88231", "amount_cents": 3490})]
POLICY = [{"section": "2", "text": "What arrives broken is paid back in full."}]
LOOPS = ("openai_chat", "openai_responses", "anthropic_messages", "langgraph_agent")


class Desk:
    """The refund desk: the API, a key for the route, a shop, and the loops that work there."""

    def __init__(self, url: str, load: Callable[[str], Any]) -> None:
        self.url, self.load = url, load
        self.shop = load("refund_desk").Shop(
            orders={"88231": {"status": "delivered", "paid_cents": 3490, "currency": "EUR"}}
        )
        self.token = make_key(name="loop", now=NOW, routes=["refund_investigation"]).token

    def work(self, loop: str, model: ScriptedModel) -> str:
        """Let a loop work on the task with a model, and return the outcome."""
        example = self.load(loop)
        given = {"model": "small", "shop": self.shop}
        if loop == "anthropic_messages":
            return asyncio.run(self._await(example, model, given))
        with Toolcrib(self.url, self.token) as crib, chat_client(model) as client:
            if loop == "langgraph_agent":
                from langgraph.checkpoint.memory import InMemorySaver

                graph = example.investigation(
                    crib=crib, client=client, checkpointer=InMemorySaver(), **given
                )
                state = graph.invoke({"task": TASK, "run_id": "run-1"}, thread("1"))
                return str(state["outcome"])
            outcome, run_id = example.investigate(TASK, crib=crib, client=client, **given)
        assert Run.objects.get().run_id == run_id
        return str(outcome)

    async def _await(self, example: Any, model: ScriptedModel, given: dict[str, Any]) -> str:
        async with (
            AsyncToolcrib(self.url, self.token) as crib,
            anthropic.AsyncAnthropic(api_key="k", base_url=model.url, max_retries=0) as client,
        ):
            outcome, _ = await example.investigate(TASK, crib=crib, client=client, **given)
        return str(outcome)


def chat_client(model: ScriptedModel) -> openai.OpenAI:
    return openai.OpenAI(api_key="k", base_url=f"{model.url}/v1", max_retries=0)


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


@contextmanager
def saying(*script: Calls | str) -> Iterator[ScriptedModel]:
    """Run a model that says one entry of a script after another."""
    model = ScriptedModel(*script)
    model.start()
    try:
        yield model
    finally:
        model.stop()


@pytest.fixture
def desk(live_server: LiveServer, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Return the published refund desk; its selections serve all, and need no encoder."""
    settings.ENCODER = "none"
    published("refunds")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setenv("LANGSMITH_TRACING", "false")  # no test tells anybody's account
    return Desk(live_server.url, import_module)


def results() -> list[tuple[str, str, str]]:
    """Return what was executed, in order: tool, status, reason."""
    return [(tool, status, reason) for name, tool, _, status, reason in story() if name == "result"]


def story() -> list[tuple[str, str, str, str, str]]:
    """Return the calls and results on record: what, tool, decision, status, reason."""
    document = json.loads(bytes(Catalog.objects.get().versions.get().document))
    names = [tool["name"] for tool in document["tools"]]
    spans = Span.objects.filter(name__in=[Span.Name.CALL, Span.Name.RESULT]).order_by("id")
    return [
        (
            str(span.name).removeprefix("tool_"),
            names[span.tool] if span.tool is not None else "",
            span.decision or "",
            span.status or "",
            span.reason or "",
        )
        for span in spans
    ]


@pytest.mark.parametrize("loop", LOOPS)
def test_a_refund_without_a_policy_is_left_to_a_person(desk: Desk, loop: str) -> None:
    with saying(READ, SEARCH, "The policy is out of reach: a person has to decide.") as model:
        outcome = desk.work(loop, model)

    assert outcome == "needs_human"
    assert results() == [
        ("read_order", "ok", ""),
        ("search_refund_policy", "fatal_error", "policy_unavailable"),
    ]
    called = {tool for _, tool, *_ in story()}
    assert called == {"read_order", "search_refund_policy"}
    assert desk.shop.drafts == {}
    assert Run.objects.get().outcome == "needs_human"
    assert all("issue_refund" not in shown for shown in model.shown)


@pytest.mark.parametrize("loop", ["openai_chat", "openai_responses", "anthropic_messages"])
def test_a_model_that_insists_gets_nothing_done(desk: Desk, loop: str) -> None:
    with saying([*READ, *ISSUE], [*SEARCH, *DRAFT], "I give up.") as model:
        outcome = desk.work(loop, model)

    assert outcome == "needs_human"
    assert sorted(results()) == [
        ("read_order", "ok", ""),
        ("search_refund_policy", "fatal_error", "policy_unavailable"),
    ]
    decisions = {
        (tool, decision, reason) for name, tool, decision, _, reason in story() if decision
    }
    assert decisions == {
        ("read_order", "allowed", ""),
        ("issue_refund", "refused", "tool_not_allowed_on_route"),
        ("search_refund_policy", "allowed", ""),
        ("draft_refund_request", "needs_approval", "needs_approval"),
    }
    assert desk.shop.drafts == {}
    assert Approval.objects.get().state == "pending"


def test_a_graph_stops_for_a_person_and_goes_on_in_another_process(desk: Desk) -> None:
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command

    desk.shop.policy = POLICY
    saved, example = InMemorySaver(), desk.load("langgraph_agent")

    def graph_of(crib: Toolcrib, client: openai.OpenAI) -> Any:
        return example.investigation(
            crib=crib, client=client, model="small", shop=desk.shop, checkpointer=saved
        )

    with saying(READ, [*SEARCH, *DRAFT], "A refund of 34.90 EUR is drafted.") as model:
        with Toolcrib(desk.url, desk.token) as crib, chat_client(model) as client:
            stopped = graph_of(crib, client).invoke({"task": TASK, "run_id": "run-1"}, thread("1"))
        approval = Approval.objects.get()
        (waiting,) = stopped["__interrupt__"]
        assert waiting.value == [{"approval": str(approval.uid), "tool": "draft_refund_request"}]
        assert desk.shop.drafts == {}
        now = timezone.now()
        decide_approval(
            approval=approval,
            user=User.objects.create_user("ana"),
            approve=True,
            reason="",
            now=now + timedelta(seconds=1),
        )
        with Toolcrib(desk.url, desk.token) as crib, chat_client(model) as client:
            done = graph_of(crib, client).invoke(Command(resume=True), thread("1"))

    assert done["outcome"] == "solved"
    (draft,) = desk.shop.drafts.values()
    assert (draft["amount_cents"], draft["approval"]) == (3490, str(approval.uid))
    executed = [tool for tool, status, _ in results() if status == "ok"]
    assert executed == ["read_order", "search_refund_policy", "draft_refund_request"]
