"""A selection that was made again, laid out beside what was answered then."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.routing_charts import FALLBACKS
from routing.exploring.replaying import Given, Note, Replay
from routing.selection import (
    GroupNotAllowed,
    IllegalTransition,
    UnknownGroup,
    UnknownPhase,
    UnknownRoute,
)

NOTES: Mapping[Note, Promise] = {
    Note.EXPLORED: _(
        "The run was one of those that explore: its selections were inclusive on purpose, and so "
        "is the replay."
    ),
    Note.SWITCHED_OFF: _("What circuits had switched off then is left out of the replay, too."),
    Note.MODEL_RECORDED: _(
        "A router model was asked then. Its answer is on record and used again, also on another "
        "version: no model is asked for a replay."
    ),
    Note.TEXT_CHANGED: _(
        "The task as it is kept is not quite what the agent sent: it was redacted, or the server "
        "has got another secret key since."
    ),
    Note.FAILED_THEN: _(
        "A strategy failed then. Where that passed by itself, the replay gives another answer."
    ),
    Note.TOLD: _(
        "The agent selected in its own process and told of it afterwards: what it did not tell is "
        "not known here."
    ),
}

# Why a version cannot answer what was asked of another.
OBSTACLES: Mapping[type[Exception], Promise] = {
    UnknownPhase: _("This version has no such phase."),
    UnknownRoute: _("This version has no such route."),
    UnknownGroup: _("This version has no group that was asked for with the task."),
    GroupNotAllowed: _("This version does not let an agent ask for a group that was opened."),
    IllegalTransition: _("In this version no run moves to that phase from where it was."),
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that an answer says, then and now."""

    label: Promise
    then: str
    now: str

    @property
    def differs(self) -> bool:
        """Tell whether the two say something else."""
        return self.then != self.now


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A tool with its place, from 1, among those that were served and those that are."""

    name: str
    then: int | None
    now: int | None


@dataclass(frozen=True, slots=True)
class ReplayShown:
    """A replay as the page has it: ``gained`` and ``lost`` count tools."""

    replay: Replay
    facts: Sequence[Fact]
    tools: Sequence[ToolRow]
    notes: Sequence[Promise]
    gained: int
    lost: int


def lay_out_replay(replay: Replay) -> ReplayShown:
    """Return what the page shows of a replay, differences told apart."""
    tools = list(_tool_rows(replay.then.tools, replay.now.tools))
    return ReplayShown(
        replay=replay,
        facts=[
            Fact(label, then, now)
            for (label, then), (_label, now) in zip(
                _facts(replay.then), _facts(replay.now), strict=True
            )
        ],
        tools=tools,
        notes=[NOTES[note] for note in replay.notes],
        gained=sum(row.then is None for row in tools),
        lost=sum(row.now is None for row in tools),
    )


def _facts(given: Given) -> Iterator[tuple[Promise, str]]:
    yield _("Groups"), ", ".join(given.groups)
    yield _("Decided by"), given.decided_by
    confidence = given.confidence
    said = str(_("assumed")) if confidence is None else number_format(confidence, 2)
    yield _("Confidence"), said
    yield _("Fallback"), str(FALLBACKS.get(given.fallback, given.fallback))
    yield _("Phase"), given.phase
    yield _("Tools"), number_format(len(given.tools), force_grouping=True)
    yield _("Tokens"), number_format(given.tokens, force_grouping=True)


def _tool_rows(then: Sequence[str], now: Sequence[str]) -> Iterator[ToolRow]:
    before = {name: place for place, name in enumerate(then, 1)}
    after = {name: place for place, name in enumerate(now, 1)}
    for name in dict.fromkeys((*then, *now)):
        yield ToolRow(name, before.get(name), after.get(name))
