"""Plan a month of traffic: who asks what, when, and how patient the agent is. Pure and seeded.

Everything that is left to chance is drawn here, so that equal arguments give an equal plan
whatever the selections turn out to be. What an agent meets on its way is not planned: see
``conduct``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from routing.simulation.manners import Manners, planned_manners
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
LEFT_WAITING = 3
"""How many of the newest runs wait for a person when the month ends."""
NEED_A_PERSON: Mapping[str, frozenset[str]] = {
    "back-office": frozenset({"refund_overpayment", "cancel_invoice"}),
    "contratos": frozenset({"renew_contract", "send_email", "create_purchase_order"}),
    "dev-agent": frozenset({"deploy"}),
    "refunds": frozenset({"draft_refund_request"}),
}
"""Tools of which every call has to be approved, by catalog."""
_WAIT_SINCE, _WAIT_FOR = timedelta(hours=20), timedelta(minutes=30)
"""How long before the end such runs begin: their requests are there by then, and still open."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ends: a status of ``Run.Outcome`` and the reason that is given."""

    status: str
    stop_reason: str


_ENDINGS: Mapping[str, tuple[tuple[Ending, float], ...]] = {
    "met": (
        (Ending("solved", "done"), 0.91),
        (Ending("needs_human", "decision_needed"), 0.05),
        (Ending("failed", "wrong_result"), 0.03),
        (Ending("abandoned", "requester_gone"), 0.01),
    ),
    "failed": (
        (Ending("failed", "tool_error"), 0.6),
        (Ending("needs_human", "tool_error"), 0.4),
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

    ``if_met`` ends a run whose needs were met, ``if_unmet`` one that lacked a tool to the end, and
    ``if_failed`` one in which a call came to nothing. ``until_outcome`` lies between the last step
    and the word of how it ended. ``values`` are those of the slots of its texts.
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
    if_failed: Ending
    until_outcome: timedelta
    manners: Manners = field(default_factory=Manners)
    values: Mapping[str, str] = field(default_factory=dict)

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
    arrivals.sort()
    patient = _patient([(begins, kind) for begins, _, kind in arrivals], end=end, written=written)
    for number, (begins, _, kind) in enumerate(arrivals, start=1):
        draw = written.draw_one_to_approve if number in patient else written.draw
        template = draw(kind, second_half=begins >= half, random=random)
        # Calls have chance of their own, so that a task does not depend on what was called before.
        yield _planned(
            number,
            template,
            begins,
            random,
            calls=Random(f"{seed} {number}"),  # noqa: S311
            patient=number in patient,
        )


def _patient(
    arrivals: Sequence[tuple[datetime, tuple[str, str]]], *, end: datetime, written: _Written
) -> frozenset[int]:
    """Return the numbers of the runs that are left waiting for a person."""
    able = [
        number
        for number, (begins, kind) in enumerate(arrivals, start=1)
        if end - _WAIT_SINCE <= begins < end - _WAIT_FOR and written.has_one_to_approve(kind)
    ]
    return frozenset(able[-LEFT_WAITING:])


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

    def draw_one_to_approve(
        self, kind: tuple[str, str], *, second_half: bool, random: Random
    ) -> Template:
        return random.choice(self._to_approve(kind, second_half=second_half))

    def has_one_to_approve(self, kind: tuple[str, str]) -> bool:
        return bool(self._to_approve(kind, second_half=False))

    def _to_approve(self, kind: tuple[str, str], *, second_half: bool) -> list[Template]:
        """Return the tasks that one call of a person's concern does, plainly said."""
        return [
            template
            for template in self._by_kind[*kind, second_half]
            if len(template.paths) == 1
            and any(set(step.tools) & NEED_A_PERSON[kind[0]] for step in template.paths[0])
        ]


def _planned(
    number: int,
    template: Template,
    begins: datetime,
    random: Random,
    *,
    calls: Random,
    patient: bool,
) -> PlannedRun:
    filling = Filling(language=template.language, when=begins, random=random)
    task = filling.fill(template.text)
    by_channel = random.random() < BY_CHANNEL
    path = random.choice(template.paths)
    steps = tuple(_planned_step(step, filling, random, asks=patient) for step in path)
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
        if_failed=_ending("failed", calls),
        until_outcome=_until_outcome(random),
        manners=planned_manners(
            catalog=template.catalog,
            steps=[step.tools for step in path],
            patient=patient,
            random=calls,
        ),
        values=filling.values,
    )


def _planned_step(step: Step, filling: Filling, random: Random, *, asks: bool) -> PlannedStep:
    return PlannedStep(
        tools=step.tools,
        note=filling.fill(step.note) if step.note is not None else None,
        phase=step.phase,
        asks=random.random() < ASKS or asks,
        pause=timedelta(seconds=random.randrange(15, 180)),
    )


def _ending(kind: str, random: Random) -> Ending:
    endings = _ENDINGS[kind]
    return random.choices([e for e, _ in endings], weights=[weight for _, weight in endings])[0]


def _until_outcome(random: Random) -> timedelta:
    if random.random() < LATE:
        return timedelta(minutes=random.randrange(60, 20 * 60))
    return timedelta(seconds=random.randrange(20, 600))
