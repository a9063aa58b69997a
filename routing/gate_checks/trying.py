"""Try tasks on two indexes: what each serves, and what a task leaned on that is served no more.

The texts are encoded once for both sides, and nothing is read from the database.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from routing.datasets.naming import Names, followed
from routing.datasets.rows import written_channel
from routing.evaluation.cases import Case
from routing.evaluation.diverting import renamed_groups
from routing.evaluation.queries import encode_ahead, query_of
from routing.gate_checks.rows import Row, Served
from routing.selection import Circumstances, Index, Query, Selection
from routing.selection.index import GroupNotAllowed, UnknownGroup, UnknownPhase, UnknownRoute
from routing.selection.pipeline import decide
from routing.spans import keyed_hash

_NOT_THERE = (UnknownGroup, UnknownPhase, UnknownRoute, GroupNotAllowed)


def no_tokens(selection: Selection) -> int:
    """Return nothing: for whoever looks at no tokens."""
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is tried: a case, of which ``labelled`` tells whether somebody knows what it needs.

    ``overrides`` are fields of the query that stand in for a release's own settings.
    """

    kind: str
    ref: int
    case: Case
    labelled: bool = True
    overrides: Mapping[str, Any] = field(default_factory=dict)

    def key(self, case: Case) -> str:
        """Return a keyed hash of all that is asked, and needed, by the names of a side.

        It is kept for longer than the words are.
        """
        asked = [
            [case.task, list(case.history), case.phase, case.route, written_channel(case.channel)],
            [list(need) for need in case.needs],
            list(case.not_expected),
            self.labelled,
            sorted((name, str(value)) for name, value in self.overrides.items()),
        ]
        return keyed_hash(json.dumps(asked))[:24]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """An index with the names that lead to it; ``tokens`` counts those of a selection."""

    index: Index
    names: Names
    tokens: Callable[[Selection], int] = no_tokens

    def groups(self) -> dict[str, frozenset[str]]:
        """Return the tools of each group."""
        return {
            group.name: frozenset(self.index.tools[tool] for tool in group.members.tolist())
            for group in self.index.groups.values()
        }


@dataclass(frozen=True, slots=True)
class _Answer:
    served: Served
    tools: frozenset[str] = frozenset()


def try_tasks(
    before: Side,
    after: Side,
    tasks: Sequence[Task],
    *,
    known: Mapping[str, Served] | None = None,
) -> list[Row]:
    """Return what comes of tasks on both sides, in their order.

    ``known`` is what the first side is known to serve, by the key of a row. Raises what encoders
    do.
    """
    for side in (before, after):  # those of one encoder share the vectors
        encode_ahead(side.index, [task.case for task in tasks])
    known = known or {}
    renamed = renamed_groups(before.groups(), after.groups())
    return [_row(before, after, task, known, renamed) for task in tasks]


def _row(
    before: Side,
    after: Side,
    task: Task,
    known: Mapping[str, Served],
    renamed: Mapping[str, str],
) -> Row:
    of_before = followed(task.case, before.names)
    key = task.key(of_before)
    then = known.get(key) or _served(before, task, of_before).served
    of_after = followed(task.case, after.names)
    now = _served(after, task, of_after)
    names = after.names.tools
    missed = set(then.missing)
    # By the names that the second side has for them, where it has them.
    needs = [need[0] for need in of_after.needs]
    lost = [needs[place] for place in now.served.missing if place not in missed]
    first = names.get(then.first, then.first)
    if not lost and first and first not in now.tools:
        lost = [first]
    groups = [renamed.get(name, name) for name in then.groups]
    return Row(
        kind=task.kind,
        ref=task.ref,
        key=key,
        weight=task.case.weight,
        needs=tuple(needs) if task.labelled else (),
        dropped=tuple(lost) if then.there else (),
        gone=tuple(name for name in groups if name not in now.served.groups),
        come=tuple(name for name in now.served.groups if name not in groups),
        before=then,
        after=now.served,
    )


def _served(side: Side, task: Task, case: Case) -> _Answer:
    asked = _query(side, task, case)
    if asked is None:
        return _Answer(Served(there=False, **_nothing(task, case)))
    try:
        decision = decide(asked, side.index, Circumstances())
    except _NOT_THERE:
        return _Answer(Served(there=False, **_nothing(task, case)))
    selection = decision.selection
    names = side.index.tools
    tools = frozenset(names[place] for place in selection.tools)
    missing = tuple(place for place, need in enumerate(case.needs) if not tools.intersection(need))
    return _Answer(
        Served(
            there=True,
            covered=not missing if task.labelled and case.needs else None,
            right=_right(side.index, case, selection, tools) if task.labelled else None,
            tools=len(selection.tools),
            tokens=side.tokens(selection),
            groups=selection.groups,
            first=_first(side.index, decision.proposed, selection),
            missing=missing if task.labelled else (),
            fallback=selection.fallback.value if selection.fallback else "",
        ),
        tools,
    )


def _query(side: Side, task: Task, case: Case) -> Query | None:
    """Return what is asked of a side; ``None`` where it has no such route or phase."""
    names = side.names
    if bool(names.routes) != bool(case.route) or (case.route and case.route not in names.routes):
        return None
    if case.phase and names.phases and case.phase not in names.phases:
        return None
    return replace(query_of(case, side.index), **task.overrides)


def _right(index: Index, case: Case, selection: Selection, tools: frozenset[str]) -> bool:
    if tools.intersection(case.not_expected):
        return False
    if not case.needs:
        return selection.fallback is not None or not set(selection.tools) - set(index.always_on)
    return all(tools.intersection(need) for need in case.needs)


def _nothing(task: Task, case: Case) -> dict[str, Any]:
    """Return what came of a task that cannot be asked: nothing that it needs is served."""
    if not task.labelled:
        return {}
    missing = tuple(range(len(case.needs)))
    return {"covered": False if missing else None, "right": not missing, "missing": missing}


def _first(index: Index, proposed: Sequence[int], selection: Selection) -> str:
    """Return the tool that was thought to fit best; none where nothing was sure enough."""
    if selection.fallback is not None or not proposed:
        return ""
    return index.tools[proposed[0]]
