"""A draft is made to say what a document says, and what stays keeps its rows."""

import copy
from typing import Any

import pytest

from catalog.document import canonical_bytes
from catalog.drafting import fill_draft
from catalog.freezing import freeze
from catalog.models import Catalog, Phase, Tool
from catalog.rewriting import write_document
from catalog.samples import load_sample
from tests.drafts import draft_of, empty_catalog

pytestmark = pytest.mark.django_db


def frozen(catalog: Catalog) -> dict[str, Any]:
    """Return the draft as a document, but for what ``write_document`` leaves."""
    value = freeze(catalog)
    for tool in value["tools"]:
        tool.pop("revision")
    return {**value, "catalog": ""}


def same(one: object, other: object) -> bool:
    return canonical_bytes(one) == canonical_bytes(other)


@pytest.mark.parametrize("sample", ["back-office", "dev-agent", "contratos"])
def test_an_empty_draft_says_what_a_sample_says(sample: str) -> None:
    wanted = frozen(draft_of(sample))
    catalog = empty_catalog()

    write_document(catalog=catalog, document=load_sample(sample))

    assert same(frozen(catalog), wanted)


def test_one_sample_becomes_another_and_back() -> None:
    catalog = draft_of("back-office")
    before = frozen(catalog)
    other = frozen(draft_of("dev-agent"))

    write_document(catalog=catalog, document=other)
    assert same(frozen(catalog), other)

    write_document(catalog=catalog, document=before)
    assert same(frozen(catalog), before)


def test_what_is_said_already_is_not_written_again() -> None:
    catalog = draft_of()

    operation = write_document(catalog=catalog, document=frozen(catalog))

    assert operation.entries == ()


def test_rows_of_what_stays_are_kept() -> None:
    catalog = draft_of()
    rows = dict(catalog.tools.values_list("name", "pk"))
    phase = Phase.objects.create(catalog=catalog, name="testing", initial=True)
    document = copy.deepcopy(frozen(catalog))
    first, *rest = document["tools"]
    document["tools"] = [*rest, {**first, "description": "Something else."}]
    document["groups"].reverse()
    document["groups"][0]["tools"].reverse()
    document["phases"] = [
        {**document["phases"][0], "name": "another"},
        {**document["phases"][0], "next": ["another"]},
    ]

    write_document(catalog=catalog, document=document)

    assert dict(catalog.tools.values_list("name", "pk")) == rows
    assert catalog.phases.get(name="testing").pk == phase.pk
    other = Catalog(name="other")
    fill_draft(catalog=other, document=document)
    assert same(frozen(catalog), frozen(other))


def test_names_may_be_exchanged() -> None:
    catalog = draft_of()
    document = copy.deepcopy(frozen(catalog))
    one, other = document["tools"][:2]
    one["description"], other["description"] = other["description"], one["description"]

    operation = write_document(catalog=catalog, document=document)

    assert same(frozen(catalog), document)
    assert {entry.subject for entry in operation.entries} == {one["name"], other["name"]}


def test_a_name_that_is_not_defined_leaves_the_draft() -> None:
    catalog = draft_of()
    document = copy.deepcopy(frozen(catalog))
    document["tools"].pop()
    document["groups"][0]["tools"].append("no_such_tool")

    with pytest.raises(KeyError, match="no_such_tool"):
        write_document(catalog=catalog, document=document)

    assert Tool.objects.filter(catalog=catalog).count() == 34
