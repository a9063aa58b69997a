"""What the requests of all endpoints are made of."""

import re
from typing import Annotated, Literal

from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from routing.selection import Strategy

MAX_TEXT = 200_000
# No database and no UTF-8 can hold these.
_UNSAFE = re.compile("[\0\ud800-\udfff]")
# JSON has no enumerations, so that the strictness of requests stops at their values.
StrategyName = Annotated[Strategy, Field(strict=False)]
FormatName = Literal["native", "openai", "openai-responses", "anthropic", "mcp", "gemini", "prompt"]


def clean(text: str) -> str:
    if _UNSAFE.search(text):
        raise ValueError("must hold neither U+0000 nor half of a surrogate pair")
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


CleanText = Annotated[str, AfterValidator(clean)]
LongText = Annotated[str, StringConstraints(max_length=MAX_TEXT), AfterValidator(clean)]
Task = Annotated[LongText, AfterValidator(_not_blank)]
RunId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,128}$")]
CaseId = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z0-9._:/-]{1,128}$"),
    Field(examples=["refund-paths/12"]),
]
PartName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,62}$")]
CatalogReference = Annotated[
    str,
    StringConstraints(max_length=140),
    AfterValidator(clean),
    Field(examples=["back-office", "back-office@4", "back-office@staging"]),
]


class In(Schema):
    """A request: unknown fields are refused, and a string is no number."""

    # No canonical JSON and no database's JSON says an infinity, which 1e999 is read as.
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


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


# What every endpoint may answer instead, for the OpenAPI document.
PROBLEMS = {frozenset({400, 401, 403, 404, 409, 413, 422, 429, 503}): ProblemOut}
READING_PROBLEMS = {frozenset({401, 403, 404, 422, 429, 503}): ProblemOut}
