"""A frozen draft's bytes, put together from tools that were frozen before."""

import json

import pytest
from django.db import connection

from catalog.document import canonical_bytes, parse, sha256_hex, tool_content
from catalog.freezing import freeze, frozen_draft
from catalog.models import Catalog, Tool, ToolRevision
from catalog.publishing import freeze_and_check
from catalog.samples import SAMPLES
from tests.drafts import draft_of
from tests.samples import NOW

pytestmark = pytest.mark.django_db
ODD = {"type": "object", "properties": {"z[é]": {"maximum": 2**63}, "a\n\u2028": {"const": 1.0}}}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_bytes_are_those_of_the_value(name: str) -> None:
    frozen = frozen_draft(draft_of(name))

    assert frozen.content == canonical_bytes(frozen.value)
    assert frozen.value == parse(frozen.content)
    assert json.dumps(frozen.value) == json.dumps(parse(frozen.content))  # in the same order
    assert frozen.sha256 == sha256_hex(frozen.content)


def test_odd_values_are_kept_as_they_are() -> None:
    catalog = draft_of("back-office")
    tool = catalog.tools.get(name="find_payment")
    tool.input_schema, tool.output_schema, tool.tags = ODD, {}, ["“quoted”\\", "null"]
    tool.save()

    frozen = frozen_draft(catalog)

    found = next(tool for tool in frozen.value["tools"] if tool["name"] == "find_payment")
    assert (found["input_schema"], found["output_schema"]) == (ODD, {})
    assert found["tags"] == ["“quoted”\\", "null"]
    assert type(found["input_schema"]["properties"]["a\n\u2028"]["const"]) is float
    assert frozen.content == canonical_bytes(frozen.value)


def test_a_change_that_nobody_is_told_of_is_seen_at_once() -> None:
    catalog = draft_of("back-office")
    before = frozen_draft(catalog)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE catalog_tool SET title = 'Seek' WHERE name = 'find_payment'")
    after = frozen_draft(catalog)

    titles = {tool["name"]: tool["title"] for tool in after.value["tools"]}
    assert titles.pop("find_payment") == "Seek"
    assert titles.items() <= {tool["name"]: tool["title"] for tool in before.value["tools"]}.items()
    assert after.sha256 != before.sha256


def test_what_a_caller_does_to_its_own_value_reaches_nobody_else() -> None:
    catalog = draft_of("back-office")
    freeze(catalog)["tools"][0]["input_schema"]["properties"].clear()

    assert freeze(catalog)["tools"][0]["input_schema"]["properties"]


def test_a_revision_counts_on_only_where_the_content_changed() -> None:
    catalog = draft_of("back-office")
    for tool, revision in freeze_and_check(catalog).tools:
        assert revision == 1
        ToolRevision.objects.create(
            catalog=catalog,
            name=tool.name,
            revision=4,
            content=tool.content,
            sha256=tool.sha256,
            created_at=NOW,
        )
    catalog.tools.filter(name="find_payment").update(title="Seek payments")

    revisions = {tool.name: revision for tool, revision in freeze_and_check(catalog).tools}

    assert revisions.pop("find_payment") == 5
    assert set(revisions.values()) == {4}
    kept = ToolRevision.objects.get(catalog=catalog, name="adjust_stock")
    value = next(tool for tool in freeze(catalog)["tools"] if tool["name"] == "adjust_stock")
    assert bytes(kept.content) == canonical_bytes(tool_content(value))


def test_a_reference_out_of_the_catalog_keeps_its_name() -> None:
    catalog = draft_of("back-office")
    stranger = Tool.objects.create(
        catalog=Catalog.objects.create(name="other", title=""), name="stranger"
    )
    catalog.groups.get(name="billing").memberships.create(tool=stranger)

    problems = freeze_and_check(catalog).problems

    assert [(problem.code, problem.place) for problem in problems] == [
        ("unknown_name", ("groups", "billing"))
    ]
