"""Documents imported, grouped, published and exported, each format in its provider's types.

The small ones are made by hand of what real ones have that is odd; real ones are tried where they
are at hand.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from catalog.exporting import export_tools
from catalog.formats import FORMATS, STRICT
from catalog.formats.carried import CARRIED
from catalog.formats.keywords import with_items
from catalog.importing import Choices, Outcome, apply_import, preview_import
from catalog.models import Catalog, Tool
from catalog.reading import read
from routing.releases import publish
from tests.official import HELD

MADE = Path(__file__).parents[1] / "cases" / "documents"
REAL = Path(os.environ.get("EVALUATION_SETS", "../shared/data"))
# How many tools go in, and how many cannot.
DOCUMENTS = {
    MADE / "odd-openapi.yaml": (4, 1),
    MADE / "odd-mcp.json": (4, 2),
    REAL / "openapi/box_v2025.json": (37, 0),
    REAL / "openapi/twilio_api_v2010.json": (197, 0),
    REAL / "mcp_github/tools_list.json": (117, 0),
}


def imported(path: Path) -> tuple[Catalog, Outcome]:
    if not path.exists():
        pytest.skip(f"{path} is not at hand")
    catalog = Catalog.objects.create(name="made", title="Made", strategy="all")
    preview = preview_import(catalog=catalog, reading=read(path.read_bytes()), source=path.name)
    now = timezone.now()
    chosen = Choices(group="all")
    return catalog, apply_import(catalog=catalog, preview=preview, now=now, choices=chosen)


@pytest.mark.django_db
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_a_document_goes_in_goes_live_and_goes_out_as_it_was(path: Path, settings: Any) -> None:
    settings.ENCODER = "none"
    catalog, outcome = imported(path)
    assert (len(outcome.added), len(outcome.faulty)) == DOCUMENTS[path]
    assert catalog.groups.get().tools.count() == len(outcome.added)

    live = publish(catalog=catalog, author=None, now=timezone.now(), note="In.", base=None)
    tools = live.version.parsed()["tools"]

    assert set(HELD) == set(FORMATS) - {"native", "prompt"}
    for format_name in FORMATS:
        made = export_tools(tools=tools, format_name=format_name)
        if format_name in HELD:
            HELD[format_name](json.loads(made.content))
        found = read(made.content).found
        assert [one.tool["name"] for one in found] == [tool["name"] for tool in tools]
        for one, tool in zip(found, tools, strict=True):
            comes_back(one.tool, tool, format_name=format_name)
    for format_name in STRICT:
        strict = export_tools(tools=tools, format_name=format_name, strict=True)
        HELD[format_name](json.loads(strict.content))


def comes_back(found: Any, tool: Any, *, format_name: str) -> None:
    """Fail unless what the format carries is as it was, and all else is counted as lost."""
    if format_name == "prompt":
        return
    for field in CARRIED[format_name]:
        expected = tool[field]
        if field == "input_schema" and format_name != "native":
            expected, found[field] = (with_items(one) for one in (expected, found[field]))
            expected = {"type": "object", **expected}
            if format_name == "openai-responses":
                expected = {"properties": {}, **expected}
        assert found[field] == expected, (tool["name"], field)


@pytest.mark.django_db
@pytest.mark.parametrize("path", [*DOCUMENTS][:2], ids=lambda path: path.stem)
def test_importing_a_document_again_changes_nothing(path: Path) -> None:
    catalog, outcome = imported(path)
    again = preview_import(catalog=catalog, reading=read(path.read_bytes()), source=path.name)

    counts = {kind.value: count for kind, count in again.counts.items() if count}
    assert counts == {"unchanged": len(outcome.added), "faulty": len(outcome.faulty)}


@pytest.mark.django_db
def test_what_an_odd_document_says_is_kept_or_told() -> None:
    catalog, outcome = imported(MADE / "odd-openapi.yaml")
    tools = {tool.name: tool for tool in Tool.objects.filter(catalog=catalog)}

    assert list(outcome.added) == [
        "orders_read_get",
        "orders_read_put",
        "delete_orders_order",
        "Write_a_note_for_whoever_reads_the_order_the_next_time_"
        + outcome.added[3].rpartition("_")[2],
    ]
    get = tools["orders_read_get"].input_schema["properties"]
    assert get["order"]["maximum"] == 2**63 - 1
    assert get["filter[state]"]["enum"] == ["open", "no", "", None]
    put = tools["orders_read_put"].input_schema
    assert put["required"] == ["order", "total", "reason"]
    assert "id" not in put["properties"]
    assert put["properties"]["parent"] == {"$ref": "#/$defs/Order"}
    assert put["properties"]["total"]["exclusiveMinimum"] == 0
    assert put["properties"]["placed"]["examples"] == ["2015-02-22"]
    assert "pattern" not in put["properties"]["reason"]
    assert tools["delete_orders_order"].side_effect == "destructive"
    assert outcome.faulty == ("broken",)
