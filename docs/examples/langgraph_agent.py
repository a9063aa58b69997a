"""An agent as a LangGraph: it stops where a person has to approve, and goes on in any process.

The graph's state holds the session beside the messages. A node that is run again, after a crash or
an interrupt, answers the same message at the same step, so that what was done is not done twice.
"""

from __future__ import annotations

import operator
from typing import Annotated, Any, TypedDict

import openai
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import interrupt
from refund_desk import CATALOG, INSTRUCTIONS, ROUTE, Shop, handlers_of

from routing.runtime import Toolcrib


class State(TypedDict, total=False):
    """What is saved between steps; ``worst`` is what a tool had no good answer to."""

    task: str
    run_id: str
    session: dict[str, Any]
    messages: Annotated[list[dict[str, Any]], operator.add]
    worst: Annotated[list[str], operator.add]
    outcome: str


def investigation(
    *,
    crib: Toolcrib,
    client: openai.OpenAI,
    model: str,
    shop: Shop,
    checkpointer: BaseCheckpointSaver[Any],
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return the graph; start it with ``task`` and ``run_id``."""
    handlers = handlers_of(shop)

    def select(state: State) -> State:
        session = crib.start(
            handlers,
            catalog=CATALOG,
            route=ROUTE,
            task=state["task"],
            run_id=state["run_id"],
            format="openai",
        )
        opening = [
            {"role": "system", "content": INSTRUCTIONS},
            {"role": "user", "content": state["task"]},
        ]
        return {"session": session.state(), "messages": opening}

    def ask(state: State) -> State:
        messages: list[Any] = state["messages"]
        completion = client.chat.completions.create(
            model=model, messages=messages, tools=state["session"]["tools"]
        )
        return {"messages": [completion.choices[0].message.model_dump(exclude_none=True)]}

    def act(state: State) -> State:
        session = crib.restore(state["session"], handlers)
        turn = session.answer(state["messages"][-1])
        while turn.pending:
            interrupt([{"approval": one.approval_id, "tool": one.tool} for one in turn.pending])
            turn = session.proceed(turn)
        return {
            "session": session.state(),
            "messages": [dict(message) for message in turn.messages],
            "worst": [one.tool for one in turn.observations if one.status != "ok"],
        }

    def finish(state: State) -> State:
        outcome = "needs_human" if state.get("worst") else "solved"
        crib.restore(state["session"], handlers).finish(outcome)
        return {"outcome": outcome}

    graph = StateGraph(State)
    graph.add_node("select", select)
    graph.add_node("ask", ask)
    graph.add_node("act", act)
    graph.add_node("finish", finish)
    graph.add_edge(START, "select")
    graph.add_edge("select", "ask")
    graph.add_conditional_edges(
        "ask", lambda state: "act" if state["messages"][-1].get("tool_calls") else "finish"
    )
    graph.add_edge("act", "ask")
    graph.add_edge("finish", END)
    return graph.compile(checkpointer=checkpointer)
