"""Pieces of advice: a finding, the change that would answer it, and how far that has come."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from catalog.models import Catalog, GroupTool
from dashboard.advising.changes import Change, Document, Join, SwitchOff, join
from dashboard.asked_traffic import AskedTraffic
from dashboard.metrics.findings import (
    AskedOften,
    Finding,
    Findings,
    MostlyAdded,
    NeverUsed,
    findings,
)
from dashboard.metrics.following import Request, fewest_tools, requests, usual_origin
from dashboard.metrics.sums import sum_of
from routing.models import Release
from routing.rollups.sections import Section

MOST_IN_GROUP = 10
"""Models choose worse past ten tools: no advice makes a group, or the cap, larger."""
OWN_WAYS = frozenset({"phase", "keyword", "phase+keyword", "state_machine", "all"})
"""Strategies that serve tools by other lists than groups: there it hangs on those."""


class State(StrEnum):
    """How far a change has come."""

    OPEN = "open"
    DRAFTED = "drafted"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class Piece:
    """A finding with its change; without one it needs a person's own thought.

    ``served`` of ``looked_at`` requests for the group would have been answered at first; both are 0
    where it is no matter of requests. ``origin`` is the group that mostly had been served where a
    tool had to be asked for.
    """

    finding: Finding
    change: Change | None = None
    state: State = State.OPEN
    served: int = 0
    looked_at: int = 0
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
    """The advice for a catalog; ``few`` findings have too few cases to advise anything."""

    pieces: Sequence[Piece]
    few: int


def advice_for(asked: AskedTraffic, *, catalog: Catalog, live: Release) -> Advice:
    """Return the advice that the counts of a period give for a catalog. Some ten queries.

    Of the draft no more is read than tells whether it has a change already.
    """
    document = live.version.parsed()
    found, pieces = _found(asked, catalog=catalog, document=document)
    if not pieces:
        return Advice(pieces=(), few=found.few)
    draft = _sketch(catalog, [one.change for one in pieces if one.change is not None])
    return Advice(
        pieces=[_placed(one, draft=draft, live=document) for one in pieces], few=found.few
    )


def _sketch(catalog: Catalog, changes: Sequence[Change]) -> Document:
    """Return as much of the draft's document as changes ask about."""
    groups: dict[str, list[str]] = {one.group: [] for one in changes if isinstance(one, Join)}
    members = GroupTool.objects.filter(group__catalog=catalog, group__name__in=groups)
    for group, tool in members.values_list("group__name", "tool__name"):
        groups[group].append(tool)
    names = [one.tool for one in changes if isinstance(one, SwitchOff)]
    return {
        "settings": {"max_tools": catalog.max_tools},
        "groups": [{"name": name, "tools": tools} for name, tools in groups.items()],
        "tools": list(catalog.tools.filter(name__in=names).values("name", "enabled")),
    }


def _found(
    asked: AskedTraffic, *, catalog: Catalog, document: Document
) -> tuple[Findings, Sequence[Piece]]:
    found = findings(
        began=_counted(Section.BEGAN, asked),
        tools=_counted(Section.TOOLS, asked),
        spared={*document["always_on"], *document["default_tools"]},
    )
    if not found.found:
        return found, ()
    followed = requests(
        catalog=catalog.pk,
        start=asked.periods.now.start,
        end=asked.periods.now.end,
        simulated=asked.scope.simulated,
    )
    return found, _distinct([_piece(one, followed, document) for one in found.found])


def _counted(section: Section, asked: AskedTraffic) -> Mapping[str, int]:
    now = asked.periods.now
    return sum_of(section, scope=asked.scope, stretch=(now.start, now.end))


def _piece(finding: Finding, followed: Sequence[Request], document: Document) -> Piece:
    if isinstance(finding, NeverUsed):
        return Piece(finding, SwitchOff(finding.tool))
    if isinstance(finding, MostlyAdded):
        return _of_tool(finding, followed, document)
    of_pair = [
        one for one in followed if one.asked == finding.asked and finding.origin in one.origins
    ]
    return _of_pair(finding, of_pair, document)


def _of_pair(finding: AskedOften, of_pair: Sequence[Request], document: Document) -> Piece:
    groups: Mapping[str, Any] = {one["name"]: one for one in document["groups"]}
    if not {finding.origin, finding.asked} <= set(groups) or not _goes_by_groups(document):
        return Piece(finding)
    own = groups[finding.origin]["tools"]
    members = groups[finding.asked]["tools"]
    # What is in it by now was asked for before it was: then this advice has been followed.
    tools, served = fewest_tools(of_pair, members=members, room=MOST_IN_GROUP - len(own), held=own)
    if not tools:
        return Piece(finding, looked_at=len(of_pair))
    change = join(document, group=finding.origin, tools=tools, most=MOST_IN_GROUP)
    return Piece(finding, change, served=served, looked_at=len(of_pair))


def _of_tool(finding: MostlyAdded, followed: Sequence[Request], document: Document) -> Piece:
    origin = usual_origin(followed, tool=finding.tool)
    groups = {one["name"]: one["tools"] for one in document["groups"]}
    own = groups.get(origin, ())
    fits = origin in groups and (finding.tool in own or len(own) < MOST_IN_GROUP)
    if not fits or not _goes_by_groups(document):
        return Piece(finding, origin=origin)
    change = join(document, group=origin, tools=(finding.tool,), most=MOST_IN_GROUP)
    return Piece(finding, change, origin=origin)


def _goes_by_groups(document: Document) -> bool:
    return document["settings"]["strategy"] not in OWN_WAYS


def _distinct(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Leave out what another piece's change answers already."""
    joined = {
        (piece.change.group, tool)
        for piece in pieces
        if isinstance(piece.finding, AskedOften) and isinstance(piece.change, Join)
        for tool in piece.change.tools
    }
    return [
        piece
        for piece in pieces
        if not isinstance(piece.finding, MostlyAdded)
        or (piece.origin, piece.finding.tool) not in joined
    ]


def _placed(piece: Piece, *, draft: Document, live: Document) -> Piece:
    if piece.change is None:
        return piece
    state = State.OPEN
    if piece.change.is_in(draft):
        state = State.LIVE if piece.change.is_in(live) else State.DRAFTED
    return Piece(piece.finding, piece.change, state, piece.served, piece.looked_at, piece.origin)
