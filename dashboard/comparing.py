"""Two runs beside each other: their steps aligned, and what differs told apart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest

from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from dashboard.call_words import DECISIONS, OUTCOMES, STATUSES
from dashboard.routing_charts import FALLBACKS
from dashboard.timeline import Step
from routing.browsing import Story
from routing.models import Span

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that a step says; ``differs`` from what the step beside it says."""

    label: Words
    value: Words
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A step as the page has it; ``name`` is the tool, group or phase that it is about."""

    span: int
    title: str
    name: str
    said: Sequence[Said]


@dataclass(frozen=True, slots=True)
class Row:
    """Two steps beside each other, or one where the other run has none like it."""

    left: Cell | None
    right: Cell | None

    @property
    def differs(self) -> bool:
        """Tell whether the two are not the same."""
        if self.left is None or self.right is None or self.left.name != self.right.name:
            return True
        return any(one.differs for one in (*self.left.said, *self.right.said))


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is so of the two runs."""

    label: Words
    left: Words
    right: Words

    @property
    def differs(self) -> bool:
        """Tell whether it is not so of both."""
        return str(self.left) != str(self.right)


def facts_of(left: Story, right: Story) -> list[Fact]:
    """Return what is so of each of two runs as a whole."""
    pairs = zip(_facts(left), _facts(right), strict=True)
    return [Fact(label, one, other) for (label, one), (_label, other) in pairs]


def aligned(left: Sequence[Step], right: Sequence[Step]) -> list[Row]:
    """Return the steps of two runs in rows: what is of the same kind about the same thing meets.

    Between those, steps that have no match stand beside each other where they are of a kind.
    """
    keys = [_key(step) for step in left], [_key(step) for step in right]
    matcher = SequenceMatcher(a=keys[0], b=keys[1], autojunk=False)
    rows: list[Row] = []
    for _what, start, end, other_start, other_end in matcher.get_opcodes():
        for one, other in zip_longest(left[start:end], right[other_start:other_end]):
            rows += _rows(one, other)
    return rows


def _key(step: Step) -> tuple[str, str]:
    # What a selection is about differs in detail; that the two ran alike is seen by it.
    return step.kind, "" if step.kind in {Span.Name.ROUTE, Span.Name.OUTCOME} else _name(step)


def _name(step: Step) -> str:
    if step.kind == Span.Name.EXPAND:
        return step.span.group
    if step.kind == Span.Name.PHASE:
        return step.span.phase
    if step.kind == Span.Name.ROUTE:
        return ""
    return step.tool or str(step.details.get("proposed", ""))


def _rows(left: Step | None, right: Step | None) -> Iterator[Row]:
    one = None if left is None else _cell(left)
    other = None if right is None else _cell(right)
    if left is None or right is None or not one or not other:
        yield Row(one, other)
    elif left.kind == right.kind:
        yield Row(_marked(one, other), _marked(other, one))
    else:
        yield Row(one, None)
        yield Row(None, other)


def _marked(cell: Cell, beside: Cell) -> Cell:
    there = {str(one.label): str(one.value) for one in beside.said}
    return replace(
        cell,
        said=[
            replace(one, differs=there.get(str(one.label)) != str(one.value)) for one in cell.said
        ],
    )


def _cell(step: Step) -> Cell:
    said = [Said(label, value) for label, value in _said(step) if value]
    return Cell(step.span.pk, step.span.get_name_display(), _name(step), said)


def _said(step: Step) -> Iterator[tuple[Words, Words]]:
    span = step.span
    if step.kind == Span.Name.ROUTE:
        yield _("Task"), step.text.task if step.text else ""
        yield _("Groups"), ", ".join(span.groups) or "–"  # noqa: RUF001 - as pages have it
        yield _("Decided by"), span.decided_by
        yield _("Confidence"), _("assumed") if span.confidence is None else _number(span.confidence)
        yield _("Fallback"), FALLBACKS.get(span.fallback, span.fallback)
        yield _("Phase"), span.phase
        yield _("Offered"), ", ".join(step.offered)
        yield _("Used"), ", ".join(sorted(step.used))
        yield _("Called without being offered"), ", ".join(step.missed)
    elif step.kind == Span.Name.EXPAND:
        yield _("Added"), ", ".join(step.offered)
    elif step.kind == Span.Name.CALL:
        yield _("Decision"), DECISIONS.get(span.decision, span.decision)
        yield _("Reason"), span.reason
    elif step.kind == Span.Name.RESULT:
        yield _("Result"), STATUSES.get(span.status, span.status)
        yield _("Reason"), span.reason
    elif step.kind == Span.Name.OUTCOME:
        yield _("Outcome"), OUTCOMES.get(span.status, span.status)
        yield _("Stop reason"), span.stop_reason


def _facts(story: Story) -> Iterator[tuple[Words, Words]]:
    run = story.run
    yield _("Outcome"), run.get_outcome_display() if run.outcome else _("none yet")
    yield _("Stop reason"), run.stop_reason
    yield _("Version"), story.release.ref
    yield _("Route"), run.route
    yield _("Phase now"), run.phase
    yield _("Key"), run.key.name
    yield _("Began"), date_format(localtime(run.started_at), "DATETIME_FORMAT")
    yield _("Calls"), number_format(run.calls_spent, force_grouping=True)
    yield _("Tokens"), number_format(run.tokens_spent, force_grouping=True)
    yield _("Cost"), f"{number_format(run.cost_spent, 4)} USD"
    yield _("Steps"), _steps(story)


def _steps(story: Story) -> str:
    return f"{len(story.spans)}{'+' if story.next else ''}"


def _number(share: float) -> str:
    return number_format(share, 2)
