"""What came of a case in a run, as a row of numbers, and back.

A row is ``[number, asked, groups, tools, fallback, decided_by, unwanted, outcome, expectation]``:
the case's number and the mark of what it then asked (``routing.datasets.rows.mark_of``), the groups
served, the positions of the tools, the fields of ``routing.evaluation.outcomes.Outcome`` in their
order, and the hash of what was expected, which the oldest rows lack.

A batch is ``{"rows": […], "curve": {…}}``: its rows, and how they turned out at many thresholds and
caps, as ``routing.evaluation.operating.Tally`` records it. The oldest batches are their rows alone.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any

from routing.evaluation.cases import Case
from routing.evaluation.operating import Tally, read_tally, summed
from routing.evaluation.outcomes import Outcome
from routing.selection import Selection

_FIELDS = tuple(field.name for field in fields(Outcome))
_DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A case's ``outcome``, and the selection that it was made of as far as a list shows it.

    ``tools`` are positions in the document; ``unwanted`` are those of them that the case did not
    want. ``asked`` is the mark of what was asked, ``expectation`` the hash of what was expected;
    empty where that was not kept.
    """

    number: int
    asked: str
    groups: tuple[str, ...]
    tools: tuple[int, ...]
    fallback: str
    decided_by: str
    unwanted: tuple[int, ...]
    outcome: Outcome
    expectation: str = ""

    @property
    def failed(self) -> bool:
        """Tell whether the selection left out what was needed, or offered what must not be."""
        outcome = self.outcome
        served_for_nothing = outcome.needs == 0 and not outcome.fallback and outcome.tools > 0
        return bool(self.unwanted) or served_for_nothing or not outcome.covered

    def is_of(self, *, asked: str, expectation: str) -> bool:
        """Tell whether a case is what was tried: asks and expects the same."""
        return self.asked == asked and (
            not self.expectation or expectation in ("", self.expectation)
        )


def result_of(
    *,
    number: int,
    asked: str,
    expectation: str,
    selection: Selection,
    unwanted: Sequence[int],
    outcome: Outcome,
) -> Result:
    """Return what came of a case."""
    return Result(
        number=number,
        asked=asked,
        groups=selection.groups,
        tools=selection.tools,
        fallback=selection.fallback.value if selection.fallback else "",
        decided_by=selection.decided_by.value,
        unwanted=tuple(unwanted),
        outcome=outcome,
        expectation=expectation,
    )


def expectation_of(case: Case) -> str:
    """Return the hash of what a case expects; 16 hexadecimal digits."""
    expected: Sequence[object] = (
        [list(need) for need in case.needs],
        list(case.expected_groups),
        list(case.not_expected),
    )
    return sha256(json.dumps(expected).encode()).hexdigest()[:16]


def written(result: Result) -> list[Any]:
    """Return a result as a row of JSON."""
    outcome = [_plain(getattr(result.outcome, name)) for name in _FIELDS]
    return [
        result.number,
        result.asked,
        list(result.groups),
        list(result.tools),
        result.fallback,
        result.decided_by,
        list(result.unwanted),
        outcome,
        result.expectation,
    ]


def read(row: Sequence[Any]) -> Result:
    """Return the result that ``written`` made a row of."""
    number, asked, groups, tools, fallback, decided_by, unwanted, outcome, *expectation = row
    values = dict(zip(_FIELDS, outcome, strict=True))
    values["met"] = tuple(values["met"])
    values |= {name: bool(values[name]) for name in _BOOLS}
    return Result(
        number=number,
        asked=asked,
        groups=tuple(groups),
        tools=tuple(tools),
        fallback=fallback,
        decided_by=decided_by,
        unwanted=tuple(unwanted),
        outcome=Outcome(**values),
        expectation=expectation[0] if expectation else "",
    )


Batch = Mapping[str, Any] | Sequence[Sequence[Any]]


def read_all(batches: Iterable[Batch]) -> list[Result]:
    """Return the results of batches."""
    return [read(row) for batch in batches for row in _rows(batch)]


def read_curve(batches: Iterable[Batch]) -> Tally | None:
    """Return how all cases of batches turned out at many settings; ``None`` where one has none."""
    kept = list(batches)
    if not all(isinstance(batch, Mapping) for batch in kept):
        return None
    return summed(read_tally(batch["curve"]) for batch in kept if isinstance(batch, Mapping))


def _rows(batch: Batch) -> Sequence[Sequence[Any]]:
    return batch["rows"] if isinstance(batch, Mapping) else batch


_BOOLS = tuple(field.name for field in fields(Outcome) if str(field.type) == "bool")


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return round(value, _DIGITS)
    return list(value) if isinstance(value, tuple) else value
