"""Paths of agents as pages show them: verdicts, steps and measures in words."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.call_words import DECISIONS, OUTCOMES, STATUSES
from dashboard.path_words import ARMS, COMPARED, DEPARTURES, SHARES, SIMULATED
from routing.models import EvalCase
from routing.paths.checking import Departure
from routing.paths.measures import CheckedRun, PathMeasures, Share, measure, right_tools
from routing.paths.pairing import (
    Comparison,
    Pair,
    completed,
)
from routing.paths.trail import CALL, EXPANSION, OUTCOME, RESULT, SELECTION, Arm, Step


@dataclass(frozen=True, slots=True)
class DepartureWords:
    """A difference in words."""

    departure: Departure
    words: Promise

    @property
    def ends(self) -> tuple[Promise | str, Promise | str]:
        """Return how the run should have ended, and did, in words where they are outcomes."""
        one = self.departure
        return OUTCOMES.get(one.expected, one.expected), OUTCOMES.get(one.found, one.found)


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStep:
    """A step of a run as its path is read: a proposal, a result, an expansion or the outcome."""

    step: Step
    words: Promise | str
    departures: Sequence[DepartureWords] = ()
    simulated: Promise | str = ""
    is_first_departure: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """A run with its verdict."""

    run: CheckedRun
    arm: Promise
    left_at: DepartureWords | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRow:
    """A case with its newest run of each arm."""

    number: int
    case: EvalCase | None
    runs: int
    newest: Sequence[RunRow]

    @property
    def failed(self) -> bool:
        """Tell whether a newest run left the path."""
        return any(not row.run.verdict.passed for row in self.newest)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmRow:
    """The runs of a version and arm."""

    ref: str
    arm: Promise
    measures: PathMeasures


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A measure that is a share."""

    label: Promise
    about: Promise
    share: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRow:
    """A measure of both arms. ``kind`` says how its numbers are written."""

    label: Promise
    kind: str
    before: float
    after: float
    value: float
    low: float | None
    high: float | None
    is_sure: bool
    p_value: float | None
    won: int | None
    lost: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRow:
    """A pair of runs beside each other."""

    pair: Pair
    case: EvalCase | None
    done: tuple[bool, bool]
    right: tuple[float | None, float | None]

    @property
    def differs(self) -> bool:
        """Tell whether one of both completed the case."""
        return self.done[0] != self.done[1]


def words_of(departure: Departure) -> DepartureWords:
    """Return a difference in words."""
    return DepartureWords(departure, DEPARTURES[departure.kind])


def run_row(run: CheckedRun) -> RunRow:
    """Return a run with its verdict in words."""
    left = run.verdict.left_at
    return RunRow(run=run, arm=ARMS[run.trail.arm], left_at=words_of(left) if left else None)


def arm_rows(runs: Sequence[CheckedRun]) -> list[ArmRow]:
    """Return the runs by version and arm, in the order in which they come."""
    found: dict[tuple[str, Arm], list[CheckedRun]] = defaultdict(list)
    for run in runs:
        found[run.trail.ref, run.trail.arm].append(run)
    return [
        ArmRow(ref=ref, arm=ARMS[arm], measures=measure(some)) for (ref, arm), some in found.items()
    ]


def share_rows(measures: PathMeasures) -> list[ShareRow]:
    """Return the shares, without those of nothing."""
    rows = [ShareRow(label, about, getattr(measures, name)) for name, label, about in SHARES]
    return [row for row in rows if row.share.of]


def result_rows(measures: PathMeasures) -> Iterator[tuple[Promise | str, str, int]]:
    """Yield how attempts ended: in words, why, and how many."""
    for (status, reason), count in measures.results.items():
        yield STATUSES.get(status, status), reason, count


def stop_rows(measures: PathMeasures) -> Iterator[tuple[Promise | str, str, int]]:
    """Yield how runs ended: in words, why, and how many."""
    for (status, reason), count in measures.stops.items():
        yield OUTCOMES.get(status, _("none yet")), reason, count


def case_rows(runs: Sequence[CheckedRun]) -> list[CaseRow]:
    """Return the cases that runs name, without their rows: those that failed first."""
    of: dict[int, list[CheckedRun]] = defaultdict(list)
    for run in runs:
        of[run.trail.number].append(run)
    rows = []
    for number, some in of.items():
        newest: dict[Arm, CheckedRun] = {}
        for run in some:
            newest.setdefault(run.trail.arm, run)
        shown = [run_row(newest[arm]) for arm in Arm if arm in newest]
        rows.append(CaseRow(number=number, case=None, runs=len(some), newest=shown))
    return sorted(rows, key=lambda row: (not row.failed, row.number))


def path_steps(run: CheckedRun) -> list[PathStep]:
    """Return the steps that a path is read by, each with what differs there."""
    departures: dict[int | None, list[DepartureWords]] = defaultdict(list)
    for one in run.verdict.departures:
        departures[one.span].append(words_of(one))
    left = run.verdict.left_at
    proposals = {step.span for step in run.trail.proposals}
    return [
        PathStep(
            step=step,
            words=_words(step),
            departures=departures[step.span],
            simulated=SIMULATED.get(step.simulated, step.simulated),
            is_first_departure=left is not None and left.span == step.span,
        )
        for step in run.trail.steps
        if step.name in _SHOWN and (step.name != CALL or step.span in proposals)
    ]


def at_the_end(run: CheckedRun) -> list[DepartureWords]:
    """Return what the whole run lacks."""
    return [words_of(one) for one in run.verdict.departures if one.span is None]


def compared_rows(said: Comparison) -> list[ComparedRow]:
    """Return both arms' measures with their differences."""
    rows = []
    for name, label, kind in COMPARED:
        difference, test = said.differences.get(name), said.tests.get(name)
        if difference is None or (kind == "cost" and not difference.before + difference.after):
            continue
        low, high = difference.interval or (None, None)
        rows.append(
            ComparedRow(
                label=label,
                kind=kind,
                before=difference.before,
                after=difference.after,
                value=difference.value,
                low=low,
                high=high,
                is_sure=difference.is_sure,
                p_value=test.p_value if test else None,
                won=test.won if test else None,
                lost=test.lost if test else None,
            )
        )
    return rows


def pair_rows(pairs: Sequence[Pair]) -> list[PairRow]:
    """Return pairs, those in which one arm alone completed the case first: what was lost before."""
    rows = [
        PairRow(
            pair=pair,
            case=None,
            done=(completed(pair.before), completed(pair.after)),
            right=(_right(pair.before), _right(pair.after)),
        )
        for pair in pairs
    ]
    return sorted(rows, key=lambda row: (not row.differs, row.done[1], row.pair.number))


def _right(run: CheckedRun) -> float | None:
    share = right_tools(run)
    return share.value if share else None


def _words(step: Step) -> Promise | str:
    if step.name == CALL:
        return DECISIONS.get(step.decision, step.decision)
    if step.name == RESULT:
        return STATUSES.get(step.status, step.status)
    if step.name == OUTCOME:
        return OUTCOMES.get(step.status, step.status)
    return step.strategy


_SHOWN = frozenset({SELECTION, EXPANSION, CALL, RESULT, OUTCOME})
