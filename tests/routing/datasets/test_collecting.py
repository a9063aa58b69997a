"""Cases from runs: what solved ones really called, and what was passed over and why."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from catalog.models import Catalog
from routing.background import Stopping
from routing.compiled import compiled_release
from routing.datasets import collecting
from routing.datasets.changing import make_dataset
from routing.models import EvalCase, EvalCollection, EvalDataset, Run, Span
from routing.services.erasing import erase_words
from routing.spans import write_span
from tests.dashboard.traffic import NOON, Traffic
from tests.samples import published


class Office:
    """Runs of the refunds catalog whose tools have names."""

    def __init__(self, catalog: Catalog) -> None:
        self.traffic = Traffic.of(catalog)
        self.position = compiled_release(self.traffic.release.pk).position

    def run(self, task: str, *calls: str, outcome: str = "solved", **fields: Any) -> Span:
        """Write a run that selects once, is offered only what it calls, and calls it."""
        offered = fields.pop("offered", calls)
        words: dict[str, Any] = {"words": {"task": task}, "task_hash": "h"} if task else {}
        selection = self.traffic.select(
            run=self.traffic.run(outcome=outcome),
            offered=[self.position(tool) for tool in offered],
            route="order_status",
            **words,
            **fields,
        )
        self.call(selection, *calls)
        return selection

    def call(self, selection: Span, *tools: str) -> None:
        """Call tools upon a selection."""
        for tool in tools:
            write_span(
                run=selection.run,
                name=Span.Name.CALL,
                now=NOON,
                selection=selection,
                tool=self.position(tool),
                decision="allowed",
            )


@pytest.fixture
def office(db: None, settings: Any) -> Office:
    """Return a catalog without an encoder, and its runs."""
    settings.ENCODER = "none"
    return Office(published("refunds"))


@pytest.fixture
def dataset(office: Office) -> EvalDataset:
    """Return a dataset without a case."""
    return make_dataset(catalog=office.traffic.catalog, name="march", by=None, now=NOON)


def collect(dataset: EvalDataset, *, most: int = 50) -> Counter[str]:
    one = collecting.ask(
        dataset=dataset,
        since=NOON - timedelta(days=1),
        until=NOON + timedelta(days=1),
        most=most,
        by=None,
        now=NOON,
    )
    collecting.carry_out(one, clock=lambda: NOON, stopping=lambda: False)
    one.refresh_from_db()
    assert not one.problem
    return Counter(one.found)


def test_what_solved_runs_called_is_expected(office: Office, dataset: EvalDataset) -> None:
    office.run("Where is order 5?", "read_order", explored=True)
    both = office.run("Refund order 5", "read_order", offered=["read_order"])
    office.call(both, "issue_refund")
    office.run("Something is wrong", "read_order", fallback="low_confidence", offered=[])

    found = collect(dataset)

    cases = {case.task: case for case in dataset.cases.all()}
    assert cases["Where is order 5?"].expected_tools == ["read_order"]
    assert cases["Where is order 5?"].expected_groups == ["orders"]
    assert cases["Where is order 5?"].tags == ["explored"]
    assert cases["Where is order 5?"].route == "order_status"
    assert cases["Refund order 5"].expected_tools == ["read_order", "issue_refund"]
    assert cases["Refund order 5"].tags == ["cross-topic", "missed"]
    assert cases["Something is wrong"].vague
    assert {case.state for case in cases.values()} == {"review"}
    assert cases["Where is order 5?"].language == "en"
    assert cases["Refund order 5"].run == both.run
    assert (found["runs"], found["new"], found["explored"]) == (3, 3, 1)


def test_a_selection_in_anothers_stead_goes_on_with_its_task(
    office: Office, dataset: EvalDataset
) -> None:
    first = office.run("Refund order 5", "read_order")
    again = office.traffic.select(
        run=first.run,
        selection=first,
        tool=office.position("issue_refund"),
        offered=[office.position("issue_refund")],
        words={"task": "Refund order 5"},
        task_hash="h",
    )
    office.call(again, "issue_refund")

    collect(dataset)

    (case,) = dataset.cases.all()
    assert case.expected_tools == ["read_order", "issue_refund"]
    assert "missed" in case.tags


def test_what_is_passed_over_is_counted(office: Office, dataset: EvalDataset) -> None:
    office.run("Failed", "read_order", outcome="failed")
    office.run("Nothing called")
    office.run("", "read_order")
    unkept = office.run("Erased", "read_order")
    erase_words(run=unkept.run, now=NOON)
    office.run("Renamed away", "search_refund_policy")
    office.traffic.catalog.tools.get(name="search_refund_policy").delete()

    found = collect(dataset)

    assert not dataset.cases.exists()
    passed = {name: found[name] for name in ("unlabelled", "no_task", "no_text", "gone", "runs")}
    assert passed == {"unlabelled": 1, "no_task": 1, "no_text": 1, "gone": 1, "runs": 4}


def test_nothing_is_asked_twice_and_what_was_dropped_stays_away(
    office: Office, dataset: EvalDataset
) -> None:
    office.run("Where is order 5?", "read_order")
    office.run("Where is order 66?", "read_order")
    office.run("Where is order 7?", "issue_refund")

    assert collect(dataset)["new"] == 1
    (case,) = dataset.cases.all()
    assert "disputed" in case.tags
    assert case.weight == 3
    dataset.cases.update(state=EvalCase.State.DROPPED)
    office.run("where is order 8", "read_order")
    office.run("Where is order 8?", "read_order")
    again = collect(dataset)
    assert (again["new"], again["known"]) == (1, 1)


def test_old_names_of_tools_are_followed(office: Office, dataset: EvalDataset) -> None:
    office.run("Where is order 5?", "read_order")
    tool = office.traffic.catalog.tools.get(name="read_order")
    tool.name, tool.aliases = "get_order", ["read_order"]
    tool.save()

    collect(dataset)

    assert [case.expected_tools for case in dataset.cases.all()] == [["get_order"]]


def test_words_of_a_run_take_its_cases_with_them(office: Office, dataset: EvalDataset) -> None:
    office.run("Where is order 5?", "read_order")
    collect(dataset)

    erase_words(run=Run.objects.get(), now=NOON)

    assert not dataset.cases.exists()


def test_a_worker_that_is_stopped_leaves_nothing_half_done(
    office: Office, dataset: EvalDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.run("Where is order 5?", "read_order")

    def telling(texts: Any, *, patient: bool, progress: Any) -> None:
        progress(1, 2)

    monkeypatch.setattr(collecting, "task_vectors", telling)
    one = collecting.ask(
        dataset=dataset,
        since=NOON - timedelta(days=1),
        until=NOON + timedelta(days=1),
        most=5,
        by=None,
        now=NOON,
    )
    with pytest.raises(Stopping):
        collecting.carry_out(one, clock=lambda: NOON, stopping=lambda: True)
    assert not dataset.cases.exists()
    assert EvalCollection.objects.open().get().made == 1
