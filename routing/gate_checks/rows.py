"""What came of a task on both sides of a check, as a row of JSON, and back.

A row is ``[kind, ref, key, weight, needs, dropped, gone, come, before, after]``, a side ``[there,
covered, right, tools, tokens, groups, first, missing, fallback]``. ``kind`` is one of those of
``routing.gate.rules``. No word of it is anybody's: ``ref`` is the row of ``EvalCase`` or ``Span``
that has them, and ``key`` a keyed hash.
"""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What a side serves for a task.

    ``there`` is false where it cannot be asked: its route or phase is gone. ``covered`` says
    whether everything needed is served, ``None`` where nothing is needed or nobody knows what is;
    ``right`` also whether nothing is served that must not be, ``None`` where nobody knows.
    ``missing`` are places of needs that are not met, ``first`` is the tool that fits best.
    """

    there: bool
    covered: bool | None = None
    right: bool | None = None
    tools: int = 0
    tokens: int = 0
    groups: tuple[str, ...] = ()
    first: str = ""
    missing: tuple[int, ...] = ()
    fallback: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A task, and what is served for it ``before`` and ``after``.

    ``key`` is over all that was asked of the first side. ``dropped`` are tools that the task leaned
    on before and that are no longer served; ``gone`` and ``come`` are the groups that only one side
    serves.
    """

    kind: str
    ref: int
    key: str
    weight: float
    needs: tuple[str, ...]
    dropped: tuple[str, ...]
    gone: tuple[str, ...]
    come: tuple[str, ...]
    before: Served
    after: Served

    @property
    def lost(self) -> bool:
        """Tell whether what was right before is right no more."""
        return self.before.right is True and self.after.right is False

    @property
    def gained(self) -> bool:
        """Tell whether what was not right before is right now."""
        return self.before.right is False and self.after.right is True


def written(row: Row) -> list[Any]:
    """Return a row as JSON has it."""
    return [
        row.kind,
        row.ref,
        row.key,
        row.weight,
        list(row.needs),
        list(row.dropped),
        list(row.gone),
        list(row.come),
        list(astuple(row.before)),
        list(astuple(row.after)),
    ]


def read(row: Sequence[Any]) -> Row:
    """Return the row that ``written`` wrote."""
    kind, ref, key, weight, needs, dropped, gone, come, before, after = row
    return Row(
        kind=kind,
        ref=ref,
        key=key,
        weight=weight,
        needs=tuple(needs),
        dropped=tuple(dropped),
        gone=tuple(gone),
        come=tuple(come),
        before=_side(before),
        after=_side(after),
    )


def read_all(batches: Iterable[Sequence[Sequence[Any]]]) -> list[Row]:
    """Return the rows of batches."""
    return [read(row) for rows in batches for row in rows]


def _side(side: Sequence[Any]) -> Served:
    there, covered, right, tools, tokens, groups, first, missing, fallback = side
    return Served(
        there=there,
        covered=covered,
        right=right,
        tools=tools,
        tokens=tokens,
        groups=tuple(groups),
        first=first,
        missing=tuple(missing),
        fallback=fallback,
    )
