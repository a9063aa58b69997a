"""What a recorded run did, as far as its path is judged by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

ALLOWED, NEEDS_APPROVAL, REFUSED = "allowed", "needs_approval", "refused"
SELECTION, EXPANSION, CALL, RESULT, OUTCOME = (
    "tool_route",
    "tool_route_expand",
    "tool_call",
    "tool_result",
    "outcome",
)


class Arm(StrEnum):
    """How an agent came by its tools: all of them, or those that were chosen for its task."""

    ROUTED = "routed"
    ALL = "all"
    MIXED = "mixed"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A span of a run; ``span`` is its number there, ``selection`` that of the one it is upon.

    ``tool`` is a name, of a proposal of an unknown tool the one that was proposed. ``approval`` is
    what a person was asked under. ``is_first`` tells that a call was allowed for the first time.
    ``names`` is the tool that an instruction hidden in a result says to call. ``tokens_offered``
    are those of the definitions that a selection, or an expansion with all before it, put before
    the agent; ``tokens`` and ``cost`` (USD) are what a result used.
    """

    span: int
    name: str
    selection: int | None = None
    strategy: str = ""
    tool: str = ""
    decision: str = ""
    reason: str = ""
    approval: str = ""
    is_first: bool = False
    status: str = ""
    stop_reason: str = ""
    names: str = ""
    simulated: str = ""
    tokens_offered: int = 0
    tokens: int = 0
    cost: float = 0.0
    latency_ms: float = 0.0


@dataclass(frozen=True, kw_only=True)  # without slots: what is worked out of it is kept with it
class Trail:
    """A run that named a case, by the case's ``number``.

    ``run`` and ``run_id`` are the run's, ``ref`` is the version that it was on. ``guarded`` are the
    tools of which that version has each call approved by a person.
    """

    run: int
    run_id: str
    number: int
    ref: str
    steps: Sequence[Step]
    guarded: frozenset[str] = frozenset()
    status: str = ""
    stop_reason: str = ""

    @cached_property
    def arm(self) -> Arm:
        """Return how the agent came by its tools, by the strategies that its selections asked."""
        asked = {step.strategy == "all" for step in self.steps if step.name == SELECTION}
        if not asked:
            return Arm.NONE
        if len(asked) > 1:
            return Arm.MIXED
        return Arm.ALL if asked.pop() else Arm.ROUTED

    @cached_property
    def proposals(self) -> list[Step]:
        """Return the proposals in order, without further attempts and without asking again.

        A call that was proposed again under its key, or while a person had not decided, is one.
        """
        return [step for step in self.steps if step.name == CALL and not self._again(step)]

    def _again(self, step: Step) -> bool:
        if step.decision == ALLOWED:
            return not step.is_first
        if step.decision != NEEDS_APPROVAL or not step.approval:
            return False
        first = next(
            one for one in self.steps if one.name == CALL and one.approval == step.approval
        )
        return first.span != step.span

    @cached_property
    def results(self) -> list[tuple[str, str]]:
        """Return how the attempts ended, and why, in order."""
        return [(step.status, step.reason) for step in self.steps if step.name == RESULT]

    @cached_property
    def tokens_offered(self) -> int:
        """Return the tokens of all definitions, once a selection with what it was expanded by."""
        of: dict[int, int] = {}
        for step in self.steps:
            if step.name == SELECTION:
                of[step.span] = step.tokens_offered
            elif step.name == EXPANSION and step.selection in of:
                of[step.selection] = max(of[step.selection], step.tokens_offered)
        return sum(of.values())

    @cached_property
    def tokens(self) -> int:
        """Return the tokens of definitions, and those that results used."""
        return self.tokens_offered + sum(step.tokens for step in self.steps)

    @cached_property
    def cost(self) -> float:
        """Return what the results cost, in USD."""
        return sum(step.cost for step in self.steps)

    @cached_property
    def latency_ms(self) -> float:
        """Return what selections and tools took, one after another."""
        return sum(step.latency_ms for step in self.steps)


@dataclass(frozen=True, slots=True)
class Called:
    """A call that the agent got through, or that waits for a person.

    ``step`` is where it was proposed first; ``held`` tells that a person was asked before.
    """

    step: Step
    held: bool

    @property
    def tool(self) -> str:
        """Return the tool's name."""
        return self.step.tool


def calls_of(trail: Trail) -> list[Called]:
    """Return the calls that were not refused, each once, in the order in which they were proposed.

    A call that waited for a person and was allowed then is one call.
    """
    found: list[Called] = []
    waiting: Counter[str] = Counter()
    for step in trail.proposals:
        if step.decision == NEEDS_APPROVAL:
            waiting[step.tool] += 1
            found.append(Called(step, held=True))
        elif step.decision == ALLOWED and waiting[step.tool]:
            # What a person let pass is the call that waited.
            waiting[step.tool] -= 1
        elif step.decision == ALLOWED:
            found.append(Called(step, held=False))
    return found


def meeting(names: Sequence[str], instead: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return which name each tool meets: itself, and an expected one that it stands in for."""
    found = {other: name for name in names for other in instead.get(name, ())}
    return found | {name: name for name in names}
