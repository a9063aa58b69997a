"""Spans that an agent tells of afterwards, because it selected in its own process."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Schema
from pydantic import (
    AfterValidator,
    AwareDatetime,
    Field,
    SkipValidation,
    StringConstraints,
    TypeAdapter,
)

from routing.api.schemas.common import (
    CatalogReference,
    CleanText,
    FieldErrorOut,
    In,
    LongText,
    PartName,
    RunId,
    StrategyName,
    Task,
    clean,
)
from routing.models import Run
from routing.selection import ConfidenceSource, Fallback

MOST_SPANS = 1000
_MOST_COUNT = 2**31 - 1
# What an expansion adds to what its selection tells must still be a count.
_MOST_TOKENS = 10**9
_FIRST = datetime(1970, 1, 1, tzinfo=UTC)


def _in_utc(time: datetime) -> datetime:
    # Pages show times in any time zone: there must be room for a day's difference on both sides.
    if time < _FIRST:
        raise ValueError("must not lie before 1970")
    try:
        return time.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("must lie in the years 1970 to 9999 UTC") from error


Count = Annotated[int, Field(ge=0, le=_MOST_COUNT)]
Tokens = Annotated[int, Field(ge=0, le=_MOST_TOKENS)]
Id = Annotated[UUID, Field(strict=False)]
Time = Annotated[AwareDatetime, Field(strict=False), AfterValidator(_in_utc)]
Groups = Annotated[list[PartName], Field(max_length=500)]
ToolName = Annotated[str, StringConstraints(max_length=200), AfterValidator(clean)]
ToolNames = Annotated[list[ToolName], Field(max_length=5000)]


class NearMissIn(In):
    """A tool that nearly was in the selection."""

    tool: ToolName
    score: float | None = None
    reason: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,40}$")]


class _SpanIn(In):
    """What every span has. A null release is the one that the catalog's reference means."""

    id: Id
    run_id: RunId
    time: Time
    release: Annotated[int, Field(ge=1, le=_MOST_COUNT)] | None = None
    route: PartName | None = None
    phase: PartName | None = None


class RouteSpanIn(_SpanIn):
    """A selection, with tool names for ids. Null tokens are counted here."""

    name: Literal["tool_route"]
    groups: Groups = []
    proposed_groups: Groups = []
    confidence: Annotated[float, Field(ge=0, le=1, strict=False)] | None = None
    confidence_source: Annotated[ConfidenceSource, Field(strict=False)] = ConfidenceSource.ASSUMED
    strategy: StrategyName
    decided_by: StrategyName
    fallback: Annotated[Fallback, Field(strict=False)] | None = None
    failure: Annotated[str, StringConstraints(max_length=500), AfterValidator(clean)] | None = None
    offered: ToolNames
    omitted_counts: Annotated[dict[CleanText, Count], Field(max_length=20)] = {}
    near_misses: Annotated[list[NearMissIn], Field(max_length=20)] = []
    latency_us: Count = 0
    tokens_selected: Tokens | None = None
    tokens_catalog: Tokens | None = None
    channel: Annotated[str, StringConstraints(max_length=210), AfterValidator(clean)] | None = None
    max_tools: Annotated[int, Field(ge=0, le=50)] = 0
    inclusive: bool = False
    explored: bool = False
    switched_off: ToolNames = []
    traceparent: Annotated[str, StringConstraints(max_length=55), AfterValidator(clean)] | None = (
        None
    )
    task: Task | None = None
    history: Annotated[list[LongText], Field(max_length=200)] = []


class ExpandSpanIn(_SpanIn):
    """An expansion; ``offered`` is what it added to the selection."""

    name: Literal["tool_route_expand"]
    selection: Id
    group: PartName
    groups: Groups = []
    offered: ToolNames
    tokens_selected: Tokens | None = None
    reason: Annotated[str, StringConstraints(max_length=2000), AfterValidator(clean)] | None = None


class OutcomeSpanIn(_SpanIn):
    """How a run ended; the last word that is told counts."""

    name: Literal["outcome"]
    selection: Id | None = None
    status: Annotated[Run.Outcome, Field(strict=False)]
    stop_reason: Annotated[str, StringConstraints(max_length=200), AfterValidator(clean)] | None = (
        None
    )


SpanIn = RouteSpanIn | ExpandSpanIn | OutcomeSpanIn
# Any: whether mypy knows an annotated union for a type depends on what it has cached.
_one_span: Any = Annotated[SpanIn, Field(discriminator="name")]
one_span: TypeAdapter[SpanIn] = TypeAdapter(_one_span)


class SpansIn(In):
    """Up to 1,000 spans of one catalog, in the order in which they happened.

    Each has an id of its own, by which it is known when it is sent again, and is taken or refused
    for itself.
    """

    catalog: CatalogReference
    # Looked at one by one, so that one that does not stand does not keep the others out.
    spans: Annotated[
        list[Annotated[SpanIn, SkipValidation]], Field(min_length=1, max_length=MOST_SPANS)
    ]


class RefusedSpanOut(Schema):
    """A span that was not taken, by its place in the request, and why."""

    index: int
    errors: list[FieldErrorOut]


class SpansOut(Schema):
    """The ids of what is on record now: ``taken`` just now, ``known`` before; and the rest."""

    taken: list[str]
    known: list[str]
    refused: list[RefusedSpanOut]
