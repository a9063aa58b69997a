"""An agent under test: it works on the cases of a file that a dataset gave out, with simulated
tools. Put your model behind ``say``: it is given messages and tools, and returns its message."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from routing.runtime import SimulatedTools, Toolcrib

MOST_STEPS = 8


def try_case(
    crib: Toolcrib, case: dict[str, Any], *, catalog: str, say: Callable[..., Any], **more: Any
) -> str:
    """Work on a case in one run, and return how it ended; ``strategy="all"`` offers every tool."""
    asked: dict[str, Any] = {name: case.get(name) for name in ("route", "phase")}
    run = crib.start_run(catalog=catalog, case_id=case["case_id"], **asked)
    selection = crib.select(
        catalog=catalog,
        task=case["task"],
        history=case.get("history", ()),
        channel=case.get("channel"),
        run_id=run["run_id"],
        format="openai",
        **asked,
        **more,
    )
    session = crib.session(selection, SimulatedTools())
    messages: list[Any] = [{"role": "user", "content": case["task"]}]
    for _ in range(MOST_STEPS):
        answer = say(messages, session.tools)
        messages.append(answer)
        if not answer.get("tool_calls"):
            return str(session.finish("solved", "answered")["status"])
        turn = session.answer(answer)
        messages += turn.messages
        if turn.pending:
            return str(session.finish("needs_human", "waits_for_approval")["status"])
    return str(session.finish("failed", "too_many_steps")["status"])


def main(url: str, key: str, catalog: str, file: str, say: Callable[..., Any]) -> None:
    """Try each case of a file, with the tools that are chosen and with all."""
    with Toolcrib(url, key) as crib, Path(file).open(encoding="utf-8") as lines:
        for case in map(json.loads, lines):
            for strategy in (None, "all"):
                ended = try_case(crib, case, catalog=catalog, say=say, strategy=strategy)
                sys.stdout.write(f"{case['case_id']} {strategy or 'routed'} {ended}\n")
