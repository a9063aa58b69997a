"""What an agent does with the tools that a selection gave it. Pure.

An agent knows what it has to do, and from ``request_group`` what the other groups are for. It asks
for a group only where the step at hand needs a tool of it that it does not hold.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from routing.simulation.plan import Ending, PlannedRun, PlannedStep

TOOLS_MISSING = "tools_missing"
STOPPED: Mapping[str, Ending] = {
    "approval_refused": Ending("needs_human", "approval_refused"),
    "approval_expired": Ending("needs_human", "approval_expired"),
    "missing_scope": Ending("needs_human", "missing_scope"),
    "budget_exhausted": Ending("failed", "budget_exhausted"),
    "circuit_open": Ending("failed", "circuit_open"),
}


@dataclass(frozen=True, slots=True)
class Request:
    """A group to ask for, and the tools that it is asked for."""

    group: str
    tools: tuple[str, ...]


def missing(step: PlannedStep, held: Collection[str]) -> tuple[str, ...]:
    """Return the tools that a step needs and the agent does not hold, in the order of use."""
    return tuple(tool for tool in step.tools if tool not in held)


def requests(
    *,
    step: PlannedStep,
    held: Collection[str],
    groups: Mapping[str, Sequence[str]],
    requestable: Sequence[str],
) -> tuple[Request, ...]:
    """Return the groups that an agent asks for, in the order in which it needs them.

    ``groups`` are the tools by group, ``requestable`` the groups that may be asked for. A tool in
    several groups is asked for by the first of them. An agent that gives up asks for none.
    """
    if not step.asks:
        return ()
    wanted: dict[str, list[str]] = {}
    for tool in missing(step, held):
        holding = next((name for name in requestable if tool in groups[name]), None)
        if holding is not None:
            wanted.setdefault(holding, []).append(tool)
    return tuple(Request(group=group, tools=tuple(tools)) for group, tools in wanted.items())


def ending_of(stopped: str, *, run: PlannedRun) -> Ending:
    """Return how a run ends that was stopped, by why: tools that were missing, or a call's end."""
    if stopped == TOOLS_MISSING:
        return run.if_unmet
    return STOPPED.get(stopped, run.if_failed)
