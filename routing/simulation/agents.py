"""One simulated agent: it asks the services for tools as a real one asks the API, and uses them."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth.models import User

from routing.answers import SelectionAnswer
from routing.models import ApiKey
from routing.models.run import SIMULATED
from routing.policy.rules import ToolRules
from routing.references import Reference
from routing.selection import Channel, Query
from routing.services import SelectionRequest, expand_group, record_outcome, select_tools
from routing.services.running import start_run
from routing.simulation.caller import Caller, CallTally
from routing.simulation.clock import Clock, MonthOver
from routing.simulation.conduct import TOOLS_MISSING, ending_of, missing, requests
from routing.simulation.manners import Fate, PlannedCall
from routing.simulation.plan import Ending, PlannedRun, PlannedStep
from routing.simulation.templates import load_reasons

_READS_TOOLS = timedelta(seconds=4)
"""How long an agent takes to see that a tool is missing and to ask for its group."""


@dataclass(slots=True)
class Tally:
    """Spans that were written, by what they are of."""

    selections: int = 0
    expansions: int = 0
    outcomes: int = 0
    calls: CallTally = field(default_factory=CallTally)


class Agent:
    """Carries one planned run through; nothing that would happen after ``until`` happens."""

    def __init__(
        self,
        run: PlannedRun,
        *,
        key: ApiKey,
        run_id: str,
        until: datetime,
        tally: Tally,
        approver: User | None = None,
    ) -> None:
        self._run = run
        self._key = key
        self._run_id = run_id
        self._tally = tally
        self._clock = Clock(begins=run.begins, until=until)
        self._caller = Caller(
            run,
            key=key,
            run_id=run_id,
            clock=self._clock,
            approver=approver,
            tally=tally.calls,
        )
        self._outage_is_due = run.manners.outage

    def carry_through(self) -> None:
        """Select on every step, ask for what is missing, call it, and say how it ended."""
        with suppress(MonthOver):
            if self._run.manners.budget is not None:
                self._narrow()
            ending = self._work()
            self._clock.let_pass(self._run.until_outcome)
            record_outcome(
                key=self._key,
                run_id=self._run_id,
                status=ending.status,
                stop_reason=ending.stop_reason,
                now=self._clock.now,
            )
            self._tally.outcomes += 1

    def _narrow(self) -> None:
        start_run(
            key=self._key,
            reference=Reference(catalog=self._run.catalog),
            now=self._clock.now,
            run_id=self._run_id,
            route=self._run.route,
            phase=self._run.steps[0].phase,
            budget=dict(self._run.manners.budget or {}),
            source=SIMULATED,
        )

    def _work(self) -> Ending:
        run, answer = self._run, None
        for place, step in enumerate(run.steps):
            answer = self._select(place, step)
            stopped = self._take(place, step, answer)
            if stopped:
                return ending_of(stopped, run=run)
            self._clock.let_pass(step.pause)
        if run.manners.tempted is not None and answer is not None:
            self._try(run.manners.tempted, answer, "end")
        return run.if_met

    def _take(self, place: int, step: PlannedStep, answer: SelectionAnswer) -> str:
        """Do one step with its tools; return why it could not be done, or nothing."""
        run = self._run
        calls = run.manners.steps[place] if run.manners.steps else ()
        held = set(answer.tool_names)
        if calls and run.manners.blind[place]:
            for call in calls:
                if call.tool not in held:
                    self._try(call, answer, str(place))
        self._ask(step, answer, held)
        for number, call in enumerate(calls):
            if call.tool not in held:
                break
            stopped = self._call(call, answer, f"{place}-{number}")
            if stopped:
                return stopped
        return TOOLS_MISSING if missing(step, held) else ""

    def _select(self, place: int, step: PlannedStep) -> SelectionAnswer:
        run = self._run
        self._tally.selections += 1
        return select_tools(
            key=self._key,
            request=SelectionRequest(
                reference=Reference(catalog=run.catalog),
                query=Query(
                    task=run.task,
                    history=run.history_before(place),
                    phase=step.phase,
                    channel=Channel(*run.channel) if run.channel else None,
                    route=run.route,
                ),
                run_id=self._run_id,
                source=SIMULATED,
            ),
            now=self._clock.now,
        )

    def _ask(self, step: PlannedStep, answer: SelectionAnswer, held: set[str]) -> None:
        """Ask for the groups of what a step needs beyond what is ``held``, and hold that too."""
        groups = {group["name"]: group["tools"] for group in answer.release.document["groups"]}
        for request in requests(
            step=step, held=held, groups=groups, requestable=answer.selection.requestable
        ):
            self._clock.let_pass(_READS_TOOLS)
            held.update(self._open(UUID(answer.id), request.group, request.tools))

    def _open(self, selection_id: UUID, group: str, tools: tuple[str, ...]) -> Collection[str]:
        why = load_reasons().why(
            catalog=self._run.catalog, language=self._run.language, tools=tools
        )
        self._tally.expansions += 1
        return expand_group(
            key=self._key, selection_id=selection_id, group=group, reason=why, now=self._clock.now
        ).tool_names

    def _call(self, call: PlannedCall, answer: SelectionAnswer, place: str) -> str:
        tool = answer.release.rules.tools[call.tool]
        selection = UUID(answer.id)
        if self._outage_is_due and _may_fail(tool):
            self._outage_is_due = False
            self._caller.suffer_outage(call, selection=selection, tool=tool)
            call = replace(call, fate=Fate.DONE)
        return self._caller.make(call, selection=selection, tool=tool, place=place)

    def _try(self, call: PlannedCall, answer: SelectionAnswer, place: str) -> None:
        tool = answer.release.rules.tools.get(call.tool)
        if tool is not None:
            self._caller.try_blindly(call, selection=UUID(answer.id), tool=tool, place=place)


def _may_fail(tool: ToolRules) -> bool:
    """Tell whether a tool is of those that an outage hits: it only reads, and answers soon."""
    return not tool.needs_key and not tool.needs_approval and tool.timeout_ms <= 30_000
