"""How the calls of a run go: what agents get wrong, what fails, and what people say. Pure, seeded.

All of it is drawn here, whatever the tools turn out to be like: a word on an approval is planned
for every call, and is heard where the tool needs one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from random import Random
from typing import Any, TypeVar

_Drawn = TypeVar("_Drawn")


class Fate(StrEnum):
    """What comes of a call that is allowed."""

    DONE = "done"
    RETRIED = "retried"
    """The first attempt fails in a way that may pass; the second is well."""
    LOST = "lost"
    """Nothing is heard of the first attempt; the second is well."""
    FATAL = "fatal"
    MALFORMED = "malformed"
    """The tool says it is well, and what it returns is not of its schema."""


class Slip(StrEnum):
    """What an agent gets wrong at first, and puts right when it is told."""

    NONE = "none"
    KEYLESS = "keyless"
    INVALID = "invalid"
    MISNAMED = "misnamed"


class Word(StrEnum):
    """A person's word on a call; ``SILENCE`` lets the request expire."""

    YES = "yes"
    NO = "no"
    SILENCE = "silence"


_FATES = {
    Fate.DONE: 0.91,
    Fate.RETRIED: 0.045,
    Fate.LOST: 0.01,
    Fate.FATAL: 0.02,
    Fate.MALFORMED: 0.015,
}
_SLIPS = {Slip.NONE: 0.93, Slip.KEYLESS: 0.025, Slip.INVALID: 0.035, Slip.MISNAMED: 0.01}
_WORDS = {Word.YES: 0.8, Word.NO: 0.13, Word.SILENCE: 0.07}
TAINTED = 0.1
"""How often what strangers wrote holds an instruction."""
BLIND = 0.3
"""How often an agent calls a tool that it knows of and was not offered."""
TEMPTED = 0.15
"""How often an agent with a route tries the tool that no route of its catalog allows."""
TEMPTING: Mapping[str, str] = {"refunds": "issue_refund"}
_FRUGAL = 0.02
"""The share of runs that may make one call or two."""
_OUTAGE = 0.006
"""The share of runs in which a tool fails time after time."""


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call that a step needs. ``seed`` decides its arguments and what the tool returns.

    ``decided_after`` is how long a person takes to say their word.
    """

    tool: str
    seed: int
    fate: Fate = Fate.DONE
    slip: Slip = Slip.NONE
    word: Word = Word.YES
    decided_after: timedelta = timedelta(minutes=10)
    tainted: bool = False


@dataclass(frozen=True, slots=True)
class Manners:
    """How one run goes about its calls.

    ``steps`` are the calls of each step, and ``blind`` tells for each whether it first calls what
    it was not offered. ``tempted`` is a call at the end that its route forbids. ``outage``: the
    first tool that only reads fails until it comes back.
    """

    steps: tuple[tuple[PlannedCall, ...], ...] = ()
    blind: tuple[bool, ...] = ()
    tempted: PlannedCall | None = None
    budget: Mapping[str, Any] | None = None
    outage: bool = False


def planned_manners(
    *, catalog: str, steps: Sequence[Sequence[str]], patient: bool, random: Random
) -> Manners:
    """Draw how a run calls the tools of its ``steps``.

    A ``patient`` run waits for a person who has not come back to it: all goes well until then.
    """
    calls = tuple(tuple(_planned_call(tool, random) for tool in tools) for tools in steps)
    blind = tuple(random.random() < BLIND for _ in steps)
    tempting = TEMPTING.get(catalog)
    tempted = random.random() < TEMPTED
    frugal = random.random() < _FRUGAL
    outage = random.random() < _OUTAGE
    most = random.choice((1, 2))
    if patient:
        waiting = tuple(tuple(_waiting(call) for call in of_step) for of_step in calls)
        return Manners(steps=waiting, blind=tuple(False for _ in steps))
    return Manners(
        steps=calls,
        blind=blind,
        tempted=_planned_call(tempting, random) if tempting and tempted else None,
        budget={"calls": most} if frugal else None,
        outage=outage,
    )


def _planned_call(tool: str, random: Random) -> PlannedCall:
    return PlannedCall(
        tool=tool,
        seed=random.getrandbits(32),
        fate=_drawn(_FATES, random),
        slip=_drawn(_SLIPS, random),
        word=_drawn(_WORDS, random),
        decided_after=_decided_after(random),
        tainted=random.random() < TAINTED,
    )


def _waiting(call: PlannedCall) -> PlannedCall:
    return replace(call, fate=Fate.DONE, slip=Slip.NONE, word=Word.SILENCE)


def _drawn(weights: Mapping[_Drawn, float], random: Random) -> _Drawn:
    return random.choices(list(weights), weights=list(weights.values()))[0]


def _decided_after(random: Random) -> timedelta:
    """Draw how long a person takes: mostly minutes, now and then until the next day."""
    if random.random() < 0.15:
        return timedelta(minutes=random.randrange(120, 16 * 60))
    return timedelta(minutes=random.randrange(2, 75))
