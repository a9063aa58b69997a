"""Shares with their intervals, and what is found in plain counts. No database."""

from collections import Counter
from math import sqrt

import pytest

from dashboard.metrics.findings import AskedOften, MostlyAdded, NeverUsed, findings
from dashboard.metrics.following import Request, fewest_tools, usual_origin
from dashboard.metrics.reliability import calibration_error, reliability
from dashboard.metrics.shares import Share
from dashboard.templatetags.metrics import interval_words


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [(0, 10, 0.0, 0.2775), (1, 10, 0.0179, 0.4042), (10, 10, 0.7225, 1)],
)
def test_the_interval_is_the_one_of_the_textbooks(
    part: int, whole: int, low: float, high: float
) -> None:
    assert Share(part, whole).interval == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("part", "whole"), [(72, 212), (408, 1089), (3, 20)])
def test_the_ends_are_where_the_observed_share_is_just_as_likely_as_that(
    part: int, whole: int
) -> None:
    # What Wilson's formula solves: the distance is 1.96 standard errors of the end itself.
    for end in Share(part, whole).interval:
        error = sqrt(end * (1 - end) / whole)
        assert abs(part / whole - end) == pytest.approx(1.959964 * error)


def test_a_share_of_nothing_may_be_anything_and_is_few() -> None:
    assert Share(0, 0).value is None
    assert Share(0, 0).interval == (0.0, 1.0)
    assert [Share(1, whole).is_few for whole in (0, 19, 20)] == [True, True, False]
    assert interval_words(Share(72, 212)) == "28 to 41 %"
    assert interval_words(Share(5, 100)) == "2.2 to 11 %"


def test_the_calibration_error_weighs_bins_by_their_cases() -> None:
    counts = Counter(
        {
            # 0.6 to 0.7: 30 at 0.62 on average, 15 complete; 0.9 to 1: 10 at 0.95, all complete.
            "served:12": 20,
            "served:13": 10,
            "labelled:12": 20,
            "labelled:13": 10,
            "complete:12": 10,
            "complete:13": 5,
            "sum:12": 12_000_000,
            "sum:13": 6_600_000,
            "served:19": 10,
            "labelled:19": 10,
            "complete:19": 10,
            "sum:19": 9_500_000,
        }
    )
    bins = reliability(counts)
    assert [(one.low, one.complete.part, one.complete.whole) for one in bins if one.stated] == [
        (0.6, 15, 30),
        (0.9, 10, 10),
    ]
    expected = (30 * (0.62 - 0.5) + 10 * (1 - 0.95)) / 40
    assert calibration_error(bins) == pytest.approx(expected)
    assert calibration_error(reliability(Counter())) is None


def test_a_group_is_asked_for_often_only_where_the_whole_interval_says_so() -> None:
    began = {
        "runs:logistics": 212,
        "asked:logistics>stock": 72,
        "asked:logistics>billing": 50,  # 24 %, but it may be 18
        "runs:rare": 19,
        "asked:rare>stock": 19,
        "runs:": 400,
        "asked:>stock": 200,  # nothing was chosen: there is no group to add to
    }
    found = findings(began=began, tools={})
    assert found.found == (AskedOften("logistics", "stock", Share(72, 212)),)
    assert found.few == 1


def test_tools_that_are_never_wanted_or_mostly_come_late_are_found() -> None:
    tools = {
        "offered:vain": 100,
        "offered:young": 60,
        "offered:refused": 500,
        "offered:ask_user": 900,
        "offered:late": 100,
        "tried:refused": 4,
        "tried:late": 40,
        "used:late": 40,
        "used_added:late": 30,
        "used:half": 40,
        "used_added:half": 24,
        "used:few": 19,
        "used_added:few": 19,
    }
    found = findings(began={}, tools=tools, spared={"ask_user"})
    assert found.found == (MostlyAdded("late", Share(30, 40)), NeverUsed("vain", Share(0, 100)))


def test_the_fewest_tools_are_those_that_serve_most_requests_wholly() -> None:
    def asked(count: int, *called: str) -> list[Request]:
        return [Request(("a",), "b", frozenset(called))] * count

    found = [*asked(60, "x"), *asked(25, "x", "y"), *asked(10, "z"), *asked(5, "x", "w")]
    members = ("w", "x", "y", "z", "other")
    assert fewest_tools(found, members=members, room=9) == (("x", "y", "z"), 95)
    assert fewest_tools(found, members=members, room=1) == (("x",), 60)
    # What is there already takes no room.
    assert fewest_tools(found, members=members, room=1, held={"x"}) == (("x", "y"), 85)
    assert fewest_tools(found, members=members, room=0, held={"x", "y"}) == (("x", "y"), 85)
    assert fewest_tools(found, members=("other",), room=9) == ((), 0)
    assert usual_origin([*found, Request((), "b", frozenset({"x"}))], tool="x") == "a"
    assert usual_origin([Request((), "b", frozenset({"x"}))], tool="x") == ""
