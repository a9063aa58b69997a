"""What goes in and out, as types: they validate requests and describe the OpenAPI document."""

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, model_validator

MAX_TEXT = 200_000
StrategyName = Literal[
    "auto",
    "all",
    "phase",
    "keyword",
    "phase+keyword",
    "rules",
    "rules+embedding",
    "embedding",
    "hierarchical",
    "classifier",
    "state_machine",
    "llm",
]
FormatName = Literal["native", "openai", "anthropic", "prompt"]


def _clean(text: str) -> str:
    if "\0" in text:
        raise ValueError("must not hold U+0000")
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


CleanText = Annotated[str, AfterValidator(_clean)]
LongText = Annotated[str, StringConstraints(max_length=MAX_TEXT), AfterValidator(_clean)]
Task = Annotated[LongText, AfterValidator(_not_blank)]
RunId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,128}$")]
PartName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,62}$")]
CatalogReference = Annotated[
    str,
    StringConstraints(max_length=140),
    AfterValidator(_clean),
    Field(examples=["back-office", "back-office@4", "back-office@staging"]),
]


class In(Schema):
    """A request: unknown fields are refused, and a string is no number."""

    model_config = ConfigDict(extra="forbid", strict=True)


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

    kind: Literal["queue", "channel", "event"]
    value: Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_clean)]


class SelectionIn(In):
    """Ask for the tools of a task. Null means the catalog's own setting."""

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
    explain: bool = False

    @model_validator(mode="after")
    def _is_not_too_long(self) -> "SelectionIn":
        if len(self.task) + sum(map(len, self.history_texts())) > MAX_TEXT:
            raise ValueError(f"task and history hold more than {MAX_TEXT:,} characters together")
        return self

    def history_texts(self) -> list[str]:
        """Return the words of the history, oldest first."""
        return [item if isinstance(item, str) else item.as_text() for item in self.history]


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


class ExplainOut(Schema):
    """Why the selection is what it is."""

    included: list[ToolReasonOut]
    omitted: list[ToolReasonOut]
    omitted_counts: dict[str, int]
    groups: list[GroupScoreOut]


class SelectionOut(Schema):
    """The tools to carry, ready to pass on."""

    id: str
    run_id: str
    catalog: str
    release: int
    strategy: StrategyName
    decided_by: StrategyName
    groups: list[str]
    proposed_groups: list[str]
    confidence: float
    confidence_source: Literal["fitted", "shipped", "assumed"]
    fallback: Literal["low_confidence", "no_match", "strategy_failed", "nothing_available"] | None
    explored: bool
    tool_names: list[str]
    tools: list[Any]
    tokens: TokensOut
    explain: ExplainOut | None


class ExpansionIn(In):
    """Open one more group: the arguments of ``request_group`` as the agent gave them."""

    group: PartName
    reason: Annotated[str, StringConstraints(max_length=2000), AfterValidator(_clean)] | None = None


class ExpansionOut(Schema):
    """What was added; everything offered before keeps its place."""

    id: str
    run_id: str
    catalog: str
    group: str
    groups: list[str]
    added: list[Any]
    tool_names: list[str]
    tokens: TokensOut


class BudgetIn(In):
    """What a run may spend; null is no ceiling of its own."""

    calls: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    tokens: Annotated[int, Field(ge=0, le=10**12)] | None = None
    cost: Annotated[float, Field(ge=0, le=10**9, strict=False)] | None = None
    seconds: Annotated[float, Field(ge=0, le=10**9, strict=False)] | None = None


class RunIn(In):
    """Begin a run before its first selection."""

    catalog: CatalogReference
    run_id: RunId | None = None
    route: PartName | None = None
    phase: PartName | None = None
    actor: Annotated[str, StringConstraints(max_length=200), AfterValidator(_clean)] | None = None
    budget: BudgetIn | None = None
    case_id: RunId | None = None


class RunOut(Schema):
    """A run that has begun."""

    run_id: str
    catalog: str
    release: int
    route: str | None
    phase: str | None
    actor: str | None
    budget: dict[str, float | int | None]
    case_id: str | None


class OutcomeIn(In):
    """How a run ended."""

    status: Literal["solved", "failed", "needs_human", "abandoned"]
    stop_reason: (
        Annotated[str, StringConstraints(max_length=200), AfterValidator(_clean)] | None
    ) = None


class OutcomeOut(Schema):
    """An outcome on record."""

    run_id: str
    status: str
    stop_reason: str | None
    time: str


class SpanOut(Schema):
    """A step of a run, with tool names for ids. See the frozen value's page for each field."""

    model_config = ConfigDict(extra="allow")

    id: str
    name: str
    time: str


class RunWithSpansOut(RunOut):
    """A run and its spans in order; ``next`` is the page after this one."""

    started_at: str
    source: str
    outcome: str | None
    stop_reason: str | None
    spans: list[SpanOut]
    next: str | None


class CatalogOut(Schema):
    """A catalog in the list."""

    name: str
    title: str
    live: str | None
    versions: int


class CatalogsOut(Schema):
    """The catalogs that the key may reach."""

    catalogs: list[CatalogOut]


class CatalogGroupOut(Schema):
    """A group of a release."""

    name: str
    description: str
    tools: list[str]


class CatalogPhaseOut(Schema):
    """A phase of a release."""

    name: str
    tools: list[str]
    groups: list[str]
    next: list[str]
    initial: bool


class CatalogReleaseOut(Schema):
    """What a reference means."""

    ref: str
    release: int
    sha256: str
    published_at: str
    groups: list[CatalogGroupOut]
    phases: list[CatalogPhaseOut]
    routes: list[str]
    default_tools: list[str]
    always_on: list[str]
    tools: list[str]


class CatalogToolsOut(Schema):
    """Tools of a release in a provider's format."""

    ref: str
    format: FormatName
    tools: list[Any]


class FieldErrorOut(Schema):
    """One thing wrong with a request."""

    path: str
    message: str


class ProblemOut(Schema):
    """RFC 9457; ``errors`` only for 422."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldErrorOut] | None = None
