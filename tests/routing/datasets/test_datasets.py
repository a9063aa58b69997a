"""Datasets keep their invariants, and what is put into them is put in whole or not at all."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from catalog.models import AuditEntry, Catalog
from routing.datasets.changing import (
    AskedAlready,
    Taken,
    add_cases,
    decide,
    delete_dataset,
    forget_undecided,
    make_dataset,
    mend,
)
from routing.datasets.naming import faults_of, names_of_document, names_of_draft, on_version
from routing.datasets.rows import record_of, value_of
from routing.datasets.splitting import split, split_anew
from routing.evaluation.cases import Case, case_of
from routing.evaluation.near import plain
from routing.models import EvalCase, EvalDataset, EvalRun, Vector
from routing.selection import content_hash
from tests.samples import NOW

FULL: dict[str, Any] = {
    "task": "Refund order 7, please",
    "expected_tools": ["read_order", "issue_refund"],
    "expected_groups": ["orders", "refunds"],
    "alternatives": {"read_order": ["list_orders"]},
    "history": ["It came broken."],
    "phase": "intake",
    "channel": {"kind": "queue", "value": "mail"},
    "route": "order_status",
    "not_expected": ["close_account"],
    "vague": True,
    "tags": ["cross-topic"],
    "language": "en",
    "notes": "Twice last week.",
    "weight": 2.5,
}


@pytest.fixture
def dataset(db: None, settings: Any) -> EvalDataset:
    """Return an empty dataset of a catalog without an encoder."""
    settings.ENCODER = "none"
    catalog = Catalog.objects.create(name="shop", title="Shop")
    return make_dataset(catalog=catalog, name="march", by=None, now=NOW)


def case(task: str, *tools: str) -> Case:
    return Case(where="", task=task, needs=tuple((tool,) for tool in tools))


def put(dataset: EvalDataset, *cases: Case, state: Any = EvalCase.State.REVIEW) -> list[EvalCase]:
    taken = [Taken(one) for one in cases]
    add_cases(dataset, taken, origin=EvalCase.Origin.HAND, state=state, by=None, now=NOW)
    return list(dataset.cases.all())


def test_a_case_comes_back_as_it_was_put_in(dataset: EvalDataset) -> None:
    asked = case_of(FULL, where="1")

    (row,) = put(dataset, asked)

    assert value_of(row) == asked
    assert record_of(value_of(row)) == FULL


def test_a_dataset_asks_nothing_twice_and_counts_on(dataset: EvalDataset) -> None:
    put(dataset, case("One", "a"), case("Two", "b"), case("One", "c"))
    rows = put(dataset, case("Two"), case("Three"))

    assert [(row.number, row.task) for row in rows] == [(1, "One"), (2, "Two"), (3, "Three")]
    said = AuditEntry.objects.filter(action="cases_added").values_list("after", flat=True)
    assert [one["cases"] for one in said] in ([2, 1], [1, 2])


def test_a_case_is_decided_and_mended_and_the_log_says_so(dataset: EvalDataset) -> None:
    person = User.objects.create(username="ana")
    first, second = put(dataset, case("One", "a"), case("Two", "b"))

    decide(first, state=EvalCase.State.ACCEPTED, by=person, now=NOW)
    assert mend(second, case("Two", "c"), now=NOW)
    assert not mend(second, case("Two", "c"), now=NOW)
    with pytest.raises(AskedAlready):
        mend(second, case("One"), now=NOW)

    first.refresh_from_db()
    assert (first.state, first.decided_by, first.decided_at) == ("accepted", person, NOW)
    entries = {entry.action: entry for entry in AuditEntry.objects.filter(kind="cases")}
    assert entries["case_decided"].subject == "march/1"
    assert entries["case_mended"].after["tools"] == ["c"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"task": ""},
        {"weight": 0},
        {"state": "odd"},
        {"origin": "odd"},
        {"part": "odd"},
        {"decided_at": NOW},
        {"number": 1},
        {"digest": "same"},
    ],
)
def test_the_database_refuses_a_case_that_cannot_be(
    dataset: EvalDataset, wrong: dict[str, Any]
) -> None:
    right = {"state": "review", "origin": "hand", "task": "x", "created_at": NOW}
    EvalCase.objects.create(dataset=dataset, number=1, digest="same", **right)

    with pytest.raises(IntegrityError), transaction.atomic():
        EvalCase.objects.create(
            **{"dataset": dataset, "number": 2, "digest": "b", **right, **wrong}
        )


def test_the_database_refuses_datasets_and_runs_that_cannot_be(dataset: EvalDataset) -> None:
    wrongs: list[dict[str, Any]]
    wrongs = [{"name": "march"}, {"name": ""}, {"name": "b", "test_share": 1.5}]
    for wrong in wrongs:
        with pytest.raises(IntegrityError), transaction.atomic():
            EvalDataset.objects.create(catalog=dataset.catalog, created_at=NOW, **wrong)
    right: dict[str, Any]
    right = {"catalog": dataset.catalog, "dataset": dataset, "asked_at": NOW, "number": 1}
    for each in ({}, {"document": b"", "part": "odd"}, {"document": b"", "made": 1}):
        with pytest.raises(IntegrityError), transaction.atomic():
            EvalRun.objects.create(**right, **each)


def test_parts_share_no_task_and_stay_until_they_are_told_anew(dataset: EvalDataset) -> None:
    tasks = [f"{word} order {number}" for word in "abcdefgh" for number in (1, 22)]
    put(dataset, *(case(task, "x") for task in tasks))

    assert split(dataset)

    def parts() -> dict[str, str]:
        return dict(dataset.cases.values_list("task", "part"))

    first = parts()
    assert sorted(first.values()) == ["test"] * 8 + ["train"] * 8
    assert all(first[f"{word} order 1"] == first[f"{word} order 22"] for word in "abcdefgh")
    put(dataset, case("a order 333", "x"))
    assert split(dataset)
    assert parts() == first | {"a order 333": first["a order 1"]}
    assert split_anew(dataset, seed=5, test_share=0)
    assert set(parts().values()) == {"train"}


def test_a_renamed_tool_is_followed_to_later_and_to_earlier_versions(dataset: EvalDataset) -> None:
    tool = dataset.catalog.tools.create(name="find", description="Find it.", position=0)
    tool.name, tool.aliases = "look_up", ["find"]
    tool.save()
    later = names_of_draft(dataset.catalog)
    document: dict[str, Any] = {"groups": [], "phases": [], "routes": []}
    earlier = names_of_document(
        {**document, "tools": [{"name": "find", "aliases": []}]}, later=later
    )

    for asked in ("find", "look_up"):
        now, then = (on_version(case("x", asked), names) for names in (later, earlier))
        assert [one.expected_tools for one in (now, then) if one] == [("look_up",), ("find",)]
    assert on_version(case("x", "gone"), later) is None
    assert [str(one) for one in faults_of(case("x", "gone"), later, line=3)] == [
        "there is no tool “gone” in the catalog"
    ]


def test_a_group_of_another_name_is_looked_for_by_its_tools(dataset: EvalDataset) -> None:
    dataset.catalog.tools.create(name="find", description="Find it.", position=0)
    names = names_of_draft(dataset.catalog)

    tried = on_version(replace(case("x", "find"), expected_groups=("gone",)), names)

    assert tried is not None
    assert tried.expected_groups == ()


def test_words_go_for_their_age_unless_a_person_accepted_them(dataset: EvalDataset) -> None:
    said = NOW - timedelta(days=40)
    taken = [Taken(case("Old one"), said_at=said), Taken(case("Kept one"), said_at=said)]
    add_cases(
        dataset,
        taken,
        origin=EvalCase.Origin.RUN,
        state=EvalCase.State.REVIEW,
        by=None,
        now=NOW,
    )
    decide(
        dataset.cases.get(number=2),
        state=EvalCase.State.ACCEPTED,
        by=User.objects.create(username="ana"),
        now=NOW,
    )

    assert forget_undecided(dataset.catalog, until=said) == 1
    assert [row.task for row in dataset.cases.all()] == ["Kept one"]


def test_a_dataset_goes_with_all_that_was_made_of_its_words(dataset: EvalDataset) -> None:
    put(dataset, case("Find it"))
    digest = content_hash(plain("Find it"))
    Vector.objects.create(encoder="usem3", sha256=digest, values=b"1234")

    delete_dataset(dataset, now=NOW)

    assert not EvalCase.objects.exists()
    assert not Vector.objects.exists()
    assert AuditEntry.objects.filter(action="dataset_deleted").exists()
