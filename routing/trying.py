"""Try a proposed call on a version: the decision that the API would make, and no record of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from routing.circuits import standing
from routing.compiled import CompiledRelease
from routing.policy.budget import Budget, lowest_ceilings
from routing.policy.circuits import Gate
from routing.policy.examining import Examination, examine
from routing.policy.rules import Proposal, ToolRules
from routing.policy.types import Approval, ApprovalState, Situation


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedCall:
    """A call that nobody makes, and what is supposed of its run: nothing is read but circuits.

    ``approval`` is how a person's word stands, ``None`` where none was asked for.
    """

    tool: str
    arguments: Mapping[str, Any]
    route: str | None = None
    scopes: frozenset[str] = frozenset()
    offered: bool = True
    has_key: bool = True
    calls: int = 0
    approval: ApprovalState | None = None


def try_call(*, release: CompiledRelease, tried: TriedCall, now: datetime) -> Examination:
    """Decide on a call by the rules of a release, its route's budget and the circuits of now."""
    proposal = Proposal.read(
        release.rules,
        name=tried.tool,
        arguments=tried.arguments,
        idempotency_key="tried" if tried.has_key else None,
    )
    bounds, tool = release.bounds(tried.route), proposal.tool
    return examine(
        proposal,
        Situation(
            now=now,
            route=tried.route,
            on_route=bounds.tools,
            offered=frozenset([tool.name]) if tool and tried.offered else frozenset(),
            scopes=tried.scopes,
            holders=bounds.holders,
            gate=_gate(release, tool, route=tried.route, now=now),
            budget=Budget(
                ceilings=lowest_ceilings(route=bounds.budget), spent={"calls": tried.calls}
            ),
            approval=Approval(state=tried.approval, named=True) if tried.approval else None,
        ),
    )


def _gate(
    release: CompiledRelease, tool: ToolRules | None, *, route: str | None, now: datetime
) -> Gate:
    if tool is None:
        return Gate()
    return standing(release.catalog_id).gate(
        tool=tool.name, capability=tool.capability, route=route or "", now=now
    )
