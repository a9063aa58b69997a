"""The same cases with all tools and with those that were chosen: paired by case, and tested."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from routing.evaluation.outcomes import Bools, Floats
from routing.evaluation.paired import Difference, McNemar, mcnemar, paired_differences
from routing.paths.checking import Kind
from routing.paths.measures import CheckedRun, right_tools
from routing.paths.trail import Arm

COMPLETED, PASSED, RIGHT, TOKENS, COST = "completed", "passed", "right", "tokens", "cost"
SHARES = (COMPLETED, PASSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A case's newest run with all tools and its newest one with those that were chosen."""

    number: int
    before: CheckedRun
    after: CheckedRun


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What pairs say. ``before`` is with all tools, ``after`` with those that were chosen.

    ``differences`` are of the means of ``completed`` and ``passed`` (0 or 1 a case), ``right`` (the
    share of right tools of each run), ``tokens`` and ``cost`` (USD a run); ``None`` where no pair
    tells. ``tests`` are McNemar's of the first two. ``unpaired`` counts cases with runs of one arm
    only.
    """

    pairs: Sequence[Pair]
    differences: Mapping[str, Difference | None]
    tests: Mapping[str, McNemar]
    unpaired: int


def completed(run: CheckedRun) -> bool:
    """Tell whether a run ended as its case says, and left out nothing that was to be called.

    A case that does not say how it ends is to be solved.
    """
    lacks = any(one.kind is Kind.MISSING for one in run.verdict.departures)
    return not lacks and run.trail.status == (run.expected.final_status or "solved")


def pairs_of(runs: Iterable[CheckedRun]) -> tuple[list[Pair], int]:
    """Pair the newest runs of each case by arm; return the pairs, and how many cases have none.

    ``runs`` come newest first. Runs of which some selections asked for all tools and others did not
    are of no arm.
    """
    newest: dict[int, dict[Arm, CheckedRun]] = {}
    for run in runs:
        arm = run.trail.arm
        if arm in (Arm.ALL, Arm.ROUTED):
            newest.setdefault(run.trail.number, {}).setdefault(arm, run)
    both = {number: arms for number, arms in sorted(newest.items()) if len(arms) > 1}
    pairs = [
        Pair(number=number, before=arms[Arm.ALL], after=arms[Arm.ROUTED])
        for number, arms in both.items()
    ]
    return pairs, len(newest) - len(pairs)


def compare(runs: Iterable[CheckedRun], *, seed: int) -> Comparison:
    """Compare the arms of some runs, the newest first."""
    pairs, unpaired = pairs_of(runs)
    before, after = [pair.before for pair in pairs], [pair.after for pair in pairs]
    every: Bools = np.ones(len(pairs), dtype=np.bool_)
    shares = {COMPLETED: (_bools(before), _bools(after))}
    shares[PASSED] = (_passed(before), _passed(after))
    right, also = _right(before), _right(after)
    told: Bools = ~(np.isnan(right) | np.isnan(also))
    values = {name: (one, other, every) for name, (one, other) in shares.items()} | {
        RIGHT: (np.nan_to_num(right), np.nan_to_num(also), told),
        TOKENS: (_tokens(before), _tokens(after), every),
        COST: (_costs(before), _costs(after), every),
    }
    return Comparison(
        pairs=pairs,
        differences=paired_differences(values, seed=seed),
        tests={name: mcnemar(one, other) for name, (one, other) in shares.items()},
        unpaired=unpaired,
    )


def _bools(runs: Sequence[CheckedRun]) -> Bools:
    return np.array([completed(run) for run in runs], dtype=np.bool_)


def _passed(runs: Sequence[CheckedRun]) -> Bools:
    return np.array([run.verdict.passed for run in runs], dtype=np.bool_)


def _right(runs: Sequence[CheckedRun]) -> Floats:
    shares = [right_tools(run) for run in runs]
    return np.array([one.value if one else np.nan for one in shares], dtype=np.float64)


def _tokens(runs: Sequence[CheckedRun]) -> Floats:
    return np.array([run.trail.tokens for run in runs], dtype=np.float64)


def _costs(runs: Sequence[CheckedRun]) -> Floats:
    return np.array([run.trail.cost for run in runs], dtype=np.float64)
