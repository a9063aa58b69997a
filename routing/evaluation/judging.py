"""Hold one selection against its case.

Alternatives count as the tool that they stand for, in every measure. In NDCG a place of the ranking
gains once for the first need that it meets and that no place before it met, so that no ranking does
better than all expected tools in front. Always-on tools and ``request_group`` are not chosen, so
they count neither as tools served nor towards a need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2

from routing.evaluation.cases import Case
from routing.evaluation.outcomes import DEPTH, Outcome
from routing.selection import ConfidenceSource, Index
from routing.selection.uncut import Uncut

Needs = Sequence[frozenset[int]]
GroupNeeds = Sequence[frozenset[str]]
Homes = Mapping[int, frozenset[str]]


def judge(case: Case, answer: Uncut, index: Index, *, homes: Homes, seconds: float) -> Outcome:
    """Return what came of a case.

    ``homes`` are the ``memberships`` of the index, ``seconds`` is what the selection took.
    """
    selection = answer.selection
    needs = [frozenset(index.position[name] for name in need) for need in case.needs]
    always_on = frozenset(index.always_on)
    served = frozenset(selection.tools) - always_on
    missing = [need for need in needs if not need & served]
    requestable = frozenset(selection.requestable)
    wanted = group_needs(case, index, homes)
    return Outcome(
        needs=len(needs),
        met=met_by_depth(answer.ranking, needs),
        ndcg=ndcg(answer.ranking, needs),
        covered=not missing,
        tools=len(served),
        proposed_covered=all(need & frozenset(answer.proposed) for need in needs),
        proposed_tools=len(answer.proposed),
        grouped=bool(wanted),
        first_group_right=any(answer.first_group in need for need in wanted),
        groups_covered=all(need & frozenset(selection.groups) for need in wanted),
        groups=len(selection.groups),
        expands=any(
            homes.get(tool, frozenset()) & requestable for need in missing for tool in need
        ),
        confidence=selection.confidence,
        assumed=selection.confidence_source is ConfidenceSource.ASSUMED,
        fallback=selection.fallback is not None,
        failed=selection.failure is not None,
        seconds=seconds,
    )


def met_by_depth(ranking: Sequence[int], needs: Needs) -> tuple[int, ...]:
    """Return how many needs the first 1 .. ``DEPTH`` tools of a ranking meet."""
    top = ranking[:DEPTH]
    firsts = [
        next((place for place, tool in enumerate(top) if tool in need), DEPTH) for need in needs
    ]
    return tuple(sum(first < depth for first in firsts) for depth in range(1, DEPTH + 1))


def ndcg(ranking: Sequence[int], needs: Needs) -> float:
    """Return NDCG at ``DEPTH`` with gains of 0 and 1; 0 where nothing is needed.

    The ideal is every need met by the first places, as many as there are up to ``DEPTH``. Source:
    Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002.
    """
    unmet = list(needs)
    gained = 0.0
    for place, tool in enumerate(ranking[:DEPTH]):
        need = next((need for need in unmet if tool in need), None)
        if need is not None:
            unmet.remove(need)
            gained += 1 / log2(place + 2)
    ideal = sum(1 / log2(place + 2) for place in range(min(len(needs), DEPTH)))
    return gained / ideal if ideal else 0.0


def memberships(index: Index) -> Homes:
    """Return the groups of each tool that is in one, by position."""
    found: dict[int, set[str]] = {}
    for group in index.groups.values():
        for tool in group.members.tolist():
            found.setdefault(tool, set()).add(group.name)
    return {tool: frozenset(names) for tool, names in found.items()}


def group_needs(case: Case, index: Index, homes: Homes) -> GroupNeeds:
    """Return what the case needs of the groups: for each one expected, the names that meet it.

    Where the case names none, a tool of several groups is found in any of them. A group is met by
    another one if that holds alternatives of all tools for which it is expected.
    """
    of_needs = [
        [homes.get(index.position[name], frozenset()) for name in need] for need in case.needs
    ]
    if not case.expected_groups:
        return [frozenset().union(*options) for options in of_needs if options[0]]
    wanted = []
    for expected in case.expected_groups:
        others = [frozenset().union(*options) for options in of_needs if expected in options[0]]
        wanted.append(
            frozenset({expected}).union(frozenset.intersection(*others) if others else ())
        )
    return wanted
