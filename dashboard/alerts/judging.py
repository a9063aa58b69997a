"""Whether a rule fires: a function of what it sees and of how it stood before. Pure."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from dashboard.alerts.intervals import Interval, ratio_interval
from dashboard.alerts.measuring import Seen
from dashboard.alerts.rules import Metric, Rule


class State(StrEnum):
    """How a rule stands; ``UNKNOWN`` until there were cases enough to say."""

    UNKNOWN = "unknown"
    OK = "ok"
    FIRING = "firing"


class Evidence(StrEnum):
    """What one look says: it is so, it is over, neither (the band between), or too few cases."""

    FIRE = "fire"
    CLEAR = "clear"
    BETWEEN = "between"
    FEW = "few"


@dataclass(frozen=True, slots=True)
class Standing:
    """How a rule stands, and how many looks in a row spoke for the other state."""

    state: State = State.UNKNOWN
    streak: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """One look: what was seen, what it says, and how the rule stood before and stands after."""

    seen: Seen
    evidence: Evidence
    before: Standing
    after: Standing

    @property
    def is_change(self) -> bool:
        """Tell whether the state is another."""
        return self.before.state is not self.after.state


@dataclass(frozen=True, slots=True)
class Compared:
    """What is held against a rule's level, with its interval; ``None`` of too few cases."""

    value: float | None
    interval: Interval


def compared(rule: Rule, seen: Seen) -> Compared:
    """Return the number that a rule is about: the metric, or how far it rose or fell since."""
    now, before = seen.now, seen.before
    if not rule.is_relative:
        # A number of selections is no sample of anything: there were so many.
        is_exact = rule.metric is Metric.TRAFFIC and now.value is not None
        return Compared(now.value, (now.value or 0, now.value or 0) if is_exact else now.interval)
    if now.value is None or before.value is None:
        return Compared(None, (float("-inf"), float("inf")))
    low, high = ratio_interval(now.value, now.interval, before.value, before.interval)
    ratio = now.value / before.value if before.value else None
    if ratio is None:
        ratio = 1.0 if not now.value else float("inf")
    if rule.is_upward:
        return Compared(ratio - 1, (low - 1, high - 1))
    return Compared(1 - ratio, (1 - high, 1 - low))


def evidence(rule: Rule, seen: Seen) -> Evidence:
    """Return what one look says.

    It is so only where the whole 95 % interval lies beyond the level. That it is over takes the
    value itself, on the other side of the level for that.
    """
    found = compared(rule, seen)
    if found.value is None:
        return Evidence.FEW
    (low, high), value = found.interval, found.value
    # A rise and a fall are both held against how far they went.
    upward = rule.is_upward or rule.is_relative
    is_over = value <= rule.clear if upward else value >= rule.clear
    # That there is traffic needs no other week to compare with.
    is_there = is_over and rule.metric is Metric.TRAFFIC and not rule.is_relative
    if _has_few(rule, seen) and not is_there:
        return Evidence.FEW
    if low > rule.level if upward else high < rule.level:
        return Evidence.FIRE
    return Evidence.CLEAR if is_over else Evidence.BETWEEN


def _has_few(rule: Rule, seen: Seen) -> bool:
    if rule.metric is Metric.TRAFFIC:
        # Too little traffic is what it tells of: there had to be enough the week before.
        return seen.before.cases < rule.minimum
    looked_at = (seen.now, seen.before) if rule.is_relative else (seen.now,)
    return any(one.cases < rule.minimum for one in looked_at)


def judge(rule: Rule, seen: Seen, standing: Standing) -> Judged:
    """Return how a rule stands after a look. Too few cases say nothing and change nothing."""
    said = evidence(rule, seen)
    return Judged(seen=seen, evidence=said, before=standing, after=_after(rule, said, standing))


def _after(rule: Rule, said: Evidence, standing: Standing) -> Standing:
    if said is Evidence.FEW:
        return standing
    is_firing = standing.state is State.FIRING
    if said is (Evidence.CLEAR if is_firing else Evidence.FIRE):
        if standing.streak + 1 < rule.in_a_row:
            return Standing(standing.state, standing.streak + 1)
        return Standing(State.OK if is_firing else State.FIRING)
    return Standing(State.FIRING if is_firing else State.OK)


def follow(
    rule: Rule, *, ends: Iterable[int], see: Callable[[Rule, int], Seen], standing: Standing
) -> Iterator[Judged]:
    """Judge a rule once for each hour that is over, in their order."""
    for end in ends:
        judged = judge(rule, see(rule, end), standing)
        standing = judged.after
        yield judged
