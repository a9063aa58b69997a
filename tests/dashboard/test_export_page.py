"""Export: the draft or a version as a file, and what its format cannot carry."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.models import Catalog
from catalog.roles import Role
from routing.releases import move_label
from tests.members import client_of, member
from tests.samples import published

pytestmark = pytest.mark.django_db


@pytest.fixture
def catalog(settings: Any) -> Catalog:
    settings.ENCODER = "none"
    return published("refunds")


@pytest.fixture
def viewer(catalog: Catalog) -> Client:
    return client_of(member(catalog, Role.VIEWER))


def page(catalog: Catalog) -> str:
    return reverse("dashboard:export_tools", args=[catalog.name])


def test_a_file_is_of_what_was_asked_for(viewer: Client, catalog: Catalog) -> None:
    now = timezone.now()
    move_label(catalog=catalog, label="staging", version=1, by=None, reason="", base=None, now=now)
    count = catalog.tools.count()
    catalog.tools.first().delete()  # type: ignore[union-attr]

    for of, name, tools in (
        ("draft", "refunds-draft.openai.json", count - 1),
        ("live", "refunds@1.openai.json", count),
        ("staging", "refunds@1.openai.json", count),
        ("1", "refunds@1.openai.json", count),
    ):
        answer = viewer.get(page(catalog), {"of": of, "format_name": "openai", "download": "1"})
        assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
        assert len(json.loads(answer.content)) == tools


def test_what_the_format_cannot_carry_is_said(viewer: Client, catalog: Catalog) -> None:
    told = viewer.get(page(catalog), {"format_name": "anthropic"}).content.decode()

    assert "cannot carry" in told
    assert "side effect, of" in told
    native = viewer.get(page(catalog), {"format_name": "native"}).content.decode()
    assert "carries all" in native


def test_strict_schemas_go_out_where_the_format_has_them(viewer: Client, catalog: Catalog) -> None:
    sent = {"of": "live", "format_name": "anthropic", "strict": "on", "download": "1"}

    tools = json.loads(viewer.get(page(catalog), sent).content)

    assert any(tool.get("strict") for tool in tools)


@pytest.mark.parametrize("sent", [{"of": "99"}, {"of": "nothing"}, {"format_name": "soap"}])
def test_what_is_not_there_is_not_exported(
    viewer: Client, catalog: Catalog, sent: dict[str, str]
) -> None:
    assert viewer.get(page(catalog), sent).status_code == 422
