"""One simulated agent: it asks the services for tools as a real one asks the API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from routing.models import ApiKey
from routing.models.run import SIMULATED
from routing.references import Reference
from routing.selection import Channel, Query
from routing.services import SelectionRequest, expand_group, record_outcome, select_tools
from routing.simulation.conduct import missing, requests
from routing.simulation.plan import PlannedRun, PlannedStep
from routing.simulation.templates import load_reasons

_READS_TOOLS = timedelta(seconds=4)
"""How long an agent takes to see that a tool is missing and to ask for its group."""


@dataclass(slots=True)
class Tally:
    """Spans that were written, by what they are of."""

    selections: int = 0
    expansions: int = 0
    outcomes: int = 0


class Agent:
    """Carries one planned run through; nothing that would happen after ``until`` happens."""

    def __init__(
        self, run: PlannedRun, *, key: ApiKey, run_id: str, until: datetime, tally: Tally
    ) -> None:
        self._run = run
        self._key = key
        self._run_id = run_id
        self._until = until
        self._tally = tally
        self._now = run.begins

    def carry_through(self) -> None:
        """Select on every step, ask for what is missing, and say how it ended."""
        ending = self._run.if_met
        for place, step in enumerate(self._run.steps):
            if self._now > self._until:
                return
            if not self._take(place, step):
                ending = self._run.if_unmet
                break
        self._now += self._run.until_outcome
        if self._now <= self._until:
            record_outcome(
                key=self._key,
                run_id=self._run_id,
                status=ending.status,
                stop_reason=ending.stop_reason,
                now=self._now,
            )
            self._tally.outcomes += 1

    def _take(self, place: int, step: PlannedStep) -> bool:
        """Do one step; tell whether everything that it needs was there in the end."""
        run = self._run
        answer = select_tools(
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
            now=self._now,
        )
        self._tally.selections += 1
        held = set(answer.tool_names)
        groups = {group["name"]: group["tools"] for group in answer.release.document["groups"]}
        for request in requests(
            step=step, held=held, groups=groups, requestable=answer.selection.requestable
        ):
            self._now += _READS_TOOLS
            held.update(self._open(UUID(answer.id), request.group, request.tools))
        self._now += step.pause
        return not missing(step, held)

    def _open(self, selection_id: UUID, group: str, tools: tuple[str, ...]) -> tuple[str, ...]:
        if self._now > self._until:
            return ()
        why = load_reasons().why(
            catalog=self._run.catalog, language=self._run.language, tools=tools
        )
        self._tally.expansions += 1
        return expand_group(
            key=self._key, selection_id=selection_id, group=group, reason=why, now=self._now
        ).tool_names
