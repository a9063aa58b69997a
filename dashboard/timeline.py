"""A run as steps: what each span says, laid out for reading."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils.functional import Promise

from dashboard.words import FALLBACKS, WHY_NOT
from routing.answers import offered_names
from routing.browsing import Aftermath, Story
from routing.compiled import CompiledRelease
from routing.models import Approval, Span, Text, ToolCall
from routing.selection import Fallback, ModelAnswer, WhyNot


@dataclass(frozen=True, slots=True)
class Miss:
    """A tool that a selection nearly offered."""

    tool: str
    score: float | None
    why: Promise | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One span. ``tool`` is a name; ``offered`` are the names that it put before the agent.

    ``used`` are those of them that were called and allowed, ``missed`` the names of what was called
    and a selection had not offered; its ``label`` is ``None`` where nothing was called. ``pause``
    is what went by since the step before, ``None`` for the first of a page. ``text`` is ``None``
    where nothing of it is kept. ``is_first`` tells that an allowed call began with it and is not a
    further attempt. ``is_corrected`` is of an outcome that no longer counts.
    """

    span: Span
    tool: str | None = None
    offered: Sequence[str] = ()
    text: Text | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    call: ToolCall | None = None
    approval: Approval | None = None
    is_corrected: bool = False
    fallback: Promise | None = None
    used: frozenset[str] = frozenset()
    missed: Sequence[str] = ()
    label: bool | None = None
    misses: Sequence[Miss] = ()
    router: ModelAnswer | None = None
    pause: timedelta | None = None

    @property
    def kind(self) -> str:
        """Return the span's name, by which the page draws it."""
        return self.span.name

    @property
    def is_first(self) -> bool:
        """Tell whether a call was allowed here, and not tried once more."""
        return self.span.call == self.span.uid

    @property
    def milliseconds(self) -> float:
        """Return what the span took."""
        return self.span.latency_us / 1000

    @property
    def is_out(self) -> bool:
        """Tell whether an attempt is out that this step leased."""
        call = self.call
        return call is not None and not call.status and call.attempt == self.span.attempt

    @property
    def had_data(self) -> bool:
        """Tell whether a result came with data, kept or not."""
        return "sha256" in self.details

    @property
    def data(self) -> Any:
        """Return what is kept of a result's data."""
        return self.text.data if self.text else None


def steps_of(story: Story) -> list[Step]:
    """Return the steps of a run's page, in the order in which they were written."""
    used = {one.used_by.uid: one for one in story.approvals.values() if one.used_by}
    before = [None, *(span.time for span in story.spans)]
    return [
        _step(span, story, used, pause=None if last is None else span.time - last)
        for span, last in zip(story.spans, before, strict=False)
    ]


def _step(
    span: Span, story: Story, used: Mapping[UUID, Approval], *, pause: timedelta | None
) -> Step:
    details, release = span.details or {}, story.release
    approval = None
    if details.get("approval"):
        approval = story.approvals.get(UUID(details["approval"]))
    elif span.call is not None and span.name == Span.Name.CALL:
        approval = used.get(span.call)
    of = span.pk if span.name == Span.Name.ROUTE else span.selection_id
    after = story.aftermath.get(of or 0)
    is_selection = span.name == Span.Name.ROUTE
    return Step(
        span=span,
        tool=None if span.tool is None else release.names[span.tool],
        offered=_offered(span, release),
        text=getattr(span, "text", None),
        details=details,
        call=story.calls.get(span.call) if span.call else None,
        approval=approval,
        is_corrected=span.name == Span.Name.OUTCOME and span.pk != story.last_outcome,
        fallback=FALLBACKS.get(Fallback(span.fallback)) if span.fallback else None,
        used=_used(span, after, release),
        missed=[release.names[tool] for tool in sorted(after.missed)]
        if after and is_selection
        else [],
        label=after.label if after and is_selection else None,
        misses=[
            Miss(release.names[tool], score, _why_not(reason))
            for tool, score, reason in span.near_misses
        ],
        router=ModelAnswer.from_record(span.router) if span.router else None,
        pause=pause,
    )


def _used(span: Span, after: Aftermath | None, release: CompiledRelease) -> frozenset[str]:
    used = after.used if after else frozenset[int]()
    return frozenset(release.names[tool] for tool in used.intersection(span.offered))


def _why_not(reason: str) -> Promise | str:
    # An agent that tells of its own selections may have words of its own.
    return WHY_NOT[WhyNot(reason)] if reason in set(WhyNot) else reason


def _offered(span: Span, release: CompiledRelease) -> list[str]:
    return offered_names(release, span.offered, request_group=bool(span.request_group))
