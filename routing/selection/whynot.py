"""Why a tool was served or not, for any tool of a catalog: what speaks for it, and what it lacked.

A selection lists its twenty nearest misses. An account is of one tool, however far off. What could
not be served at all (disabled, switched off, not allowed on the route) is weighed as if it could.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.cut import INCLUSIVE_LEAST, LEAST, keep
from routing.selection.index import Index
from routing.selection.pipeline import Decision
from routing.selection.reading import Reading
from routing.selection.stemming import stems
from routing.selection.strategies.contract import Request
from routing.selection.strategies.evidential import beliefs_by_group, needed, read_request
from routing.selection.text import bounded, terms
from routing.selection.types import Strategy, Why, WhyNot

BY_EVIDENCE = frozenset({Strategy.EMBEDDING, Strategy.HIERARCHICAL})
"""The strategies that serve as far as belief goes; the others know, or were taught."""
SIMILAR = 5


class UnknownTool(LookupError):
    """The catalog has no tool of this name; ``similar`` are names that are written nearly so."""

    def __init__(self, tool: str, *, catalog: str, similar: Sequence[str]) -> None:
        self.similar = tuple(similar)
        near = f" Did you mean {', '.join(self.similar)}?" if similar else ""
        super().__init__(f"{catalog} has no tool “{tool}”.{near}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """What is believed of a tool that was looked at closely.

    ``place`` is its place by belief, from 1. ``share`` is its part of the unit that all tools and
    nothing share, ``nothing`` what nothing holds of it. ``needed`` is the probability that the task
    needs the tool, ``least`` the bound under which evidence ends the list, ``reach`` the place
    after which it ended. ``stray`` marks a tool that was passed over on the way there: hardly
    anything else speaks for its group.
    """

    place: int
    share: float
    nothing: float
    needed: float
    least: float
    reach: int
    stray: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Why a tool was served or not.

    ``reason`` is the verdict of the pipeline. ``place`` is the tool's among the ``candidates`` by
    the scores of the strategy, from 1, and ``score`` is its own; both are ``None`` where the
    strategy has no scores or the tool is no candidate. ``proposed`` is how many tools the strategy
    wanted served, ``cap`` how many could be.

    ``words`` are those of the task that the tool's texts hold, ``lexical`` what they score as a
    share of the best tool's; ``cosine`` is the tool's nearness in meaning and ``best_cosine`` the
    best tool's, ``None`` without an encoder; ``name`` is the share of its name that the task says.
    ``group`` is the group that it counts for and ``group_belief`` what is believed of that.
    ``belief`` is ``None`` for a tool too far off to be looked at closely.

    ``by_group`` tells whether groups were opened first: what decided is then whether the tool's
    group was opened (``group_opened``), not the bound of the cut. ``by_evidence`` tells whether
    evidence decided: where it did not, rules, a phase or a model did, and what speaks for the tool
    was not asked.
    """

    tool: str
    served: bool
    reason: Why | WhyNot
    decided_by: Strategy
    by_evidence: bool
    by_group: bool
    place: int | None
    candidates: int
    score: float | None
    proposed: int
    cap: int
    words: tuple[str, ...]
    lexical: float
    cosine: float | None
    best_cosine: float | None
    name: float
    group: str | None
    group_belief: float | None
    group_opened: bool
    belief: Belief | None

    def record(self) -> dict[str, Any]:
        """Return the account as JSON takes it, shares to four places."""
        return {name: _plain(value) for name, value in asdict(self).items()}


def position_of(tool: str, index: Index) -> int:
    """Return a tool's position. Raises ``UnknownTool``, which says what is written alike."""
    if tool not in index.position:
        folded = {name.casefold(): name for name in index.tools}
        near = get_close_matches(tool.casefold(), folded, n=SIMILAR)
        raise UnknownTool(tool, catalog=index.catalog, similar=[folded[name] for name in near])
    return index.position[tool]


def account_of(tool: str, decision: Decision, index: Index) -> Account:
    """Return why a decision serves a tool or not. Raises ``UnknownTool``.

    The task is read once more, so that the encoder may be called.
    """
    position = position_of(tool, index)
    request = _as_if(decision.request, position)
    reading = read_request(request)
    evidence, beliefs = reading.evidence, reading.beliefs
    proposal, selection = decision.proposal, decision.selection
    places = np.nonzero(beliefs.places == position)[0]
    number = int(places[0]) if len(places) else None
    group = _group(index, position, reading, number)
    by_group = beliefs_by_group(reading)
    meaning = None if evidence.semantic is None else evidence.semantic[0]
    candidates = decision.request.candidates
    scores = proposal.scores if proposal is not None else None
    if scores is not None and not candidates[position]:
        scores = None
    reason = decision.verdicts.reason(position)
    return Account(
        tool=tool,
        served=reason is None,
        reason=reason or _kept_for(tool, decision),
        decided_by=selection.decided_by,
        by_evidence=selection.decided_by in BY_EVIDENCE,
        by_group=_by_group(selection.decided_by, index, reading),
        place=None if scores is None else _place(scores, position, decision),
        candidates=int(candidates.sum()),
        score=None if scores is None else float(scores[position]),
        proposed=0 if proposal is None else len(proposal.ranked),
        cap=selection.max_tools,
        words=_words(request, index, position),
        lexical=float(evidence.lexical[0, position] / max(float(evidence.lexical[0].max()), 1e-6)),
        cosine=None if meaning is None else float(meaning[position]),
        best_cosine=None if meaning is None else float(meaning[request.candidates].max()),
        name=float(index.names.said_in(evidence.words[0].said, np.array([position]))[0, 0]),
        group=None if group is None else index.group_names[group],
        group_belief=None if group is None else by_group.get(group, 0.0),
        group_opened=group is not None and index.group_names[group] in selection.groups,
        belief=None if number is None else _belief(request, reading, number),
    )


def _by_group(strategy: Strategy, index: Index, reading: Reading) -> bool:
    if strategy is Strategy.EMBEDDING:
        return reading.evidence.semantic is not None and index.groups_are_shown
    return strategy is Strategy.HIERARCHICAL


def _as_if(request: Request, position: int) -> Request:
    """Return a request in which a tool is a candidate."""
    if request.candidates[position]:
        return request
    candidates = request.candidates.copy()
    candidates[position] = True
    return replace(request, candidates=candidates)


def _kept_for(tool: str, decision: Decision) -> Why:
    return next(item.reason for item in decision.selection.included if item.tool == tool)


def _place(scores: FloatArray, position: int, decision: Decision) -> int:
    """Return a tool's place among the candidates; equal scores stand in catalog order."""
    rank = decision.request.index.rank
    before = (scores > scores[position]) | ((scores == scores[position]) & (rank < rank[position]))
    return int((before & decision.request.candidates).sum()) + 1


def _words(request: Request, index: Index, position: int) -> tuple[str, ...]:
    """Return the words of the task that occur in a tool's texts, as the task writes them."""
    lexicon = index.tool_lexicon
    found: list[str] = []
    task = terms(bounded(request.query.task))
    for word, stem in zip(task, stems(task, index.language), strict=True):
        number = lexicon.numbers.get(stem)
        if number is None:
            continue
        listed = lexicon.texts[lexicon.offsets[number] : lexicon.offsets[number + 1]]
        if position in listed:
            found.append(word)
    return tuple(dict.fromkeys(found))


def _group(index: Index, position: int, reading: Reading, number: int | None) -> int | None:
    """Return the number of the group that a tool counts for, its first where none is read."""
    home = int(index.home[position]) if number is None else int(reading.beliefs.homes[number])
    return home if home >= 0 else None


def _belief(request: Request, reading: Reading, number: int) -> Belief:
    wanted = needed(request, reading)
    kept = keep(reading.beliefs, wanted, cap=request.cap, inclusive=request.inclusive).numbers
    reach = kept[-1] + 1
    return Belief(
        place=number + 1,
        share=float(reading.beliefs.shares[number]),
        nothing=float(reading.beliefs.nothing),
        needed=float(wanted[number]),
        least=INCLUSIVE_LEAST if request.inclusive else LEAST,
        reach=reach,
        stray=number < reach and number not in kept,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return list(value) if isinstance(value, tuple) else value
