"""Proposed calls, what was decided of them, and their results."""

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import AfterValidator, Field, StringConstraints

from routing.api.schemas.common import CleanText, In, clean
from routing.models import ToolCall
from routing.policy.arguments import unsafe_places

_MOST_MS = 2_000_000


def _storable(value: Any) -> Any:
    for fault in unsafe_places(value, at="value"):
        where = fault.path.removeprefix("value").removeprefix(".")
        raise ValueError(f"{where}: {fault.message}" if where else fault.message)
    return value


Storable = AfterValidator(_storable)


class CallIn(In):
    """A call as the model asked for it."""

    tool: Annotated[str, StringConstraints(min_length=1, max_length=256), AfterValidator(clean)]
    arguments: Annotated[dict[str, Any], Storable] = Field(default_factory=dict)
    idempotency_key: (
        Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(clean)]
        | None
    ) = None
    approval_id: (
        Annotated[str, StringConstraints(min_length=1, max_length=64), AfterValidator(clean)] | None
    ) = None


class FaultOut(Schema):
    """One thing wrong with arguments or data; ``path`` is empty for the whole."""

    path: str
    message: str


class ResultOut(Schema):
    """A result on record.

    ``data`` is a string where it was ``truncated``. ``data_kept`` is false where it is not kept:
    ``data`` is then null but in the answer to the result itself. ``redacted`` tells that it is kept
    without what the catalog has redacted; it is answered once as it was sent. ``bytes`` and
    ``sha256`` are of the whole, as canonical JSON. ``content`` is the observation in the shape of
    the selection's format: add the id under which the model asked.
    """

    call_id: str
    tool: str
    attempt: int
    status: str
    reason: str | None
    data: Any
    data_kept: bool
    truncated: bool
    redacted: bool
    bytes: int | None
    sha256: str | None
    errors: list[FaultOut]
    evidence_ref: str | None
    trust: str
    flags: list[str]
    content: dict[str, Any]
    latency_ms: int | None
    cost: float | None
    tokens: int | None
    retry_after_ms: int | None
    time: str


class CallOut(Schema):
    """What was decided of a proposal.

    ``tool`` is the tool's own name, null where there is none. Make the call only where ``decision``
    is ``allowed`` and ``result`` is null: with the ``arguments`` of the answer, within
    ``timeout_ms``, and send the result with this ``attempt``.
    """

    id: str
    run_id: str
    tool: str | None
    decision: Literal["allowed", "refused", "needs_approval"]
    reason: str | None
    detail: str | None
    errors: list[FaultOut]
    hint: dict[str, Any] | None
    approval_id: str | None
    attempt: int | None
    timeout_ms: int | None
    max_attempts: int | None
    output_trust: str | None
    arguments: dict[str, Any] | None
    result: ResultOut | None


class ApprovalOut(Schema):
    """How a person's word on a call stands; ``reason`` is what they said."""

    id: str
    state: Literal["pending", "approved", "refused", "expired", "used"]
    requested_at: str
    expires_at: str
    decided_at: str | None
    reason: str | None


class CallRecordOut(CallOut):
    """A call as it is on record; ``status`` is null while an attempt is out or none was allowed.

    ``done`` tells that there will be no further attempt. ``arguments`` are null where they are not
    kept.
    """

    selection_id: str
    time: str
    status: str | None
    done: bool
    leased_until: str | None
    approval: ApprovalOut | None


class ResultIn(In):
    """What came of an attempt."""

    attempt: Annotated[int, Field(ge=1, le=32_767)]
    status: Annotated[ToolCall.Status, Field(strict=False)]
    data: Annotated[Any, Storable] = None
    reason: Annotated[str, StringConstraints(max_length=2000), AfterValidator(clean)] | None = None
    evidence_ref: Annotated[CleanText, StringConstraints(max_length=500)] | None = None
    latency_ms: Annotated[int, Field(ge=0, le=_MOST_MS)] | None = None
    cost: Annotated[float, Field(ge=0, le=10**9, strict=False)] | None = None
    tokens: Annotated[int, Field(ge=0, le=2_000_000_000)] | None = None
    retry_after_ms: Annotated[int, Field(ge=0, le=86_400_000)] | None = None


class SimulationIn(In):
    """The attempt that a simulated tool is to answer."""

    attempt: Annotated[int, Field(ge=1, le=32_767)]


class SimulationOut(Schema):
    """What a simulated tool answered, and is on record.

    ``result`` is null where nothing is ever heard of the attempt: it stays out until
    ``leased_until``, as it would with a tool that hangs. ``latency_ms`` is what the tool would have
    taken; nobody waited for it.
    """

    call_id: str
    attempt: int
    latency_ms: int | None
    leased_until: str
    result: ResultOut | None
