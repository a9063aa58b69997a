"""When a rule fires and when it is over: pure, of numbers made up by chance."""

from math import inf

from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.alerts.intervals import mean_interval, ratio_interval
from dashboard.alerts.judging import Evidence, Standing, State, evidence, follow, judge
from dashboard.alerts.measuring import NOTHING, Measure, Seen
from dashboard.alerts.rules import DEFAULTS, Comparison, Metric, Rule, is_in_order
from dashboard.metrics.shares import Share

LEVELS = st.floats(0.05, 0.95)


def share(part: int, whole: int) -> Measure:
    one = Share(part, whole)
    return Measure(one.value, one.interval, whole, part=part)


def looked(part: int, whole: int, before: Measure = NOTHING) -> Seen:
    return Seen(end=0, now=share(part, whole), before=before)


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    """Return rules of a share that are in order."""
    comparison = draw(st.sampled_from(Comparison))
    low, high = sorted((draw(LEVELS), draw(LEVELS)))
    upward = comparison is not Comparison.BELOW
    rule = Rule(
        "r",
        Metric.FALLBACKS,
        comparison,
        level=high if upward else low,
        clear=low if upward else high,
        window=24,
        minimum=draw(st.integers(1, 60)),
        in_a_row=draw(st.integers(1, 4)),
    )
    assert is_in_order(rule)
    return rule


@st.composite
def looks(draw: st.DrawFn) -> Seen:
    whole, earlier = draw(st.integers(0, 400)), draw(st.integers(0, 400))
    before = share(draw(st.integers(0, earlier)), earlier)
    return looked(draw(st.integers(0, whole)), whole, before)


@settings(deadline=None, max_examples=100)
@given(rules(), st.lists(looks(), max_size=30))
def test_a_state_changes_only_after_so_many_looks_in_a_row_for_it(
    rule: Rule, seen: list[Seen]
) -> None:
    said: list[Evidence] = []  # of the looks that say anything, since the last change
    standing = Standing()
    for look in seen:
        judged = judge(rule, look, standing)
        standing = judged.after
        assert standing.streak < rule.in_a_row
        if judged.evidence is Evidence.FEW:
            assert judged.after == judged.before
            continue
        said.append(judged.evidence)
        if judged.after.state is State.FIRING and judged.is_change:
            assert said[-rule.in_a_row :] == [Evidence.FIRE] * rule.in_a_row
        elif judged.before.state is State.FIRING and judged.is_change:
            assert said[-rule.in_a_row :] == [Evidence.CLEAR] * rule.in_a_row
        elif judged.is_change:
            assert judged.evidence is not Evidence.FIRE
        if judged.is_change:
            said.clear()


@settings(deadline=None, max_examples=100)
@given(rules(), st.lists(looks(), max_size=40), st.sampled_from(State))
def test_inside_the_band_nothing_flaps(rule: Rule, seen: list[Seen], state: State) -> None:
    inside = [one for one in seen if evidence(rule, one) is Evidence.BETWEEN]
    judged = list(follow(rule, ends=range(len(inside)), see=lambda _r, at: inside[at],
                         standing=Standing(state)))  # fmt: skip
    changes = [one for one in judged if one.is_change]
    # What was not known yet is no alert; everything else stays as it was.
    assert [one.after.state for one in changes] == [State.OK] * (
        state is State.UNKNOWN and bool(inside)
    )


@settings(deadline=None, max_examples=100)
@given(rules(), looks())
def test_it_never_is_so_and_over_at_once(rule: Rule, seen: Seen) -> None:
    said = evidence(rule, seen)
    if said is Evidence.FIRE:
        value = seen.now.value or 0
        if rule.comparison is Comparison.ABOVE:
            assert value > rule.level
        elif rule.comparison is Comparison.BELOW:
            assert value < rule.level
        elif rule.comparison is Comparison.RISEN:
            assert value > (1 + rule.level) * (seen.before.value or 0)
        else:
            assert value < (1 - rule.level) * (seen.before.value or 0)


def test_noise_does_not_fire_and_the_same_share_of_more_cases_does() -> None:
    rule = Rule("r", Metric.FALLBACKS, Comparison.ABOVE, 0.3, 0.2, 24, 20, in_a_row=1)
    assert evidence(rule, looked(8, 19)) is Evidence.FEW
    assert evidence(rule, looked(16, 40)) is Evidence.BETWEEN
    assert evidence(rule, looked(160, 400)) is Evidence.FIRE
    assert evidence(rule, looked(4, 20)) is Evidence.CLEAR


def test_a_rise_from_nothing_is_a_rise() -> None:
    rule = Rule("r", Metric.REFUSALS, Comparison.RISEN, 0.5, 0.25, 24, 20)
    assert evidence(rule, looked(30, 100, share(0, 100))) is Evidence.FIRE
    assert evidence(rule, looked(1, 100, share(0, 100))) is Evidence.BETWEEN
    assert evidence(rule, looked(0, 100, share(0, 100))) is Evidence.CLEAR


def traffic(now: int, before: int) -> Seen:
    return Seen(0, Measure(now, (0, inf), now), Measure(before, (0, inf), before))


def test_no_traffic_is_told_only_where_there_had_been_some() -> None:
    rule = Rule("r", Metric.TRAFFIC, Comparison.BELOW, 1, 1, 6, 10, in_a_row=1)
    assert evidence(rule, traffic(0, 9)) is Evidence.FEW
    assert evidence(rule, traffic(0, 10)) is Evidence.FIRE
    assert evidence(rule, traffic(1, 0)) is Evidence.CLEAR


def test_the_defaults_can_be_over_and_look_at_no_more_than_a_week() -> None:
    assert len({rule.key for rule in DEFAULTS}) == len(DEFAULTS)
    for rule in DEFAULTS:
        assert is_in_order(rule)
        assert 1 <= rule.window <= 168


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 30)), max_size=40),
)
def test_the_interval_of_a_mean_holds_it(hours: list[tuple[int, int]]) -> None:
    cases = sum(number for _sum, number in hours)
    low, high = mean_interval(hours)
    if cases:
        mean = sum(total for total, number in hours if number) / cases
        assert low <= mean <= high


def test_a_ratio_has_the_interval_that_its_source_gives() -> None:
    # Two shares of 30 of 100 and 15 of 100: by Katz 1.15 to 3.48, by recovery of Wilson's close by.
    low, high = ratio_interval(0.3, Share(30, 100).interval, 0.15, Share(15, 100).interval)
    assert 1.1 < low < 1.2
    assert 3.3 < high < 3.6
