"""Two evaluations are compared case by case, over what both tried alike."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from catalog.publishing import freeze_and_check
from routing.datasets import asking, evaluating
from routing.datasets.asking import Setting
from routing.datasets.changing import Taken, add_cases, make_dataset
from routing.datasets.comparing import NotComparable, Turn, Why, compare
from routing.evaluation.cases import case_of
from routing.evaluation.diverting import Destination
from routing.models import EvalCase, EvalDataset, EvalResults, EvalRun, Release
from tests.samples import NOW, published

ROUTE = "refund_investigation"
TASKS = [
    {"task": "Read the order 5", "expected_tools": ["read_order"]},
    {"task": "Sing a song", "expected_tools": []},
    {
        "task": "Refund the order",
        "expected_tools": ["issue_refund"],
        "route": "refund_investigation",
    },
]


@pytest.fixture
def dataset(db: None, settings: Any) -> EvalDataset:
    settings.ENCODER = "none"
    made = make_dataset(catalog=published("refunds"), name="march", by=None, now=NOW)
    cases = [case_of({"route": "order_status"} | said, where="") for said in TASKS]
    add_cases(
        made,
        [Taken(one) for one in cases],
        origin=EvalCase.Origin.HAND,
        state=EvalCase.State.ACCEPTED,
        by=None,
        now=NOW,
    )
    return made


def evaluated(dataset: EvalDataset, *, draft: bool = False, **setting: Any) -> EvalRun:
    subject: Any = freeze_and_check(dataset.catalog) if draft else None
    one = asking.ask(
        dataset=dataset,
        subject=subject or Release.objects.get(catalog=dataset.catalog),
        setting=Setting(**setting),
        by=None,
        now=NOW,
    )
    evaluating.carry_out(one, clock=lambda: NOW, stopping=lambda: False)
    return EvalRun.objects.select_related("catalog", "release__version").get(pk=one.pk)


def test_regressions_come_first_and_say_where_tasks_go(dataset: EvalDataset) -> None:
    before = evaluated(dataset, strategy="all")
    after = evaluated(dataset, strategy="keyword", max_tools=1)

    found = compare(before, after)

    turns = {one.number: one.turn for one in found.pairs}
    assert [one.turn for one in found.pairs] == sorted(turns.values(), key=list(Turn).index)
    # With every tool served the song is wrong, and with a fallback it is right.
    assert turns[2] is Turn.GAINED
    right = found.measures()["right"]
    assert right.test is not None
    assert (right.test.lost, right.test.won) == tuple(
        list(turns.values()).count(turn) for turn in (Turn.REGRESSED, Turn.GAINED)
    )
    ways = found.diversions()
    assert sorted(number for way in ways for number in way.keys) == [
        one.number for one in sorted(found.pairs, key=lambda one: one.number) if one.goes_otherwise
    ]
    assert found.diversions(frozenset()) == []
    assert found.measures(frozenset({2}))["none_fallback_rate"].after == 1


def test_a_tool_that_was_renamed_is_the_same_one(dataset: EvalDataset) -> None:
    before = evaluated(dataset, strategy="all")
    tool = dataset.catalog.tools.get(name="read_order")
    tool.name, tool.aliases = "look_at_order", ["read_order"]
    tool.save()
    after = evaluated(dataset, strategy="all", draft=True)

    found = compare(before, after)

    assert {one.turn for one in found.pairs} == {Turn.SAME}
    one = next(one for one in found.pairs if one.number == 1)
    assert "read_order" in one.before.tools
    assert "look_at_order" in one.after.tools
    assert one.before.goes == one.after.goes
    assert one.before.goes.kind in {"groups", "tools"}
    assert isinstance(one.after.goes, Destination)


def test_what_only_one_tried_or_was_mended_between_is_told_apart(dataset: EvalDataset) -> None:
    before = evaluated(dataset)
    dataset.cases.filter(number=1).update(expected_tools=["search_refund_policy"])
    dataset.cases.filter(number=2).update(expected_tools=["gone"])
    add_cases(
        dataset,
        [Taken(case_of({"task": "New", "expected_tools": [], "route": ROUTE}, where=""))],
        origin=EvalCase.Origin.HAND,
        state=EvalCase.State.ACCEPTED,
        by=None,
        now=NOW,
    )
    after = evaluated(dataset)

    found = compare(before, after)

    assert [one.number for one in found.pairs] == [3]
    assert [(one.number, one.why, one.only_in) for one in found.apart] == [
        (1, Why.MENDED, None),
        (2, Why.NOT_TRIED, before.number),
        (4, Why.NOT_ASKED, after.number),
    ]


def test_the_oldest_results_say_nothing_of_what_was_expected(dataset: EvalDataset) -> None:
    before, after = evaluated(dataset), evaluated(dataset)
    rows = EvalResults.objects.get(run=before)
    rows.rows = [row[:8] for row in rows.rows["rows"]]
    rows.save()

    assert len(compare(before, after).pairs) == 3


def test_other_datasets_and_what_has_not_ended_are_not_compared(dataset: EvalDataset) -> None:
    before = evaluated(dataset)
    open_one = asking.ask(
        dataset=dataset,
        subject=Release.objects.get(catalog=dataset.catalog),
        setting=Setting(),
        by=None,
        now=NOW,
    )
    with pytest.raises(NotComparable):
        compare(before, open_one)


def test_the_command_compares_with_the_draft_and_keeps_both(dataset: EvalDataset) -> None:
    dataset.catalog.groups.get(name="orders").tools.clear()
    said = StringIO()
    asked = {"dataset": ["march"], "against": "refunds", "stdout": said}

    call_command("evaluate", "refunds@draft", json=True, strategy=["all"], **asked)

    value = json.loads(said.getvalue())
    assert value["before"]["ref"] == "refunds@1"
    assert value["after"]["ref"] == "refunds@draft"
    assert value["cases"] == 3
    assert set(value["measures"]["coverage"]) >= {"before", "after", "interval", "p_value", "test"}
    assert EvalRun.objects.filter(dataset=dataset).count() == 2
    call_command("evaluate", "refunds", strategy=["keyword", "all"], **asked)
    assert "regressed 1: 2" in said.getvalue()
    with pytest.raises(CommandError, match="goes with REF and --dataset"):
        call_command("evaluate", "refunds", against="refunds")
