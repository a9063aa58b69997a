"""Paths: cases say what is expected, runs that name them are shown where they left it."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.models import AuditEntry, Catalog
from catalog.roles import Role
from dashboard.audit_words import ACTIONS
from dashboard.metrics.hourly import Scope, first_hour, has_traffic
from routing.models import EvalCase, EvalDataset, HourlyCount, Run
from routing.rollups.folding import fold_all
from tests.evaluated import evaluated
from tests.members import client_of, member
from tests.samples import published


@pytest.fixture
def refunds(db: None, settings: Any) -> Catalog:
    """Return a published catalog with a dataset whose first case two runs tried out."""
    settings.ENCODER = "none"
    catalog = published("refunds")
    evaluated(catalog)
    return catalog


@pytest.fixture
def editor(refunds: Catalog) -> Client:
    """Return a signed-in editor."""
    return client_of(member(refunds, Role.EDITOR))


def of(name: str, **more: object) -> str:
    kwargs = {"catalog": "refunds", "dataset": "walked", **more}
    return reverse(f"dashboard:{name}", kwargs=kwargs)


def text_of(response: Any) -> str:
    assert response.status_code in {200, 422}, response.status_code
    return " ".join(response.content.decode().split())


def test_a_case_says_its_path_in_the_form_and_in_the_file(editor: Client) -> None:
    case = EvalCase.objects.accepted().get(number=3)
    sent = {
        "task": case.task,
        "route": "order_status",
        "path_called": "read_order\nread_order",
        "path_order": "in_order",
        "path_only": "on",
        "path_not_called": "issue_refund",
        "path_status": "solved",
        "simulation": '{"tools": {"read_order": [{"answer": "slow"}]}}',
    }
    wrong = {
        **sent,
        "path_not_called": "isue_refund",
        "simulation": '{"tools": {"read_order": [{"answer": "late"}]}}',
    }
    page = text_of(editor.post(of("case", case=3), wrong))
    assert "simulation.tools.read_order[0].answer: one of ok" in page
    page = text_of(editor.post(of("case", case=3), {**wrong, "simulation": ""}))
    assert "there is no tool “isue_refund” in the catalog" in page
    assert page.index("id_path_not_called_error") < page.index("isue_refund” in")

    assert editor.post(of("case", case=3), sent).status_code == 302

    case.refresh_from_db()
    path = {
        "tools_called": ["read_order", "read_order"],
        "in_order": True,
        "only": True,
        "tools_not_called": ["issue_refund"],
        "final_status": "solved",
    }
    assert case.path == path
    entry = AuditEntry.objects.get(action="case_mended")
    assert (entry.before or {})["path"] is None
    assert (entry.after or {})["path"] == path
    # What its tools answer may be somebody's words, and the log is never erased.
    assert (entry.after or {})["simulation"] == ["read_order"]
    shown = text_of(editor.get(reverse("dashboard:audit", kwargs={"catalog": "refunds"})))
    assert "Expected path" in shown
    exported = editor.get(of("export_cases")).content.decode()
    assert '"path": {"tools_called": ["read_order", "read_order"], "in_order": true' in exported
    assert '"simulation": {"tools": {"read_order": [{"answer": "slow"}]}}' in exported
    # The form shows what it would send again.
    shown = text_of(editor.get(of("case", case=3)))
    assert "&quot;answer&quot;: &quot;slow&quot;" in shown
    assert '<option value="in_order" selected>' in shown


def test_runs_are_shown_with_where_they_left_the_path(editor: Client) -> None:
    page = text_of(editor.get(of("paths")))
    assert "refunds@1" in page
    assert "50 %" in page  # one of two runs
    assert "read_order</code> never called" in page
    assert "gave_up" in page
    only = text_of(editor.get(of("paths") + "?arm=all&version=refunds@1"))
    assert "100 %" in only
    assert "never called" not in only

    left = Run.objects.get(outcome="failed", case_id="walked/1")
    page = text_of(editor.get(of("case_path", case=1) + f"?run={left.pk}"))
    assert "left it" in page
    assert 'id="left"' in page
    assert "simulated: a hidden instruction: other_tool" in page
    EvalCase.objects.filter(number=1).update(path={"tools_not_called": ["other_tool"]})
    page = text_of(editor.get(of("case_path", case=1) + f"?run={left.pk}"))
    assert "Left the path here:</b> <code>other_tool</code> must not be called" in page
    assert editor.get(of("case_path", case=1) + "?run=0").status_code == 404
    run_page = editor.get(f"/catalogs/refunds/runs/{left.pk}").content.decode()
    assert f"{of('case_path', case=1)}?run={left.pk}" in run_page


def test_both_arms_are_compared(editor: Client) -> None:
    page = text_of(editor.get(of("before_after")))
    assert "1 case tried both ways" in page
    assert "0 won, 1 lost" in page
    assert "not completed" in page
    Run.objects.filter(outcome="failed").delete()
    assert "No case was tried both ways" in text_of(editor.get(of("before_after")))
    Run.objects.exclude(case_id="").delete()
    assert "--dataset walked" in text_of(editor.get(of("paths")))


def test_what_simulated_tools_answer_is_changed_by_editors(
    editor: Client, refunds: Catalog
) -> None:
    script = '{"seed": 2, "tools": {"*": [{"answer": "fatal"}], "read_order": [{}]}}'
    wrong = editor.post(of("simulation"), {"simulation": '{"tools": {"read_ordr": [{}]}}'})
    assert "there is no tool “read_ordr”" in text_of(wrong)
    assert editor.post(of("simulation"), {"simulation": script}).status_code == 302
    dataset = EvalDataset.objects.get(name="walked", catalog=refunds)
    assert dataset.simulation["tools"]["*"] == [{"answer": "fatal"}]
    codes = set(AuditEntry.objects.filter(subject="walked").values_list("action", flat=True))
    assert "simulation_changed" in codes & ACTIONS.keys()
    viewer = client_of(member(refunds, Role.VIEWER, name="vera"))
    assert viewer.post(of("simulation"), {"simulation": ""}).status_code == 403
    assert "&quot;seed&quot;: 2" in text_of(viewer.get(of("simulation")))


def test_what_tries_out_a_case_is_found_among_runs_and_counted_nowhere(
    editor: Client, refunds: Catalog
) -> None:
    fold_all(now=timezone.now())
    counted = HourlyCount.objects.filter(catalog=refunds, source="case")
    assert counted.exists()
    scope = Scope(catalogs=(refunds.pk,))
    assert first_hour(scope=scope) is None
    assert not has_traffic(scope=scope)
    url = reverse("dashboard:runs", kwargs={"catalog": "refunds"})
    assert "auto-0123456789" in text_of(editor.get(url))
    assert "auto-0123456789" in text_of(editor.get(url + "?outcome=failed"))
    assert "auto-0123456789" not in text_of(editor.get(url + "?simulated=0"))


def test_a_page_of_paths_costs_few_queries(
    editor: Client, django_assert_max_num_queries: Any
) -> None:
    editor.get(of("paths"))
    with django_assert_max_num_queries(20):
        editor.get(of("paths"))
