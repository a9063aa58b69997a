"""Selections and expansions."""

from typing import Annotated, Any

from ninja import Schema
from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from catalog.formats.tool_search import TOOL_SEARCH
from catalog.models import ChannelRule
from routing.api.schemas.common import (
    MAX_TEXT,
    CatalogReference,
    CleanText,
    FormatName,
    In,
    LongText,
    PartName,
    RunId,
    StrategyName,
    Task,
    clean,
)
from routing.selection import ConfidenceSource, Fallback, Strategy


class ContentPart(Schema):
    """A part of a message; only text is read."""

    model_config = ConfigDict(extra="ignore", strict=True)

    text: CleanText | None = None


class Message(Schema):
    """An agent's own message, as OpenAI and Anthropic shape them; other keys are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True)

    role: CleanText
    content: LongText | list[ContentPart] | None = None

    def as_text(self) -> str:
        """Return the words of the message."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.text)
        return self.content or ""


class ChannelIn(In):
    """Where the task came in."""

    kind: Annotated[ChannelRule.Kind, Field(strict=False)]
    value: Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(clean)]


class SelectionIn(In):
    """Ask for the tools of a task. Null means the catalog's own setting.

    With ``tool_search``, which the formats ``openai-responses`` and ``anthropic`` have, everything
    else that the route allows follows in ``tools``, deferred behind the provider's own search.
    """

    catalog: CatalogReference
    task: Task
    history: Annotated[list[LongText | Message], Field(max_length=200)] = []
    phase: PartName | None = None
    channel: ChannelIn | None = None
    route: PartName | None = None
    strategy: StrategyName | None = None
    max_tools: Annotated[int, Field(ge=1, le=50)] | None = None
    inclusive: bool | None = None
    open_groups: Annotated[list[PartName], Field(max_length=500)] = []
    run_id: RunId | None = None
    format: FormatName = "native"
    tool_search: bool = False
    explain: bool = False

    @field_validator("tool_search")
    @classmethod
    def _is_of_the_format(cls, asked: bool, info: ValidationInfo) -> bool:
        named = info.data.get("format")
        if asked and named is not None and named not in TOOL_SEARCH:
            raise ValueError(f"the format {named} has none; {' and '.join(TOOL_SEARCH)} have")
        return asked

    @model_validator(mode="after")
    def _is_not_too_long(self) -> "SelectionIn":
        if len(self.task) + sum(map(len, self.history_texts())) > MAX_TEXT:
            raise ValueError(f"task and history hold more than {MAX_TEXT:,} characters together")
        return self

    def history_texts(self) -> list[str]:
        """Return the words of the history, oldest first."""
        return [item if isinstance(item, str) else item.as_text() for item in self.history]


class ReselectionIn(In):
    """Ask again, more broadly; null means as before.

    ``tool`` is one that the agent called and was not offered: the group that holds it is opened if
    the route allows it. Without a task the run's last one counts, and its history with it.
    """

    tool: Annotated[str, StringConstraints(max_length=200), AfterValidator(clean)] | None = None
    task: Task | None = None
    history: Annotated[list[LongText | Message], Field(max_length=200)] | None = None
    phase: PartName | None = None

    @model_validator(mode="after")
    def _is_not_too_long(self) -> "ReselectionIn":
        if len(self.task or "") + sum(map(len, self.history_texts() or ())) > MAX_TEXT:
            raise ValueError(f"task and history hold more than {MAX_TEXT:,} characters together")
        return self

    def history_texts(self) -> tuple[str, ...] | None:
        """Return the words of the history, oldest first; ``None`` where none was sent."""
        if self.history is None:
            return None
        return tuple(item if isinstance(item, str) else item.as_text() for item in self.history)


class TokensOut(Schema):
    """Estimates, of the tools as OpenAI's JSON; ``catalog`` is what ``all`` would serve."""

    selected: int
    catalog: int
    saved: float


class ToolReasonOut(Schema):
    """Why a tool is in the selection, or is not."""

    tool: str
    score: float | None
    reason: str


class GroupScoreOut(Schema):
    """A group as the strategy saw it."""

    group: str
    score: float
    reason: str


class RouterTokensOut(Schema):
    """What a router model read and wrote."""

    input: int
    output: int


class RouterOut(Schema):
    """What a router model said. ``cost`` is in USD, null where no price is set."""

    model: str
    groups: list[str]
    confidence: float
    failure: str | None
    unknown_groups: int
    tokens: RouterTokensOut
    cost: float | None
    latency_ms: int


class ExplainOut(Schema):
    """Why the selection is what it is; ``router`` is null where no model was asked."""

    included: list[ToolReasonOut]
    omitted: list[ToolReasonOut]
    omitted_counts: dict[str, int]
    groups: list[GroupScoreOut]
    router: RouterOut | None


class SelectionOut(Schema):
    """The tools to carry, ready to pass on.

    ``tool_names`` are those that the model sees at once, ``deferred`` those that it may search.
    """

    id: str
    run_id: str
    catalog: str
    release: int
    strategy: Strategy
    decided_by: Strategy
    groups: list[str]
    proposed_groups: list[str]
    confidence: float
    confidence_source: ConfidenceSource
    fallback: Fallback | None
    explored: bool
    tool_names: list[str]
    tools: list[Any]
    deferred: list[str]
    tokens: TokensOut
    explain: ExplainOut | None


class ExpansionIn(In):
    """Open one more group: the arguments of ``request_group`` as the agent gave them."""

    group: PartName
    reason: Annotated[str, StringConstraints(max_length=2000), AfterValidator(clean)] | None = None


class ExpansionOut(Schema):
    """What was added; everything offered before keeps its place.

    Tools that a selection with ``tool_search`` holds already, deferred, are not added a second
    time: ``references`` point the model to them.
    """

    id: str
    run_id: str
    catalog: str
    group: str
    groups: list[str]
    added: list[Any]
    references: list[Any]
    tool_names: list[str]
    tokens: TokensOut
