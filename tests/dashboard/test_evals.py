"""Evals: cases come in whole or not at all, are decided one by one, and results are read."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.models import AuditEntry, Catalog
from catalog.roles import Role
from dashboard.audit_words import ACTIONS, KINDS
from routing.datasets import evaluating
from routing.models import EvalCase, EvalCollection, EvalDataset, EvalRun
from tests.evaluated import evaluated
from tests.members import client_of, member
from tests.samples import published


@pytest.fixture
def refunds(db: None, settings: Any) -> Catalog:
    """Return a published catalog with routes, and a dataset."""
    settings.ENCODER = "none"
    catalog = published("refunds")
    evaluated(catalog)
    return catalog


@pytest.fixture
def editor(refunds: Catalog) -> Client:
    """Return a signed-in editor."""
    return client_of(member(refunds, Role.EDITOR))


def at(name: str, **more: object) -> str:
    kwargs = {"catalog": "refunds", **more}
    return reverse(f"dashboard:{name}", kwargs=kwargs)


def of(name: str, **more: object) -> str:
    return at(name, dataset="walked", **more)


def send(client: Client, content: bytes) -> Any:
    return client.post(of("case_file"), {"file": SimpleUploadedFile("cases.csv", content)})


def test_a_file_is_taken_in_whole_and_its_faults_are_told_by_line(editor: Client) -> None:
    before = EvalCase.objects.count()
    head = b"task,expected_tools,route\n"
    good = b"Where is it?,read_order,order_status\n"

    refused = send(editor, head + good + b"Where was it?,read_ordr,order_status\n,read_order,\n")

    assert refused.status_code == 422
    assert EvalCase.objects.count() == before
    page = refused.content.decode()
    assert "Line 4: task: a text that is not blank is required" in page
    refused = send(editor, head + good + b"Where was it?,read_ordr,order_status\n")
    assert "Line 3: there is no tool “read_ordr” in the catalog" in refused.content.decode()
    assert send(editor, head + good + good).status_code == 302
    case = EvalCase.objects.get(task="Where is it?")
    assert (case.state, case.origin, case.part != "") == ("accepted", "file", True)
    assert AuditEntry.objects.filter(action="cases_added", subject="walked").exists()
    exported = editor.get(of("export_cases")).content.decode()
    assert '{"task": "Where is it?", "expected_tools": ["read_order"]' in exported


def test_a_queue_is_gone_through_by_accepting_dropping_and_mending(
    editor: Client, refunds: Catalog
) -> None:
    dataset = EvalDataset.objects.get(catalog=refunds)
    first, second = dataset.cases.in_review()
    page = editor.get(of("review")).content.decode()
    assert first.task in page
    assert "Served now by" in page

    editor.post(of("decide_case", case=first.number), {"decision": "drop"})
    assert second.task in editor.get(of("review")).content.decode()
    mended = {
        "task": second.task,
        "expected_tools": "issue_refund",
        "route": "order_status",
        "decision": "accept",
    }
    wrong = editor.post(of("review"), {**mended, "expected_tools": "isue_refund"})
    assert wrong.status_code == 422
    assert "there is no tool “isue_refund”" in wrong.content.decode()
    assert editor.post(of("review"), {**mended, "route": "", "tags": "a"}).status_code == 422
    editor.post(of("review"), mended)

    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state) == ("dropped", "accepted")
    assert second.expected_tools == ["issue_refund"]
    assert "Nothing waits for review" in editor.get(of("review")).content.decode()
    codes = set(AuditEntry.objects.filter(kind="cases").values_list("action", flat=True))
    assert codes == {"case_decided", "case_mended"}
    assert codes <= ACTIONS.keys()
    assert {"cases", "datasets", "evals"} <= KINDS.keys()


def test_a_trial_of_the_playground_is_kept_with_what_is_ticked(
    editor: Client, refunds: Catalog
) -> None:
    tried = {"task": "Read order 5", "route": "order_status", "ref": "live", "history": ""}
    asked = editor.post(at("keep_case"), tried)
    assert asked.status_code == 200
    assert 'name="needed"' in asked.content.decode()

    kept = {**tried, "keep": "1", "dataset": "played", "needed": ["read_order"]}
    assert editor.post(at("keep_case"), kept).status_code == 302

    case = EvalCase.objects.get(dataset__name="played")
    assert (case.origin, case.expected_tools) == ("playground", ["read_order"])
    assert case.route == "order_status"
    again = editor.post(at("keep_case"), kept)
    assert "The dataset asks this already." in again.content.decode()


def test_an_evaluation_is_begun_followed_and_read(editor: Client, refunds: Catalog) -> None:
    begun = editor.post(
        at("new_eval"), {"dataset": "walked", "ref": "draft", "strategy": "all", "part": ""}
    )
    run = EvalRun.objects.filter(catalog=refunds).latest("pk")
    assert begun["Location"] == at("eval_run", eval=run.number)
    assert run.release is None
    assert run.task
    assert "0 of 2 cases are done" in editor.get(begun["Location"]).content.decode()
    evaluating.carry_out(run, clock=timezone.now, stopping=lambda: False)

    page = editor.get(begun["Location"]).content.decode()

    assert "Coverage" in page
    assert "By language" in page
    case = run.dataset.cases.accepted()[0]
    shown = editor.get(at("eval_case", eval=run.number, case=case.number)).content.decode()
    assert "everything is served" in shown
    editor.post(at("delete_eval", eval=run.number))
    assert not EvalRun.objects.filter(pk=run.pk).exists()


def test_cases_are_collected_in_the_background(editor: Client, refunds: Catalog) -> None:
    sent = editor.post(of("collect_cases"), {"days": "30", "most": "20", "simulated": "on"})

    assert sent.status_code == 302
    one = EvalCollection.objects.open().get()
    assert one.task
    fragment = editor.get(of("collection", collection=one.pk), headers={"HX-Request": "true"})
    assert "Reading the runs" in fragment.content.decode()


def test_nothing_of_another_catalog_is_there(editor: Client, refunds: Catalog) -> None:
    other = published("contratos")
    evaluated(other)
    run = EvalRun.objects.filter(catalog=other).latest("pk")

    assert editor.get(f"/catalogs/{other.name}/evals").status_code == 404
    # A number of the other catalog's run is no run of this one.
    EvalRun.objects.filter(pk=run.pk).update(number=99)
    assert editor.get(at("eval_run", eval=99)).status_code == 404
    assert editor.post(at("cancel_eval", eval=99)).status_code == 404
    EvalDataset.objects.filter(catalog=other).update(name="theirs")
    assert editor.get(at("dataset", dataset="theirs")).status_code == 404


def test_a_page_of_a_dataset_costs_few_queries(
    refunds: Catalog, django_assert_max_num_queries: Any
) -> None:
    client = client_of(User.objects.create_superuser("root"))
    client.get(of("dataset"))
    with django_assert_max_num_queries(16):
        client.get(of("dataset"))
