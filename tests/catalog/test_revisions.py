"""One number for one content of a tool."""

from typing import Any

import pytest

from catalog.freezing import freeze
from catalog.models import Catalog, ToolRevision
from catalog.revisions import Revisions, adopt, known_revisions, numbers_of
from tests.samples import NOW, published

pytestmark = pytest.mark.django_db


@pytest.fixture
def refunds(settings: Any) -> Catalog:
    settings.ENCODER = "none"
    return published("refunds")


def again(catalog: Catalog) -> None:
    """Publish the draft as the next version."""
    from routing.moves import current_move
    from routing.releases import publish

    live = current_move(catalog)
    publish(catalog=catalog, author=None, now=NOW, note="", base=live.pk if live else None)


def revision(catalog: Catalog) -> int:
    tools = freeze(catalog)["tools"]
    return int(next(tool["revision"] for tool in tools if tool["name"] == "read_order"))


def describe(catalog: Catalog, text: str) -> None:
    catalog.tools.filter(name="read_order").update(description=text)


def test_content_that_comes_back_has_the_number_that_it_had(refunds: Catalog) -> None:
    first = refunds.tools.get(name="read_order").description
    describe(refunds, "Second.")
    again(refunds)
    assert revision(refunds) == 2

    describe(refunds, first)
    assert revision(refunds) == 1
    again(refunds)
    one, three = (refunds.versions.get(number=number) for number in (1, 3))
    assert (bytes(three.document), three.sha256) == (bytes(one.document), one.sha256)
    assert refunds.tool_revisions.filter(name="read_order").count() == 2

    describe(refunds, "Third.")
    assert revision(refunds) == 3


def test_of_two_numbers_of_one_content_the_newer_counts() -> None:
    known = Revisions([("a", 3, "x"), ("a", 1, "x"), ("a", 2, "y")])

    assert known.number_of("a", "x") == 3
    assert known.number_of("a", "y") == 2
    assert known.number_of("a", "z") == 4
    assert known.number_of("b", "z") == 1
    assert (known.newest("a"), known.newest("b")) == (3, 0)


def test_a_document_from_elsewhere_brings_its_numbers(refunds: Catalog) -> None:
    other = Catalog.objects.create(name="other", title="Other")
    tools = refunds.versions.get().parsed()["tools"]
    for number, tool in enumerate(tools, 3):
        tool["revision"] = number

    assert all(carried == given for carried, given in _numbers(other, tools).values())
    adopt(catalog=other, tools=tools, now=NOW)
    adopt(catalog=other, tools=tools, now=NOW)

    assert ToolRevision.objects.filter(catalog=other).count() == len(tools)
    assert all(carried == given for carried, given in _numbers(other, tools).values())


def test_a_number_that_another_content_has_here_is_not_taken_over(refunds: Catalog) -> None:
    tools = [dict(tool) for tool in refunds.versions.get().parsed()["tools"]]
    tools[0] |= {"description": "From elsewhere."}
    tools[1] |= {"revision": 7}

    numbers = _numbers(refunds, tools)
    adopt(catalog=refunds, tools=tools, now=NOW)

    # The first number is another content's here; the second content has a number here.
    assert numbers[tools[0]["name"]] == (1, 2)
    assert numbers[tools[1]["name"]] == (7, 1)
    assert refunds.tool_revisions.count() == len(tools)


def _numbers(catalog: Catalog, tools: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    return numbers_of(tools=tools, known=known_revisions(catalog))
