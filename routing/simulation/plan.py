"""Plan a month of traffic: who asks what, when, and how patient the agent is. Pure and seeded.

Everything that is left to chance is drawn here, so that equal arguments give an equal plan
whatever the selections turn out to be. What an agent meets on its way is not planned: see
``conduct``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from routing.simulation.rhythm import Rhythm
from routing.simulation.slots import Filling
from routing.simulation.templates import LANGUAGES, Step, Template, load_templates

SHARES: Mapping[str, Mapping[str, float]] = {
    "back-office": {"en": 0.22, "es": 0.20, "pt": 0.18},
    "contratos": {"en": 0.015, "es": 0.12, "pt": 0.015},
    "dev-agent": {"en": 0.11, "es": 0.02, "pt": 0.02},
    "refunds": {"en": 0.04, "es": 0.03, "pt": 0.03},
}
"""The share of all tasks by catalog and language."""
BY_CHANNEL = 0.7
"""The share of tasks with a channel that come in by it; the others are typed into a chat."""
ASKS = 0.86
"""How often an agent that misses a tool asks for its group; else it gives up without a word."""
LATE = 0.1
"""The share of runs whose outcome is known only hours later."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ends: a status of ``Run.Outcome`` and the reason that is given."""

    status: str
    stop_reason: str


_ENDINGS: Mapping[str, tuple[tuple[Ending, float], ...]] = {
    "met": (
        (Ending("solved", "done"), 0.91),
        (Ending("needs_human", "decision_needed"), 0.05),
        (Ending("failed", "tool_error"), 0.03),
        (Ending("abandoned", "requester_gone"), 0.01),
    ),
    "unmet": (
        (Ending("failed", "tools_missing"), 0.45),
        (Ending("needs_human", "tools_missing"), 0.35),
        (Ending("abandoned", "gave_up"), 0.2),
    ),
    "off_topic": (
        (Ending("needs_human", "out_of_scope"), 0.6),
        (Ending("abandoned", "out_of_scope"), 0.25),
        (Ending("solved", "answered_without_tools"), 0.15),
    ),
}


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step with its words filled in.

    ``tools`` are what the agent would call, in that order; ``asks`` tells whether it asks for what
    it lacks of them. ``pause`` goes by before it goes on.
    """

    tools: tuple[str, ...]
    note: str | None
    phase: str | None
    asks: bool
    pause: timedelta


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """One task on its way. ``number`` counts from 1 in the order of ``begins``.

    ``if_met`` ends a run whose needs were met, ``if_unmet`` one that lacked a tool to the end.
    ``until_outcome`` lies between the last step and the word of how it ended.
    """

    number: int
    template: str
    catalog: str
    language: str
    begins: datetime
    task: str
    channel: tuple[str, str] | None
    route: str | None
    steps: tuple[PlannedStep, ...]
    if_met: Ending
    if_unmet: Ending
    until_outcome: timedelta

    def history_before(self, step: int) -> tuple[str, ...]:
        """Return the notes of the steps before one, oldest first."""
        return tuple(done.note for done in self.steps[:step] if done.note is not None)


def half_of(*, start: datetime, days: int) -> datetime:
    """Return the moment at which the month's second half begins."""
    return start + timedelta(days=days) / 2


def plan_month(*, seed: int, start: datetime, tasks: int, days: int = 30) -> Iterator[PlannedRun]:
    """Yield ``tasks`` runs that begin within ``days`` after ``start``, in the order they begin.

    Raises ``ValueError`` for less than an hour of time.
    """
    random = Random(seed)  # noqa: S311 - a plan has to be repeatable, not unguessable
    half = half_of(start=start, days=days)
    end = start + timedelta(days=days)
    rhythms = {language: Rhythm(language=language, start=start, end=end) for language in LANGUAGES}
    written = _Written(load_templates())
    kinds = [(catalog, language) for catalog, shares in SHARES.items() for language in shares]
    weights = [SHARES[catalog][language] for catalog, language in kinds]
    arrivals = [
        (rhythms[kind[1]].draw(random), place, kind)
        for place, kind in enumerate(random.choices(kinds, weights=weights, k=tasks))
    ]
    for number, (begins, _, kind) in enumerate(sorted(arrivals), start=1):
        template = written.draw(kind, second_half=begins >= half, random=random)
        yield _planned(number, template, begins, random)


class _Written:
    """The templates by catalog and language, to be drawn by their weights."""

    def __init__(self, templates: Sequence[Template]) -> None:
        self._by_kind: dict[tuple[str, str, bool], list[Template]] = defaultdict(list)
        for template in templates:
            for second_half in (True,) if template.from_half else (False, True):
                kind = (template.catalog, template.language, second_half)
                self._by_kind[kind].append(template)
        self._weights = {
            kind: [template.weight for template in of_kind]
            for kind, of_kind in self._by_kind.items()
        }

    def draw(self, kind: tuple[str, str], *, second_half: bool, random: Random) -> Template:
        key = (*kind, second_half)
        return random.choices(self._by_kind[key], weights=self._weights[key])[0]


def _planned(number: int, template: Template, begins: datetime, random: Random) -> PlannedRun:
    filling = Filling(language=template.language, when=begins, random=random)
    task = filling.fill(template.text)
    by_channel = random.random() < BY_CHANNEL
    steps = tuple(_planned_step(step, filling, random) for step in random.choice(template.paths))
    return PlannedRun(
        number=number,
        template=template.name,
        catalog=template.catalog,
        language=template.language,
        begins=begins,
        task=task,
        channel=template.channel if by_channel else None,
        route=template.route,
        steps=steps,
        if_met=_ending("off_topic" if template.off_topic else "met", random),
        if_unmet=_ending("unmet", random),
        until_outcome=_until_outcome(random),
    )


def _planned_step(step: Step, filling: Filling, random: Random) -> PlannedStep:
    return PlannedStep(
        tools=step.tools,
        note=filling.fill(step.note) if step.note is not None else None,
        phase=step.phase,
        asks=random.random() < ASKS,
        pause=timedelta(seconds=random.randrange(15, 180)),
    )


def _ending(kind: str, random: Random) -> Ending:
    endings = _ENDINGS[kind]
    return random.choices([e for e, _ in endings], weights=[weight for _, weight in endings])[0]


def _until_outcome(random: Random) -> timedelta:
    if random.random() < LATE:
        return timedelta(minutes=random.randrange(60, 20 * 60))
    return timedelta(seconds=random.randrange(20, 600))
