"""Two evaluations of a dataset: what both tried, which cases turned out otherwise, and the rest."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np

from catalog.shelf import Shelf
from routing.datasets.benching import document_of
from routing.datasets.evaluating import results_of
from routing.datasets.naming import names_of_document, names_of_draft
from routing.datasets.results import Result
from routing.evaluation.diverting import (
    Destination,
    Diversion,
    destination,
    diversions,
    renamed_groups,
)
from routing.evaluation.outcomes import gathered
from routing.evaluation.paired import Values
from routing.evaluation.side_by_side import Compared, side_by_side
from routing.models import EvalRun

RIGHT = "right"
"""The share of cases that did not fail: what regressed is what it lost."""

# Neither of two evaluations that have ended changes.
comparisons: Shelf[tuple[object, ...], "Comparison"] = Shelf(size=4)


class NotComparable(Exception):
    """The two are not of the same dataset, or one has nothing to compare."""


class Turn(StrEnum):
    """How a case turned out, from the worst on: ``changed`` fails as before, or as little."""

    REGRESSED = "regressed"
    GAINED = "gained"
    CHANGED = "changed"
    SAME = "same"


class Why(StrEnum):
    """Why a case is not compared: one had not asked it, could not try it, or it was mended."""

    NOT_ASKED = "not_asked"
    NOT_TRIED = "not_tried"
    MENDED = "mended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What one of the two made of a case.

    ``tools`` are those chosen, in the version's own names and order; ``following`` are the same in
    the names of the later one, and so are those of ``goes``.
    """

    result: Result
    tools: tuple[str, ...]
    following: tuple[str, ...]
    goes: Destination

    @property
    def known_as(self) -> frozenset[str]:
        """The tools in the names of the later version, whatever their order."""
        return frozenset(self.following)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A case that both tried alike."""

    number: int
    before: Served
    after: Served
    turn: Turn

    @property
    def goes_otherwise(self) -> bool:
        """Whether the task goes to other groups, or more of them, or to a fallback.

        For the gate, that asks what a task would miss, more of them diverts nothing.
        """
        return self.before.goes != self.after.goes


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """A case that is not compared; ``only_in`` is the number of the evaluation that tried it.

    ``None`` where both did, before and after it was mended.
    """

    number: int
    why: Why
    only_in: int | None


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What two evaluations say of the same cases.

    ``pairs`` come regressions first, then gains, then what else changed; within a turn those that
    were served with most confidence first, since nobody is warned of them.
    """

    pairs: Sequence[Pair]
    apart: Sequence[Apart]
    seed: int

    def measures(self, numbers: frozenset[int] | None = None) -> dict[str, Compared]:
        """Return the measures of both and ``RIGHT``, over the pairs or over those of some cases."""
        if numbers is None:
            return self._of_all
        return _measures([one for one in self.pairs if one.number in numbers], seed=self.seed)

    @cached_property
    def _of_all(self) -> dict[str, Compared]:
        return _measures(self.pairs, seed=self.seed)

    def diversions(self, numbers: frozenset[int] | None = None) -> list[Diversion[int]]:
        """Return which cases go elsewhere, by where from and where to, the most first."""
        return diversions(
            (one.number, one.before.goes, one.after.goes)
            for one in sorted(self.pairs, key=lambda one: one.number)
            if numbers is None or one.number in numbers
        )


def compare(before: EvalRun, after: EvalRun) -> Comparison:
    """Return what two evaluations that have ended say; raises ``NotComparable``."""
    if before.dataset_id != after.dataset_id or not (before.report and after.report):
        raise NotComparable
    key = (before.pk, before.finished_at, after.pk, after.finished_at)
    return comparisons.get(key, lambda: _compared(before, after))


def _compared(before: EvalRun, after: EvalRun) -> Comparison:
    ones = {one.number: one for one in results_of(before)}
    others = {one.number: one for one in results_of(after)}
    serve, serve_after = _readers(before, after)
    pairs, apart = [], []
    for number, one in ones.items():
        other = others.get(number)
        if other is None:
            apart.append(Apart(number=number, why=_why(number, after), only_in=before.number))
        elif not one.is_of(asked=other.asked, expectation=other.expectation):
            apart.append(Apart(number=number, why=Why.MENDED, only_in=None))
        else:
            pairs.append(_pair(serve(one), serve_after(other)))
    apart += [
        Apart(number=number, why=_why(number, before), only_in=after.number)
        for number in others
        if number not in ones
    ]
    order = list(Turn)
    pairs.sort(
        key=lambda one: (
            order.index(one.turn),
            not one.goes_otherwise,
            -one.after.result.outcome.confidence,
            one.number,
        )
    )
    apart.sort(key=lambda one: one.number)
    return Comparison(pairs=pairs, apart=apart, seed=after.seed)


def _why(number: int, missing_in: EvalRun) -> Why:
    return Why.NOT_TRIED if str(number) in missing_in.skipped else Why.NOT_ASKED


def _pair(before: Served, after: Served) -> Pair:
    failed, fails = before.result.failed, after.result.failed
    if failed != fails:
        turn = Turn.REGRESSED if fails else Turn.GAINED
    elif _shown(before) != _shown(after):
        turn = Turn.CHANGED
    else:
        turn = Turn.SAME
    return Pair(number=before.result.number, before=before, after=after, turn=turn)


def _shown(served: Served) -> tuple[Destination, frozenset[str]]:
    return served.goes, served.known_as


Reader = Callable[[Result], Served]


def _readers(before: EvalRun, after: EvalRun) -> tuple[Reader, Reader]:
    """Return what tells the results of each: where tasks go in the names of the later version."""
    document, document_after = document_of(before), document_of(after)
    names = names_of_document(document_after, later=names_of_draft(after.catalog)).tools
    groups = renamed_groups(_members(document, names), _members(document_after, {}))
    return _reader(document, names, groups), _reader(document_after, {}, {})


def _reader(
    document: Mapping[str, Any], names: Mapping[str, str], groups: Mapping[str, str]
) -> Reader:
    tools = [tool["name"] for tool in document["tools"]]
    # They ride along whatever the task is.
    always = frozenset(document["always_on"])

    def served(result: Result) -> Served:
        chosen = tuple(tools[place] for place in result.tools if tools[place] not in always)
        following = tuple(names.get(name, name) for name in chosen)
        return Served(
            result=result,
            tools=chosen,
            following=following,
            goes=destination(
                groups=[groups.get(name, name) for name in result.groups],
                tools=following,
                fallback=result.fallback,
            ),
        )

    return served


def _members(document: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {
        group["name"]: frozenset(names.get(name, name) for name in group["tools"])
        for group in document["groups"]
    }


def _measures(pairs: Sequence[Pair], *, seed: int) -> dict[str, Compared]:
    before = gathered([one.before.result.outcome for one in pairs])
    after = gathered([one.after.result.outcome for one in pairs])
    right: Values = (
        np.array([not one.before.result.failed for one in pairs], dtype=np.bool_),
        np.array([not one.after.result.failed for one in pairs], dtype=np.bool_),
        np.ones(len(pairs), dtype=np.bool_),
    )
    return side_by_side(before, after, seed=seed, shares={RIGHT: right})
