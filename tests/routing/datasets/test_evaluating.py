"""A run holds accepted cases against a version; what is done stays, whatever ends the worker."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from catalog.models import AuditEntry
from catalog.publishing import freeze_and_check
from routing import spans
from routing.background import LEFT_TO_A_COMMAND, Stopping
from routing.datasets import asking, benching, evaluating
from routing.datasets.asking import Setting
from routing.datasets.changing import Taken, add_cases, make_dataset
from routing.datasets.rows import mark_of
from routing.evaluation.cases import Case, case_of
from routing.evaluation.operating import Operating, read_tally
from routing.models import EvalCase, EvalDataset, EvalResults, EvalRun, Release
from routing.working import take_up
from tests.samples import NOW, published


def case(task: str, *tools: str, **more: Any) -> Case:
    said = {"task": task, "expected_tools": list(tools), "route": "order_status", **more}
    return case_of(said, where="")


CASES = [
    case("Read the order 5", "read_order", tags=["plain"], language="en", weight=3),
    case("Find the policy for refunds", "search_refund_policy", expected_groups=["refunds"]),
    case("Sing a song"),
    case("Read an order", "read_order", not_expected=["search_refund_policy"]),
    case("Move the moon", "gone_tool"),
]


@pytest.fixture
def dataset(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> EvalDataset:
    """Return accepted cases of a published catalog, done two at a time."""
    settings.ENCODER = "none"
    monkeypatch.setattr(evaluating, "CASES_AT_A_TIME", 2)
    made = make_dataset(catalog=published("refunds"), name="march", by=None, now=NOW)
    add_cases(
        made,
        [Taken(one) for one in CASES],
        origin=EvalCase.Origin.HAND,
        state=EvalCase.State.ACCEPTED,
        by=None,
        now=NOW,
    )
    return made


def ask(dataset: EvalDataset, **setting: Any) -> EvalRun:
    release = Release.objects.get(catalog=dataset.catalog)
    return asking.ask(
        dataset=dataset, subject=release, setting=Setting(**setting), by=None, now=NOW
    )


def carry_out(run: EvalRun, *, stopping: bool = False) -> EvalRun:
    evaluating.carry_out(run, clock=lambda: NOW, stopping=lambda: stopping)
    return EvalRun.objects.get(pk=run.pk)


def test_a_run_says_how_well_a_release_chooses(dataset: EvalDataset) -> None:
    run = carry_out(ask(dataset))

    assert (run.problem, run.made, run.total) == ("", 5, 5)
    assert run.skipped == {"5": "names"}
    assert run.report["cases"] == 4
    # The route leaves out the tool that the second case needs.
    assert run.report["measures"]["coverage"] == round(2 / 3, 6)
    assert run.report["traffic"] == 0.8
    assert run.report["unwanted"] == 0
    low, high = run.report["intervals"]["coverage"]
    assert low < 2 / 3 < high
    assert [one["name"] for one in run.report["by"]["tag"]] == ["plain"]
    assert run.report["by"]["language"][0]["measures"]["coverage"] == 1
    curve = read_tally(run.report["curve"])
    own = Operating(*run.report["curve"]["own"])
    (point,) = [one for one in curve.points() if one.setting == own]
    assert point.coverage == pytest.approx(run.report["measures"]["coverage"], abs=1e-6)
    assert point.tools == pytest.approx(run.report["measures"]["mean_tools"], abs=1e-6)
    assert point.none_fallback == run.report["measures"]["none_fallback_rate"]
    first = evaluating.results_of(run)[0]
    assert first.outcome.covered
    tried = benching.tried(run, dataset.cases.get(number=1))
    assert tried is not None
    again, bench = tried
    assert bench.decide(again).selection.tools == first.tools


def test_a_draft_is_kept_as_it_was_and_settings_stand_in(dataset: EvalDataset) -> None:
    draft = freeze_and_check(dataset.catalog)
    run = asking.ask(
        dataset=dataset,
        subject=draft,
        setting=Setting(strategy="all", max_tools=1, threshold=0.9),
        by=None,
        now=NOW,
    )
    dataset.catalog.tools.filter(name="read_order").delete()

    run = carry_out(run)

    assert run.sha256 == draft.sha256
    assert run.report["cases"] == 4
    document = benching.document_of(run)
    assert "read_order" in [tool["name"] for tool in document["tools"]]
    assert document["settings"]["threshold"] == 0.9


def test_a_run_goes_on_where_a_worker_left_it(dataset: EvalDataset) -> None:
    run = ask(dataset)
    with pytest.raises(Stopping):
        carry_out(run, stopping=True)
    run.refresh_from_db()
    assert run.made == 2
    (done,) = EvalResults.objects.filter(run=run)

    run = carry_out(run)

    assert run.report["cases"] == 4
    assert EvalResults.objects.get(run=run, start=0).pk == done.pk


def test_what_is_kept_of_a_task_cannot_be_guessed_without_the_server_s_key(
    dataset: EvalDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = carry_out(ask(dataset))
    (first, *_) = evaluating.results_of(run)
    row = dataset.cases.get(number=first.number)
    assert first.is_of(asked=mark_of(row), expectation="")

    monkeypatch.setattr(spans, "_hash_key", lambda: b"another")
    assert not first.is_of(asked=mark_of(row), expectation="")


def test_what_a_killed_worker_was_at_is_handed_over_again(dataset: EvalDataset) -> None:
    run = ask(dataset)

    # A command may be at it.
    assert take_up(now=NOW) == 0
    assert take_up(now=NOW + LEFT_TO_A_COMMAND) == 1
    run.refresh_from_db()
    assert run.task


def test_a_run_is_cancelled_and_resumed(dataset: EvalDataset) -> None:
    run = ask(dataset)
    asking.cancel(run, now=NOW)
    run = carry_out(run)
    assert run.problem == "cancelled"

    assert asking.resume(run, now=NOW, start=lambda one: "task")
    run.refresh_from_db()
    assert (run.problem, run.task, run.finished_at) == ("", "task", None)
    assert carry_out(run).report["cases"] == 4
    assert not asking.resume(carry_out(run), now=NOW, start=lambda one: "")
    said = AuditEntry.objects.filter(kind="evals").order_by("pk").values_list("action", flat=True)
    assert list(said) == ["eval_started", "eval_cancelled", "eval_resumed"]


def test_without_a_case_nothing_is_begun(dataset: EvalDataset) -> None:
    dataset.cases.update(state=EvalCase.State.DROPPED)

    with pytest.raises(asking.NoCases):
        ask(dataset)


def test_cases_that_name_nothing_there_end_a_run(dataset: EvalDataset) -> None:
    dataset.cases.exclude(number=5).delete()

    assert carry_out(ask(dataset)).problem == "nothing"


def test_a_part_is_held_against_alone(dataset: EvalDataset) -> None:
    dataset.cases.filter(number__in=[1, 3]).update(part="test")

    assert ask(dataset, part="test").numbers == [1, 3]


def test_the_command_keeps_what_it_evaluates(dataset: EvalDataset) -> None:
    said = StringIO()

    call_command("evaluate", "refunds", dataset=["march"], strategy=["all"], json=True, stdout=said)

    value = json.loads(said.getvalue())
    run = EvalRun.objects.get()
    assert value["cases"] == 4
    assert value["strategies"]["all"]["coverage"] == run.report["measures"]["coverage"]
    assert run.finished_at is not None
    with pytest.raises(CommandError, match="neither a file nor a dataset"):
        call_command("evaluate", "refunds", dataset=["april"])


@pytest.mark.django_db
def test_a_batch_whose_cases_are_all_passed_over_needs_no_encoder() -> None:
    made = make_dataset(catalog=published("refunds"), name="march", by=None, now=NOW)
    add_cases(
        made,
        [Taken(case("Move the moon", "gone_tool"))],
        origin=EvalCase.Origin.HAND,
        state=EvalCase.State.ACCEPTED,
        by=None,
        now=NOW,
    )
    run = carry_out(ask(made))
    assert (run.problem, run.skipped) == ("nothing", {"1": "names"})
