"""Runs, their spans and their outcomes."""

from typing import Annotated

from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from routing.api.schemas.common import (
    CaseId,
    CatalogReference,
    FormatName,
    In,
    PartName,
    RunId,
    clean,
)
from routing.keys import HIGHEST_CEILINGS
from routing.models import Run


class BudgetIn(In):
    """What a run may spend; null is no ceiling of its own."""

    calls: Annotated[int, Field(ge=0, le=HIGHEST_CEILINGS["calls"])] | None = None
    tokens: Annotated[int, Field(ge=0, le=HIGHEST_CEILINGS["tokens"])] | None = None
    cost: Annotated[float, Field(ge=0, le=HIGHEST_CEILINGS["cost"], strict=False)] | None = None
    seconds: Annotated[float, Field(ge=0, le=HIGHEST_CEILINGS["seconds"], strict=False)] | None = (
        None
    )


class RunIn(In):
    """Begin a run before its first selection.

    ``case_id`` is ``<dataset>/<number>`` where an agent tries out a case of a dataset: the run is
    held against the path that the case expects, and its tools may be simulated.
    """

    catalog: CatalogReference
    run_id: RunId | None = None
    route: PartName | None = None
    phase: PartName | None = None
    actor: Annotated[str, StringConstraints(max_length=200), AfterValidator(clean)] | None = None
    budget: BudgetIn | None = None
    case_id: CaseId | None = None


class RunOut(Schema):
    """A run that has begun.

    ``budget`` is what it may spend: the lowest ceilings of what was asked, its route and its key.
    ``narrowed`` names those of which more was asked than its route or key allows.
    """

    run_id: str
    catalog: str
    release: int
    route: str | None
    phase: str | None
    actor: str | None
    budget: dict[str, float | int | None]
    narrowed: list[str]
    case_id: str | None


class PhaseIn(In):
    """The phase that a run goes on in. A null format is that of its last selection."""

    phase: PartName
    format: FormatName | None = None


class OutcomeIn(In):
    """How a run ended."""

    status: Annotated[Run.Outcome, Field(strict=False)]
    stop_reason: Annotated[str, StringConstraints(max_length=200), AfterValidator(clean)] | None = (
        None
    )


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
    """A run and its spans in order; ``next`` is the page after this one.

    ``text_erased`` tells that words said in it were erased, on request or for their age.
    """

    started_at: str
    source: str
    outcome: str | None
    stop_reason: str | None
    text_erased: bool
    spans: list[SpanOut]
    next: str | None
