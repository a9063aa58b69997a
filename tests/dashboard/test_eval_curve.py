"""The curve of an evaluation: a point is picked and applied to the draft, and undone."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from catalog.models import AuditEntry, Catalog
from catalog.roles import Role
from routing.models import EvalRun
from tests.evaluated import evaluated
from tests.members import client_of, member
from tests.samples import published

PICKED = {"threshold": "0.3", "cap": "4", "inclusive": "yes"}


@pytest.fixture
def refunds(db: None, settings: Any) -> Catalog:
    settings.ENCODER = "none"
    catalog = published("refunds")
    evaluated(catalog)
    return catalog


@pytest.fixture
def editor(refunds: Catalog) -> Client:
    return client_of(member(refunds, Role.EDITOR))


def url(query: str = "") -> str:
    return reverse("dashboard:eval_curve", kwargs={"catalog": "refunds", "eval": 1}) + query


def test_a_point_is_picked_by_its_url_and_the_evaluated_one_is_marked(editor: Client) -> None:
    page = editor.get(url(), PICKED)

    picture = page.context["picture"]
    assert picture.own.is_own
    assert picture.own.point.setting.threshold == 0.5
    assert (picture.picked.point.setting.cap, picture.picked.is_picked) == (4, True)
    assert picture.picked.query == "threshold=0.3&cap=4&inclusive=yes"
    assert [dot.point.coverage for dot in picture.best] == sorted(
        dot.point.coverage for dot in picture.best
    )
    assert page.context["form"].initial["max_tools"] == 4
    for wrong in ({"threshold": "x"}, {"threshold": "0.33", "cap": "4"}):
        assert editor.get(url(), wrong).context["picture"].picked is None


def test_a_point_is_applied_to_the_draft_and_undone(editor: Client, refunds: Catalog) -> None:
    seen = editor.get(url(), PICKED).context["form"]["seen"].value()
    sent = {"threshold": "0.3", "max_tools": "4", "inclusive": "on", "seen": seen}

    page = editor.post(url("?threshold=0.3&cap=4&inclusive=yes"), sent, follow=True)

    refunds.refresh_from_db()
    assert (refunds.threshold, refunds.max_tools, refunds.inclusive) == (0.3, 4, True)
    shown = page.content.decode()
    assert "cap 7 → 4" in shown
    assert "The draft has this setting already." in shown
    entry = AuditEntry.objects.filter(catalog=refunds, kind="settings").latest("pk")
    assert entry.after["max_tools"] == 4
    undo = re.search(r'action="(/catalogs/refunds/audit/undo/[^"]+)"', shown)
    assert undo is not None
    editor.post(undo[1])
    refunds.refresh_from_db()
    assert refunds.max_tools == 7


def test_nobody_writes_over_what_another_changed_meanwhile(
    editor: Client, refunds: Catalog
) -> None:
    seen = editor.get(url(), PICKED).context["form"]["seen"].value()
    Catalog.objects.filter(pk=refunds.pk).update(max_tools=9)

    sent = {"threshold": "0.3", "max_tools": "4", "seen": seen}
    page = editor.post(url("?threshold=0.3&cap=4"), sent)

    assert page.status_code == 409
    refunds.refresh_from_db()
    assert (refunds.max_tools, refunds.threshold) == (9, 0.6)
    assert 'id="overtaken"' in page.content.decode()


def test_a_viewer_looks_and_changes_nothing(refunds: Catalog) -> None:
    viewer = client_of(member(refunds, Role.VIEWER))

    assert "Apply to the draft" not in viewer.get(url(), PICKED).content.decode()
    assert viewer.post(url(), {"threshold": "0.1", "max_tools": "1"}).status_code == 403


def test_an_evaluation_without_a_curve_says_so(editor: Client) -> None:
    EvalRun.objects.filter(number=1).update(report={"cases": 1})

    assert "This evaluation keeps no curve." in editor.get(url()).content.decode()
