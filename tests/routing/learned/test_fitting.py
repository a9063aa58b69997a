"""A catalog learns from its reviewed cases; what is better goes live, and comes back from there."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from catalog.models import AuditEntry, Catalog
from catalog.publishing import freeze_and_check
from catalog.recording import recorded
from routing.background import LEFT_TO_A_COMMAND, Stopping
from routing.compiled import compiled_release, shelf
from routing.datasets import asking as evaluations
from routing.datasets import benching
from routing.datasets.asking import Setting
from routing.ending import archive, delete_catalog
from routing.fitted.storing import compiling_of, read_classifier
from routing.learned import asking, fitting, reporting
from routing.learned.asking import LearningAlready
from routing.learned.moving import back_to
from routing.learned.origins import taught_by
from routing.models import EvalCase, Fit, FittedModel, Release
from routing.moves import current_move
from routing.preview import compiled_draft, preview_selection
from routing.releases import publish, served_now
from routing.selection import ConfidenceSource, Query, Strategy
from routing.selection.classifier_bytes import to_bytes
from routing.working import take_up
from tests.learned import TOOLS, after_learning, learn, with_cases
from tests.routing.learning.labelled import cases
from tests.samples import NOW

pytestmark = pytest.mark.django_db


def live(catalog: Catalog) -> Release:
    move = current_move(catalog)
    assert move is not None
    return move.release


def say_something_else(of: Catalog, *, tools: int) -> None:
    """Change what the first tools of a draft say."""
    with recorded(catalog=of):
        for tool in of.tools.order_by("position")[:tools]:
            tool.description = f"Something else altogether {tool.name}"
            tool.save()


def republish(of: Catalog, *, changed: int) -> Release:
    """Publish a version of which some tools say something else."""
    say_something_else(of, tools=changed)
    move = current_move(of)
    published = publish(catalog=of, author=None, now=NOW, base=move.pk if move else None)
    return published.release


def test_what_is_better_on_held_out_cases_goes_live_as_a_release_of_the_version() -> None:
    of = with_cases()
    before = live(of)
    task = cases(range(TOOLS), 1, seed=9)[0]
    query = Query(task=task.task)

    said = StringIO()

    call_command("fit", "words", dataset=["reviewed"], stdout=said, stderr=StringIO())

    assert "classifier: taken. On" in said.getvalue()
    assert "words@1 (release 2) is live." in said.getvalue()
    one, after = Fit.objects.get(), live(of)
    assert one.problem == ""
    assert one.release == after
    assert (after.number, after.version) == (before.number + 1, before.version)
    assert (before.classifier, before.calibration) == (None, None)
    assert one.report["parts"]["classifier"]["taken"]
    assert after.classifier is not None
    measures = one.report["measures"]
    assert measures["ndcg@10"]["after"] > measures["ndcg@10"]["before"] + 0.1
    assert measures["ndcg@10"]["interval"][0] > 0
    assert one.report["learn"] + one.report["judge"] == one.report["datasets"]["reviewed"]

    shelf.clear()  # as another process has it
    answer = preview_selection(release=compiled_release(after.pk), query=query, now=NOW)
    assert answer.selection.decided_by == Strategy.CLASSIFIER
    assert answer.selection.confidence_source == ConfidenceSource.FITTED
    assert {of_tool for need in task.needs for of_tool in need} <= set(answer.tool_names)
    was = preview_selection(release=compiled_release(before.pk), query=query, now=NOW)
    assert was.selection.confidence_source == ConfidenceSource.SHIPPED
    actions = AuditEntry.objects.filter(catalog=of).values_list("action", flat=True)
    assert {"fit_started", "learn"} <= set(actions)

    move = current_move(of)
    assert move is not None
    back_to(catalog=of, release=before, by=None, reason="No.", base=move.pk, now=NOW)
    assert live(of) == before


def test_what_is_live_is_not_learned_again() -> None:
    of = after_learning()
    was = live(of)
    with pytest.raises(CommandError, match="no dataset of this name"):
        call_command("fit", "words", dataset=["other"])

    again = learn(of)

    assert again.release is None
    assert not any(part["taken"] for part in again.report["parts"].values())
    assert live(of) == was


def test_the_bytes_hold_no_word_of_any_task_and_go_with_the_catalog() -> None:
    of = after_learning()
    words = {
        word for task in EvalCase.objects.values_list("task", flat=True) for word in task.split()
    }
    assert words
    row = FittedModel.objects.get(kind="classifier")
    content = to_bytes(read_classifier(row)).decode()
    assert not [word for word in words if word in content]

    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        FittedModel.objects.update(sha256="0" * 64)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        Release.objects.update(classifier=None)

    archive(catalog=of, now=NOW)
    assert delete_catalog(catalog=of)
    assert not FittedModel.objects.exists()
    assert not Fit.objects.exists()


def test_damaged_bytes_are_left_out_of_an_answer_that_is_given_all_the_same() -> None:
    of = after_learning()
    release = live(of)
    assert release.classifier is not None
    release.classifier.content = bytes(release.classifier.content)[:-40]

    assert "classifier" not in compiling_of(release)


def test_what_was_learned_is_carried_on_where_tools_say_the_same() -> None:
    of = after_learning()
    learned = live(of)

    one_changed = republish(of, changed=1)
    assert one_changed.classifier == learned.classifier
    placed = compiled_release(one_changed.pk).index.classifier
    assert placed is not None
    assert len(placed.tools) == TOOLS - 1
    assert one_changed.version != learned.version

    say_something_else(of, tools=TOOLS - 2)
    served = served_now(of, freeze_and_check(of))
    assert (served.classifier, served.calibration) == (None, None)
    assert "classifier" in served.left
    assert compiled_draft(of, now=NOW).index.classifier is None
    move = current_move(of)
    assert move is not None
    published = publish(catalog=of, author=None, now=NOW, base=move.pk)
    assert published.release.classifier is None


def test_an_evaluation_of_a_release_is_of_what_it_learned_too() -> None:
    of = after_learning()
    dataset = of.eval_datasets.get()
    run = evaluations.ask(dataset=dataset, subject=live(of), setting=Setting(), by=None, now=NOW)

    assert benching.bench_of(run, patient=True).index.classifier is not None
    assert [fit.number for fit in taught_by(run)] == [1]
    run.part = "test"
    assert not taught_by(run)


def test_an_evaluation_of_a_draft_stays_of_what_was_live_when_it_was_asked_for() -> None:
    of = after_learning()
    subject, dataset = freeze_and_check(of), of.eval_datasets.get()
    run = evaluations.ask(dataset=dataset, subject=subject, setting=Setting(), by=None, now=NOW)
    move = current_move(of)
    assert move is not None
    before = Release.objects.get(catalog=of, number=1)
    back_to(catalog=of, release=before, by=None, reason="No.", base=move.pk, now=NOW)

    assert served_now(of, subject).classifier is None
    assert [fit.number for fit in taught_by(run)] == [1]
    run.follows = before
    assert not taught_by(run)
    run.refresh_from_db()
    assert benching.bench_of(run, patient=True).index.classifier is not None


def test_who_is_asked_to_stop_hands_it_on_and_nothing_is_lost() -> None:
    of = with_cases()
    one = asking.ask(catalog=of, datasets=[], by=None, now=NOW)

    with pytest.raises(Stopping):
        fitting.carry_out(one, clock=timezone.now, stopping=lambda: True)

    one.refresh_from_db()
    assert one.finished_at is None
    # A worker that was killed left it as it is: the next one takes it up.
    assert take_up(now=NOW + LEFT_TO_A_COMMAND) == 1
    with pytest.raises(LearningAlready):
        asking.ask(catalog=of, datasets=[], by=None, now=NOW)

    asking.cancel(one, now=NOW)
    fitting.carry_out(one, clock=timezone.now, stopping=lambda: False)
    one.refresh_from_db()
    assert (one.problem, one.release, one.report) == ("cancelled", None, {})


@pytest.mark.parametrize("cancelled", [False, True])
def test_what_is_better_goes_live_with_the_end_of_its_fit_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch, cancelled: bool
) -> None:
    of = with_cases()
    one = asking.ask(catalog=of, datasets=[], by=None, now=NOW)
    was = live(of)
    report = reporting.report_of

    def at_the_last_moment(*args: Any, **more: Any) -> Any:
        if cancelled:
            asking.cancel(one, now=NOW)
        return report(*args, **more)

    def killed(*args: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(fitting, "report_of", at_the_last_moment)
        if cancelled:
            fitting.carry_out(one, clock=timezone.now, stopping=lambda: False)
        else:
            patched.setattr(fitting, "end", killed)
            with pytest.raises(KeyboardInterrupt):
                fitting.carry_out(one, clock=timezone.now, stopping=lambda: False)
    assert live(of) == was

    fitting.carry_out(one, clock=timezone.now, stopping=lambda: False)  # the next worker
    one.refresh_from_db()
    assert one.problem == ("cancelled" if cancelled else "")
    assert one.release == (None if cancelled else live(of))


def test_who_publishes_meanwhile_is_first() -> None:
    of = with_cases()
    one = asking.ask(catalog=of, datasets=[], by=None, now=NOW)
    republish(of, changed=1)

    fitting.carry_out(one, clock=timezone.now, stopping=lambda: False)

    one.refresh_from_db()
    assert one.problem == Fit.Problem.STALE_BASE
    assert Release.objects.filter(catalog=of).count() == 2


def test_a_version_that_goes_live_is_learned_for_once_where_the_catalog_is_set_to() -> None:
    of = with_cases()
    begun: list[Fit] = []

    def started(one: Fit) -> str:
        begun.append(one)
        return "task"

    def due() -> int:
        found = asking.ask_due(now=NOW, start=started)
        return len(found)

    assert due() == 0
    asking.set_learning(catalog=of, datasets=["reviewed"], on_publish=True, now=NOW)
    assert due() == 1
    assert begun[0].on_publish
    asking.cancel(begun[0], now=NOW)
    assert due() == 0
    republish(of, changed=1)
    assert due() == 1


def test_too_few_cases_are_said_to_be_too_few() -> None:
    of = with_cases()
    few = EvalCase.objects.filter(dataset__catalog=of).values("pk")[:12]
    EvalCase.objects.exclude(pk__in=few).update(state=EvalCase.State.DROPPED)

    one = learn(of)

    assert one.release is None
    assert {part["reason"] for part in one.report["parts"].values()} == {
        "%(cases)s labelled cases are too few; %(least)s is the least."
    }
