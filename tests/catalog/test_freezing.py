"""Freezing a draft, and filling one from what was frozen."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.drafting import fill_draft
from catalog.freezing import freeze
from catalog.models import Catalog, Group, GroupTool, Tool
from catalog.samples import SAMPLES
from tests.drafts import draft_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", SAMPLES)
def test_a_draft_filled_from_a_frozen_one_freezes_to_the_same(name: str) -> None:
    first = draft_of(name)
    frozen = freeze(first)
    second = Catalog.objects.create(name="copy", title="")
    fill_draft(catalog=second, document=frozen)

    assert {**freeze(second), "catalog": name} == frozen


def test_freezing_makes_a_fixed_number_of_queries() -> None:
    catalog = draft_of("back-office")
    with CaptureQueriesContext(connection) as small:
        freeze(catalog)
    tools = Tool.objects.bulk_create(
        Tool(catalog=catalog, name=f"tool_{number}", position=100 + number) for number in range(200)
    )
    groups = Group.objects.bulk_create(
        Group(catalog=catalog, name=f"group-{number}", position=100 + number)
        for number in range(20)
    )
    GroupTool.objects.bulk_create(
        GroupTool(group=groups[place % 20], tool=tool) for place, tool in enumerate(tools)
    )

    with CaptureQueriesContext(connection) as large:
        assert len(freeze(catalog)["tools"]) == 234

    assert len(large) == len(small)


def test_lists_are_in_catalog_order() -> None:
    catalog = draft_of("dev-agent")
    Tool.objects.filter(catalog=catalog, name="deploy").update(position=0)
    Tool.objects.filter(catalog=catalog).exclude(name="deploy").update(position=5)

    phases = {phase["name"]: phase["tools"] for phase in freeze(catalog)["phases"]}

    assert phases["deployment"] == ["deploy", "read_file", "run_tests"]
