"""The stages that every selection goes through, whatever its strategy.

candidates (enabled, switched on, allowed on the route) -> proposal with scores, groups and
confidence -> threshold or default tools -> cap -> open groups -> always-on tools -> order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from routing.selection.explanation import Verdicts, included
from routing.selection.index import IllegalTransition, Index
from routing.selection.strategies.contract import Proposal, Request
from routing.selection.strategies.registry import strategy_named
from routing.selection.types import (
    Circumstances,
    ConfidenceSource,
    Fallback,
    Query,
    Selection,
    Strategy,
    Why,
    WhyNot,
)


@dataclass(frozen=True, slots=True)
class Decision:
    """A selection, and what it was made of: the resolved query and the strategy's proposal.

    ``proposed`` are the tools that would be served if no confidence were too low, best first.
    ``verdicts`` say of every tool why it is not served.
    """

    selection: Selection
    request: Request
    proposal: Proposal | None
    proposed: tuple[int, ...]
    verdicts: Verdicts


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What is served of the candidates, best first, and why; ``proposed`` as in ``Decision``."""

    chosen: list[int]
    reasons: dict[int, Why]
    proposed: tuple[int, ...]
    fallback: Fallback | None


def select(query: Query, index: Index, circumstances: Circumstances) -> Selection:
    """Return the tools for a query. Pure: equal arguments give equal selections.

    Raises ``UnknownPhase``, ``UnknownRoute``, ``UnknownGroup`` and ``GroupNotAllowed`` (of
    ``index``) for names in the query that do not stand, and ``IllegalTransition`` where the run may
    not move to the phase. A strategy that cannot be served or that fails does not raise: ``auto``
    answers, and ``failure`` says why.
    """
    return decide(query, index, circumstances).selection


def decide(query: Query, index: Index, circumstances: Circumstances) -> Decision:
    """Return what ``select`` returns, with the proposal that it cut; raises what it raises."""
    request, verdicts = resolve(query, index, circumstances)
    opened = _open_tools(request)
    asked = query.strategy or index.settings.strategy
    proposal, failure = propose(request, asked)
    settled = settle(request, proposal, opened, verdicts)
    chosen, reasons, fallback = settled.chosen, settled.reasons, settled.fallback
    groups = () if proposal is None or fallback else proposal.groups
    reasons = {tool: reasons[tool] for tool in chosen} | dict.fromkeys(opened, Why.OPEN_GROUP)
    always_on = [tool for tool in index.always_on if request.servable[tool]]
    reasons |= dict.fromkeys(always_on, Why.ALWAYS_ON)
    served = (*index.in_order([*chosen, *opened]), *always_on)
    verdicts.keep(served)
    scores = proposal.scores if proposal is not None else None
    selection = Selection(
        strategy=asked,
        decided_by=proposal.decided_by if proposal is not None else _answering(asked, failure),
        groups=index.in_group_order((*groups, *query.open_groups)),
        proposed_groups=proposal.groups if proposal is not None else (),
        confidence=proposal.confidence if proposal is not None else 0.0,
        confidence_source=(
            proposal.confidence_source if proposal is not None else ConfidenceSource.ASSUMED
        ),
        fallback=_reported(fallback, failure),
        explored=circumstances.explore,
        tools=served,
        requestable=request.route.groups,
        max_tools=request.cap,
        phase=request.phase.name if request.phase else None,
        included=included(index, served, reasons, scores),
        omitted=verdicts.nearest(index, scores),
        omitted_counts=verdicts.counts(),
        scored_groups=proposal.scored_groups if proposal is not None else (),
        failure=failure,
    )
    return Decision(
        selection=selection,
        request=request,
        proposal=proposal,
        proposed=settled.proposed,
        verdicts=verdicts,
    )


def settle(
    request: Request, proposal: Proposal | None, opened: Sequence[int], verdicts: Verdicts
) -> Settled:
    """Return what the threshold and the cap leave of a proposal, or the default tools instead.

    ``opened`` are tools that are served anyway and do not count; ``verdicts`` are filled.
    """
    fallback = _fallback(request, proposal)
    chosen: list[int] = []
    reasons: dict[int, Why] = {}
    if proposal is not None:
        verdicts.drop(request.candidates, proposal.others)
        verdicts.drop(list(proposal.removed), WhyNot.REMOVED_BY_RULE)
        chosen, reasons = _cut(request, proposal, opened, verdicts)
    proposed = tuple(chosen)
    if proposal is None or not proposal.ranked or fallback is Fallback.LOW_CONFIDENCE:
        chosen, reasons = _defaults(request, proposal, verdicts)
    return Settled(chosen=chosen, reasons=reasons, proposed=proposed, fallback=fallback)


def expand(
    index: Index,
    *,
    route: str | None,
    group: str,
    offered: Sequence[str],
    circumstances: Circumstances,
) -> tuple[int, ...]:
    """Return what opening a group adds: its tools that may be served and were not offered yet.

    Positions, in the group's order. Raises ``UnknownRoute``, ``UnknownGroup`` and
    ``GroupNotAllowed``.
    """
    allowed = index.route(route)
    members = index.requestable_group(group, allowed).members
    servable = index.enabled & ~index.switched_off(circumstances.switched_off) & allowed.tools
    known = frozenset(offered)
    return tuple(
        tool for tool in members.tolist() if servable[tool] and index.tools[tool] not in known
    )


def resolve(query: Query, index: Index, circumstances: Circumstances) -> tuple[Request, Verdicts]:
    """Look up the query's names, and say for every tool that cannot be served why not.

    Raises what ``select`` raises for names that do not stand.
    """
    route = index.route(query.route)
    phase = index.phase(query.phase)
    verdicts = Verdicts.all_dropped(len(index.tools), reason=WhyNot.BELOW_CUT)
    if route is not index.unrouted:
        verdicts.drop(~route.tools, WhyNot.ROUTE)
    standing = index.standing(route, circumstances.switched_off)
    if circumstances.switched_off:
        verdicts.drop(route.standing.servable & ~standing.servable, WhyNot.CIRCUIT_OPEN)
    if route.disabled is not None:
        verdicts.drop(route.disabled, WhyNot.DISABLED)
    inclusive = index.settings.inclusive if query.inclusive is None else query.inclusive
    request = Request(
        query=query,
        index=index,
        route=route,
        phase=phase,
        servable=standing.servable,
        candidates=standing.candidates,
        groups=standing.groups,
        cap=query.max_tools or index.settings.max_tools,
        inclusive=inclusive or circumstances.explore,
        model_answer=circumstances.model_answer,
        came_from=index.phases.get(circumstances.came_from or ""),
    )
    return request, verdicts


def _open_tools(request: Request) -> list[int]:
    """Return the tools of the groups that the query opens."""
    for name in request.query.open_groups:
        request.index.requestable_group(name, request.route)
    members = request.index.members(request.query.open_groups)
    return [tool for tool in members if request.candidates[tool]]


def propose(request: Request, asked: Strategy) -> tuple[Proposal | None, str | None]:
    """Return the proposal of the strategy, else of ``auto``, else of ``auto`` without encoder.

    The text says why an earlier attempt failed.
    """
    failure = None
    attempts = ((asked, True), (Strategy.AUTO, True), (Strategy.AUTO, False))
    for name, semantic in attempts:
        try:
            attempt = request if semantic else replace(request, semantic=False)
            return strategy_named(name).propose(attempt), failure
        except IllegalTransition:
            raise
        except Exception as error:
            failure = failure or f"{name.value}: {type(error).__name__}: {error}"
    return None, failure


def _fallback(request: Request, proposal: Proposal | None) -> Fallback | None:
    if not request.candidates.any():
        return Fallback.NOTHING_AVAILABLE
    if proposal is None or not proposal.ranked:
        return Fallback.NO_MATCH
    if proposal.fallback is not None:
        return proposal.fallback
    assumed = proposal.confidence_source is ConfidenceSource.ASSUMED
    if not assumed and proposal.confidence < request.index.settings.threshold:
        return Fallback.LOW_CONFIDENCE
    return None


def _reported(fallback: Fallback | None, failure: str | None) -> Fallback | None:
    """A failure is told before what came of the answer in its stead, unless all is off."""
    if failure is not None and fallback is not Fallback.NOTHING_AVAILABLE:
        return Fallback.STRATEGY_FAILED
    return fallback


def _answering(asked: Strategy, failure: str | None) -> Strategy:
    return asked if failure is None else Strategy.AUTO


def _defaults(
    request: Request, proposal: Proposal | None, verdicts: Verdicts
) -> tuple[list[int], dict[int, Why]]:
    """Return the default tools that may be served, cut to the cap.

    Where all of them are off and nothing is always-on, other tools that only read stand in, so that
    a selection is not empty. An inclusive selection fills the room that they leave with what was
    proposed, as far as that only reads.
    """
    index = request.index
    ranked = list(proposal.ranked) if proposal is not None else []
    verdicts.drop(ranked, WhyNot.BELOW_THRESHOLD)
    default = [tool for tool in index.default_tools if request.candidates[tool]]
    if index.default_tools and not default and not request.servable[list(index.always_on)].any():
        default = list(index.in_order((request.candidates & index.reads).nonzero()[0].tolist()))
    reasons = dict.fromkeys(default, Why.DEFAULT)
    if proposal is not None and request.inclusive:
        reading = {tool: proposal.reasons[tool] for tool in ranked if index.reads[tool]}
        reasons = reading | reasons
        default = list(dict.fromkeys((*default, *reading)))
    verdicts.drop(default[request.cap :], WhyNot.OVER_CAP)
    return default[: request.cap], reasons


def _cut(
    request: Request, proposal: Proposal, opened: Sequence[int], verdicts: Verdicts
) -> tuple[list[int], dict[int, Why]]:
    """Return as many of the ranked tools as the cap lets through; opened ones do not count."""
    open_already = frozenset(opened)
    ranked = [tool for tool in proposal.ranked if tool not in open_already]
    cap = request.cap if proposal.capped else len(ranked)
    verdicts.drop(ranked[cap:], WhyNot.OVER_CAP)
    return ranked[:cap], dict(proposal.reasons)
