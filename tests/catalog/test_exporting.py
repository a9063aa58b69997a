"""What goes out is read again as it was, and what a format cannot carry is counted."""

import json
from typing import Any

import pytest

from catalog.exporting import export_tools
from catalog.formats import FORMATS
from catalog.formats.carried import CARRIED
from catalog.reading import read
from catalog.samples import SAMPLES, load_sample


def sample_tools() -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = load_sample(SAMPLES[0])["tools"]
    return tools


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("format_name", FORMATS)
def test_a_document_that_goes_out_is_read_again(format_name: str, strict: bool) -> None:
    made = export_tools(tools=sample_tools(), format_name=format_name, strict=strict)
    reading = read(made.content)

    assert reading.format_name == format_name
    assert not reading.faulty
    assert [found.tool["name"] for found in reading.found] == [
        tool["name"] for tool in sample_tools()
    ]
    assert made.tools == len(reading.found)


@pytest.mark.parametrize("format_name", FORMATS)
def test_what_is_lost_is_what_comes_back_otherwise(format_name: str) -> None:
    tools = sample_tools()
    made = export_tools(tools=tools, format_name=format_name)
    found = read(made.content).found

    differing = {
        field: sum(one.tool[field] != tool[field] for one, tool in zip(found, tools, strict=True))
        for field in CARRIED["native"]
        if field not in CARRIED[format_name]
    }
    assert made.lost == {field: count for field, count in differing.items() if count}


def test_disabled_tools_go_out_in_the_format_that_says_so() -> None:
    tools = sample_tools()
    tools[0] = tools[0] | {"enabled": False}

    openai = export_tools(tools=tools, format_name="openai")
    native = export_tools(tools=tools, format_name="native")

    assert (openai.tools, native.tools) == (len(tools) - 1, len(tools))
    assert json.loads(native.content)["tools"][0]["enabled"] is False


def test_tools_without_a_strict_form_are_named() -> None:
    closed, opened = sample_tools()[:2]
    opened = opened | {"input_schema": {"type": "object"}} | {"name": "anything"}
    opened["input_schema"] = {"type": "object", "additionalProperties": True}

    made = export_tools(tools=[closed, opened], format_name="openai", strict=True)

    assert made.not_strict == ["anything"]
