"""Whether a run took the path that its case expects, and where it left it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from routing.paths.expected import ExpectedPath
from routing.paths.trail import OUTCOME, REFUSED, Called, Trail, calls_of, meeting

_NO_OTHERS: Mapping[str, Sequence[str]] = {}


class Kind(StrEnum):
    """In what a path differs from the expected one."""

    OUT_OF_ORDER = "out_of_order"
    FORBIDDEN = "forbidden"
    FORBIDDEN_TRIED = "forbidden_tried"
    ANOTHER = "another"
    UNAPPROVED = "unapproved"
    MISSING = "missing"
    STATUS = "status"
    STOP_REASON = "stop_reason"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """One difference. ``span`` is the step of it; ``None`` for what the whole run lacks.

    ``tool`` is the tool, ``expected`` and ``found`` are how the run should have ended and did.
    """

    kind: Kind
    span: int | None = None
    tool: str = ""
    expected: str = ""
    found: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """All differences, in the order of the run; those of the whole run come last."""

    departures: tuple[Departure, ...] = ()

    @property
    def passed(self) -> bool:
        """Tell whether the run took the expected path."""
        return not self.departures

    @property
    def left_at(self) -> Departure | None:
        """Return where the run left the expected path."""
        return self.departures[0] if self.departures else None


def check(
    expected: ExpectedPath, trail: Trail, *, instead: Mapping[str, Sequence[str]] = _NO_OTHERS
) -> Verdict:
    """Hold a run against the path that its case expects.

    What counts as called is what was allowed, or waits for a person: a refused proposal is none.
    But a tool that must not be called may not even be proposed. ``instead`` are tools that do as
    well as an expected one. Names are those of the run's version.
    """
    calls = calls_of(trail)
    found = [
        *_forbidden(expected, trail, calls),
        *_unapproved(expected, calls),
        *_called(expected, calls, instead),
        *_ending(expected, trail),
    ]
    places = {step.span: place for place, step in enumerate(trail.steps)}
    last = len(places)
    # A stable sort: what the whole run lacks stays in the order of the checks.
    found.sort(key=lambda one: last if one.span is None else places.get(one.span, last))
    return Verdict(tuple(found))


def _forbidden(
    expected: ExpectedPath, trail: Trail, calls: Sequence[Called]
) -> Iterator[Departure]:
    banned = frozenset(expected.tools_not_called)
    for call in calls:
        if call.tool in banned:
            yield Departure(kind=Kind.FORBIDDEN, span=call.step.span, tool=call.tool)
    for step in trail.proposals:
        if step.decision == REFUSED and step.tool in banned:
            yield Departure(kind=Kind.FORBIDDEN_TRIED, span=step.span, tool=step.tool)


def _unapproved(expected: ExpectedPath, calls: Sequence[Called]) -> Iterator[Departure]:
    for call in calls:
        if call.tool in expected.needs_approval and not call.held:
            yield Departure(kind=Kind.UNAPPROVED, span=call.step.span, tool=call.tool)


def _called(
    expected: ExpectedPath, calls: Sequence[Called], instead: Mapping[str, Sequence[str]]
) -> Iterator[Departure]:
    wanted = expected.tools_called
    if wanted is None:
        return
    meets = meeting(wanted, instead)
    if expected.only:
        banned = frozenset(expected.tools_not_called)
        for call in calls:
            if call.tool not in meets and call.tool not in banned:
                yield Departure(kind=Kind.ANOTHER, span=call.step.span, tool=call.tool)
    met = [(meets[call.tool], call) for call in calls if call.tool in meets]
    if not expected.in_order:
        lacking = Counter(wanted) - Counter(name for name, _ in met)
        for name in lacking.elements():
            yield Departure(kind=Kind.MISSING, tool=name)
        return
    yield from _in_order(wanted, met)


def _in_order(wanted: Sequence[str], met: Sequence[tuple[str, Called]]) -> Iterator[Departure]:
    """Go along what is wanted; what was called too soon is out of order, what never was is missing.

    Others between, and a tool called once more, do no harm.
    """
    place = 0
    early: dict[str, list[Called]] = {}
    for name, call in met:
        if place < len(wanted) and name == wanted[place]:
            place += 1
        else:
            early.setdefault(name, []).append(call)
    for name in wanted[place:]:
        if early.get(name):
            call = early[name].pop(0)
            yield Departure(kind=Kind.OUT_OF_ORDER, span=call.step.span, tool=name)
        else:
            yield Departure(kind=Kind.MISSING, tool=name)


def _ending(expected: ExpectedPath, trail: Trail) -> Iterator[Departure]:
    if not expected.final_status and not expected.stop_reason:
        return
    said = [step.span for step in trail.steps if step.name == OUTCOME]
    if not trail.status:
        yield Departure(kind=Kind.UNFINISHED, expected=expected.final_status)
        return
    at = said[-1] if said else None
    for kind, wanted, found in (
        (Kind.STATUS, expected.final_status, trail.status),
        (Kind.STOP_REASON, expected.stop_reason, trail.stop_reason),
    ):
        if wanted and wanted != found:
            yield Departure(kind=kind, span=at, expected=wanted, found=found)
