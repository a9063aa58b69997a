"""A run as steps: what each span says, laid out for reading."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.utils.functional import Promise

from dashboard.words import FALLBACKS
from routing.answers import offered_names
from routing.browsing import Story
from routing.compiled import CompiledRelease
from routing.models import Approval, Span, Text, ToolCall
from routing.selection import Fallback


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One span. ``tool`` is a name; ``offered`` are the names that it put before the agent.

    ``text`` is ``None`` where nothing of it is kept. ``is_first`` tells that an allowed call began
    with it and is not a further attempt. ``is_corrected`` is of an outcome that no longer counts.
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
    return [_step(span, story, used) for span in story.spans]


def _step(span: Span, story: Story, used: Mapping[UUID, Approval]) -> Step:
    details = span.details or {}
    approval = None
    if details.get("approval"):
        approval = story.approvals.get(UUID(details["approval"]))
    elif span.call is not None and span.name == Span.Name.CALL:
        approval = used.get(span.call)
    return Step(
        span=span,
        tool=None if span.tool is None else story.release.names[span.tool],
        offered=_offered(span, story.release),
        text=getattr(span, "text", None),
        details=details,
        call=story.calls.get(span.call) if span.call else None,
        approval=approval,
        is_corrected=span.name == Span.Name.OUTCOME and span.pk != story.last_outcome,
        fallback=FALLBACKS.get(Fallback(span.fallback)) if span.fallback else None,
    )


def _offered(span: Span, release: CompiledRelease) -> list[str]:
    return offered_names(release, span.offered, request_group=bool(span.request_group))
