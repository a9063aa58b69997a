"""A selection tried in the playground, laid out for reading."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from dashboard.curl import curl
from dashboard.payloads import Deferred, deferred_of, payload_of
from dashboard.words import CONFIDENCE_SOURCES, FALLBACKS, WHY, WHY_NOT
from routing.preview import Preview
from routing.selection import ConfidenceSource, Fallback, Query, WhyNot

# More than this is too much for a page; the API answers with all of it.
ROWS = 100
CURL_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group as the strategy saw it. ``state`` is "opened", "proposed" or "left"."""

    name: str
    score: float | None
    reason: Promise | str
    state: str


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A tool that was kept or narrowly missed, and why."""

    name: str
    score: float | None
    reason: Promise
    side_effect: str
    tokens: int
    groups: Sequence[str]


@dataclass(frozen=True, slots=True)
class Trial:
    """What the page shows of a preview."""

    preview: Preview
    threshold: float
    groups: Sequence[GroupRow]
    kept: Sequence[ToolRow]
    missed: Sequence[ToolRow]
    counts: Sequence[tuple[Promise, int]]
    fallback: Promise | None
    confidence_source: Promise
    request_group_tokens: int
    payload: str
    payload_left: int
    deferred: Deferred | None

    @property
    def milliseconds(self) -> float:
        """Return what choosing took."""
        return self.preview.latency_us / 1000

    @property
    def kept_count(self) -> int:
        """Return how many tools were kept, without ``request_group``."""
        return len(self.preview.selection.tools)

    @property
    def rows_left(self) -> int:
        """Return how many kept tools the page does not list."""
        return self.kept_count - len(self.kept)

    @property
    def total(self) -> int:
        """Return how many tools the version has."""
        return len(self.preview.release.names)

    @property
    def is_failure(self) -> bool:
        """Tell whether another strategy answered than the one asked for."""
        return self.preview.selection.fallback is Fallback.STRATEGY_FAILED

    @property
    def is_under(self) -> bool:
        """Tell whether an estimated confidence does not reach the threshold."""
        return not self.is_assumed and self.preview.selection.confidence < self.threshold

    @property
    def is_assumed(self) -> bool:
        """Tell whether the confidence is no estimate."""
        return self.preview.selection.confidence_source is ConfidenceSource.ASSUMED


def lay_out(preview: Preview, *, format_name: str) -> Trial:
    """Return a preview as rows, with what an agent would get in a format."""
    selection, release = preview.selection, preview.release
    requestable = selection.requestable
    payload, payload_left = payload_of(preview, format_name=format_name)
    asking = (
        release.request_group(groups=requestable, format_name=format_name).tokens
        if requestable
        else 0
    )
    return Trial(
        preview=preview,
        threshold=release.document["settings"]["threshold"],
        groups=_group_rows(preview),
        kept=[
            _tool_row(preview, kept.tool, kept.score, WHY[kept.reason])
            for kept in selection.included[:ROWS]
        ],
        missed=[
            _tool_row(preview, miss.tool, miss.score, WHY_NOT[miss.reason])
            for miss in selection.omitted
        ],
        counts=[(WHY_NOT[WhyNot(why)], n) for why, n in selection.omitted_counts.items()],
        fallback=FALLBACKS[selection.fallback] if selection.fallback else None,
        confidence_source=CONFIDENCE_SOURCES[selection.confidence_source],
        request_group_tokens=asking,
        payload=payload,
        payload_left=payload_left,
        deferred=deferred_of(preview, format_name=format_name),
    )


def _group_rows(preview: Preview) -> list[GroupRow]:
    selection = preview.selection
    scored = {row.group: row for row in selection.scored_groups}
    names = dict.fromkeys([*scored, *selection.groups, *selection.proposed_groups])
    rows = []
    for name in names:
        state = "left"
        if name in selection.groups:
            state = "opened"
        elif name in selection.proposed_groups:
            state = "proposed"
        row = scored.get(name)
        rows.append(
            GroupRow(
                name=name,
                score=row.score if row else None,
                # A group that was left closed has no reason to be open.
                reason=WHY[row.reason] if row and state != "left" else "",
                state=state,
            )
        )
    return rows


def _tool_row(preview: Preview, name: str, score: float | None, reason: Promise) -> ToolRow:
    release = preview.release
    position = release.position(name)
    return ToolRow(
        name=name,
        score=score,
        reason=reason,
        side_effect=release.document["tools"][position]["side_effect"],
        tokens=release.tokens[position],
        groups=[group["name"] for group in release.document["groups"] if name in group["tools"]],
    )


def same_by_curl(
    *, url: str, reference: str, query: Query, format_name: str, tool_search: bool = False
) -> str | None:
    """Return the command that asks the API for the same, ``None`` where the text is too long."""
    body: dict[str, Any] = {"catalog": reference, **_said(query)}
    if format_name != "native":
        body["format"] = format_name
    if tool_search:
        body["tool_search"] = True
    command = curl(url=url, key="$TOOLCRIB_KEY", body=body)
    return command if len(command) <= CURL_CHARACTERS else None


def _said(query: Query) -> Mapping[str, object]:
    """Return what a query says in the words of the API, what it leaves open left out."""
    channel = query.channel
    said: dict[str, object] = {
        "task": query.task,
        "history": list(query.history),
        "phase": query.phase,
        "channel": {"kind": channel.kind, "value": channel.value} if channel else None,
        "route": query.route,
        "strategy": query.strategy,
        "max_tools": query.max_tools,
        "inclusive": query.inclusive,
    }
    return {name: value for name, value in said.items() if value not in (None, [])}
