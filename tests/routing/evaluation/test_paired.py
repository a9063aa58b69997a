"""Paired statistics say what scipy says."""

import numpy as np
import pytest
from scipy import stats

from routing.evaluation.confidence import auroc
from routing.evaluation.intervals import intervals_of_means
from routing.evaluation.paired import FEW_DISCORDANT, mcnemar, paired_differences


def pairs(lost: int, won: int, both: int = 9, neither: int = 4) -> tuple[np.ndarray, np.ndarray]:
    before = np.array([True] * (lost + both) + [False] * (won + neither))
    after = np.array([False] * lost + [True] * (both + won) + [False] * neither)
    return before, after


@pytest.mark.parametrize(("lost", "won"), [(0, 0), (1, 0), (3, 3), (5, 1), (2, 15), (12, 12)])
def test_of_few_discordant_pairs_the_test_is_the_binomial_one(lost: int, won: int) -> None:
    found = mcnemar(*pairs(lost, won))

    assert (found.lost, found.won, found.test) == (lost, won, "exact")
    wanted = stats.binomtest(lost, lost + won).pvalue if lost + won else 1.0
    assert found.p_value == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(("lost", "won"), [(12, 13), (25, 0), (30, 61), (400, 330)])
def test_of_many_it_is_chi_square_with_one_degree_of_freedom(lost: int, won: int) -> None:
    found = mcnemar(*pairs(lost, won))

    assert lost + won >= FEW_DISCORDANT
    assert found.test == "chi_square"
    square = max(abs(lost - won) - 1, 0) ** 2 / (lost + won)
    assert found.p_value == pytest.approx(stats.chi2.sf(square, df=1), rel=1e-9)
    # The two tests agree where either could be asked.
    assert found.p_value == pytest.approx(stats.binomtest(lost, lost + won).pvalue, abs=0.02)


def test_the_interval_of_a_paired_difference_is_that_of_a_bootstrap_over_pairs() -> None:
    random = np.random.default_rng(3)
    before = random.poisson(6, 300)
    after = before + random.normal(0.2, 1.5, 300)
    mask = random.random(300) < 0.7

    found = paired_differences({"size": (before, after, mask)}, seed=5, resamples=4_000)["size"]

    assert found is not None
    assert found.interval is not None
    assert found.cases == mask.sum()
    assert found.value == pytest.approx((after - before)[mask].mean())
    wanted = stats.bootstrap(
        (before[mask], after[mask]),
        lambda one, other, axis: (other - one).mean(axis=axis),
        paired=True,
        n_resamples=4_000,
        method="percentile",
        rng=np.random.default_rng(7),
    ).confidence_interval
    width = wanted.high - wanted.low
    assert found.interval == pytest.approx((wanted.low, wanted.high), abs=0.06 * width)
    # Pairs share what makes a case large: taken apart they would say far less.
    apart = np.sqrt(before[mask].var() / mask.sum() + after[mask].var() / mask.sum())
    assert width < 0.7 * 2 * 1.96 * apart


def test_what_no_pair_tells_of_has_no_difference_and_seeds_repeat() -> None:
    ones = np.ones(8)
    values = {"none": (ones, ones, np.zeros(8, bool)), "same": (ones, ones, np.ones(8, bool))}

    found = paired_differences(values, seed=1)

    assert found["none"] is None
    same = found["same"]
    assert same is not None
    assert (same.value, same.interval, same.is_sure) == (0, (0, 0), False)
    assert paired_differences({}, seed=1) == {}
    odd = {"odd": (ones, np.arange(8.0), np.ones(8, bool))}
    assert paired_differences(odd, seed=1) == paired_differences(odd, seed=1)
    assert paired_differences(odd, seed=1) != paired_differences(odd, seed=2)


def test_the_statistics_of_one_evaluation_are_those_of_scipy_too() -> None:
    random = np.random.default_rng(11)
    scores = np.round(random.random(200), 2)  # with ties
    right = random.random(200) < scores
    above = stats.mannwhitneyu(scores[right], scores[~right]).statistic
    assert auroc(scores, right) == pytest.approx(above / (right.sum() * (~right).sum()))

    everything = np.ones(200, dtype=bool)
    interval = intervals_of_means({"right": (right, everything)}, seed=1, resamples=4_000)["right"]
    wanted = stats.bootstrap(
        (right.astype(float),),
        np.mean,
        n_resamples=4_000,
        method="percentile",
        rng=np.random.default_rng(2),
    ).confidence_interval
    assert interval == pytest.approx((wanted.low, wanted.high), abs=0.01)
