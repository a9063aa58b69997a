"""A scripted agent: it does what a case wants through the runtime, as far as its tools let it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from routing.evaluation.cases import Case
from routing.paths.expected import ExpectedPath
from routing.paths.samples import sample
from routing.paths.trail import Arm
from routing.runtime import Observation, Session, SimulatedTools, StillRunning, Toolcrib
from routing.selection.text import words
from routing.simulation.patterns import matching

Chooser = Callable[["Errand", Sequence[Mapping[str, Any]]], Sequence[str]]
"""Chooses the tools to call for an errand, in order, given the definitions that are offered."""

MISSING, STUCK, APPROVAL, DONE = "tools_missing", "still_running", "waits_for_approval", "done"
REQUEST_GROUP = "request_group"


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """A case as an agent is sent on it: ``ref`` is the version, ``holders`` the groups of tools."""

    ref: str
    case_id: str
    case: Case
    path: ExpectedPath
    holders: Mapping[str, Sequence[str]]
    known: frozenset[str]
    seed: int = 0

    @property
    def wanted(self) -> tuple[str, ...]:
        """Return the tools that are to be called, in order."""
        return self.path.tools_called or ()


def as_told(errand: Errand, offered: Sequence[Mapping[str, Any]]) -> Sequence[str]:
    """Choose what the case wants, whatever is offered: the agent then asks for what it lacks."""
    return errand.wanted


def by_words(errand: Errand, offered: Sequence[Mapping[str, Any]]) -> Sequence[str]:
    """Choose as many tools as are wanted, those whose definitions share most words with the task.

    The rarer a word is among the definitions, the more it says. So the agent errs more easily the
    more it is offered; it asks for nothing.
    """
    texts = {name_of(one): frozenset(words(_text_of(one))) for one in offered}
    texts.pop(REQUEST_GROUP, None)
    task = frozenset(words(errand.case.task))
    rarity = {
        word: 1 / sum(word in text for text in texts.values())
        for text in texts.values()
        for word in text & task
    }
    scores = {name: sum(rarity[word] for word in text & task) for name, text in texts.items()}
    best = sorted(scores, key=lambda name: -scores[name])
    return [name for name in best if scores[name] > 0][: len(errand.wanted)]


CHOOSERS: Mapping[str, Chooser] = {"told": as_told, "reader": by_words}


def work(
    crib: Toolcrib,
    errand: Errand,
    *,
    arm: Arm,
    run_id: str,
    choose: Chooser = as_told,
    gullible: bool = False,
) -> str:
    """Work on a case in one run, and return the status that it ended with.

    With ``Arm.ALL`` every tool is offered, else what the version's own strategy chooses. A
    ``gullible`` agent does what a result tells it to.
    """
    case = errand.case
    crib.start_run(catalog=errand.ref, run_id=run_id, route=case.route, case_id=errand.case_id)
    channel = case.channel
    selection = crib.select(
        catalog=errand.ref,
        task=case.task,
        history=case.history,
        phase=case.phase,
        channel={"kind": channel.kind, "value": channel.value} if channel else None,
        route=case.route,
        strategy="all" if arm is Arm.ALL else None,
        run_id=run_id,
        format="openai",
    )
    session = crib.session(selection, SimulatedTools())
    status, why = _Worker(session, errand, gullible=gullible).work(choose)
    session.finish(status, why)
    return status


class _Worker:
    """Makes the calls of one run, one after another, as a model would ask for them."""

    def __init__(self, session: Session, errand: Errand, *, gullible: bool) -> None:
        self._session = session
        self._errand = errand
        self._gullible = gullible
        self._said = 0

    def work(self, choose: Chooser) -> tuple[str, str]:
        path = self._errand.path
        for tool in choose(self._errand, self._session.tools):
            try:
                ended = self._call(tool)
            except StillRunning:
                return "failed", STUCK
            if ended:
                return ended
        return path.final_status or "solved", path.stop_reason or DONE

    def _call(self, tool: str) -> tuple[str, str] | None:
        """Call a tool; return how the run ends if it ends with that."""
        if not self._holds(tool):
            return "failed", MISSING
        came = self._say(tool, self._arguments(tool))
        if came.is_pending:
            return self._errand.path.final_status or "needs_human", APPROVAL
        if came.status != "ok":
            return "failed", came.reason or came.status
        if self._gullible:
            for named in sorted(self._errand.known - {tool}):
                if named in json.dumps(came.data, ensure_ascii=False):
                    self._say(named, self._arguments(named))
        return None

    def _holds(self, tool: str) -> bool:
        names = [name_of(one) for one in self._session.tools]
        if tool not in names and REQUEST_GROUP in names:
            for group in self._errand.holders.get(tool, ())[:1]:
                self._say(REQUEST_GROUP, {"group": group})
            names = [name_of(one) for one in self._session.tools]
        return tool in names

    def _say(self, tool: str, arguments: Mapping[str, Any]) -> Observation:
        self._said += 1
        function = {"name": tool, "arguments": json.dumps(arguments)}
        call = {"id": f"call_{self._said}", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        return self._session.answer(message).observations[0]

    def _arguments(self, tool: str) -> Mapping[str, Any]:
        defined = next((one for one in self._session.tools if name_of(one) == tool), None)
        if defined is None:
            return {}
        schema = {"type": "object", **defined["function"].get("parameters", {})}
        random = Random(f"{self._errand.seed} {self._errand.case_id} {self._said} {tool}")  # noqa: S311 - repeatable, no secret
        made = sample(
            schema, random=random, matching=lambda pattern, dice: matching(pattern, random=dice)
        )
        return made[0] if made else {}


def name_of(tool: Mapping[str, Any]) -> str:
    """Return the name in a definition of the openai format."""
    return str(tool["function"]["name"])


def _text_of(tool: Mapping[str, Any]) -> str:
    function = tool["function"]
    return f"{function['name'].replace('_', ' ')} {function.get('description', '')}"
