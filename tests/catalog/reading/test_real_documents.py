"""Real documents, where they are at hand: what goes in, and what is said of the rest."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import ToolParam
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter

from catalog.document import schema_problems
from catalog.formats import FORMATS, STRICT, encode
from catalog.reading import Reading, read

FOLDER = Path(os.environ.get("EVALUATION_SETS", "../shared/data"))
DOCUMENTS = {
    "openapi/box_v2025.json": 37,
    "openapi/twilio_api_v2010.json": 197,
    "mcp_github/tools_list.json": 117,
}


def read_file(name: str) -> Reading:
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"{name} is not at hand")
    return read(path.read_bytes())


@pytest.mark.parametrize(("name", "count"), DOCUMENTS.items())
def test_everything_goes_in_and_out_in_every_format(name: str, count: int) -> None:
    reading = read_file(name)

    assert not reading.faulty
    assert len(reading.found) == count
    for found in reading.found:
        for format_name in FORMATS:
            assert encode({**found.tool, "revision": 1}, format_name=format_name)


PUBLISHED = {
    "openai": ChatCompletionFunctionToolParam,
    "openai-responses": FunctionToolParam,
    "anthropic": ToolParam,
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    "name",
    ["openapi/box_v2025.json", "openapi/twilio_api_v2010.json", "mcp_github/tools_list.json"],
)
def test_what_goes_out_is_of_the_clients_types(name: str, strict: bool) -> None:
    assert set(PUBLISHED) == set(STRICT)
    for format_name, kind in PUBLISHED.items():
        held: TypeAdapter[Any] = TypeAdapter(kind)
        for found in read_file(name).found:
            tool = json.loads(encode(found.tool, format_name=format_name, strict=strict))
            held.validate_python(tool, strict=True)
            inner = tool.get("function", tool)
            schema = inner.get("parameters") or inner["input_schema"]
            assert schema_problems(schema) == []
            assert not inner.get("strict") or schema["required"] == list(schema["properties"])


def test_names_of_bfcl_collide_where_they_are_known_to() -> None:
    reading = read_file("bfcl/catalog.json")
    faults = Counter(fault.code for faulty in reading.faulty for fault in faulty.faults)

    assert faults == {"name_taken": 10, "case_only": 2}
    assert len(reading.found) + len(reading.faulty) == 1287
    # Each says what it is called and what it meets, so that a person can rename one of the two.
    named = {found.place: found.tool["name"] for found in reading.found}
    for faulty in reading.faulty:
        (fault,) = faulty.faults
        assert faulty.name
        assert faulty.name in fault.message
        assert fault.params["other"] in {*named, *named.values()}


def test_names_of_stabletoolbench_are_all_cleaned() -> None:
    reading = read_file("stabletoolbench/catalog.json")

    assert len(reading.found) + len(reading.faulty) == 2479
    assert all(
        {note.code for note in found.notes} & {"name_cleaned", "name_shortened"}
        for found in reading.found
    )
    assert all(found.tool["aliases"] for found in reading.found)
    for found in reading.found:
        (told,) = [note for note in found.notes if note.code in ("name_cleaned", "name_shortened")]
        assert told.params == {"name": found.tool["aliases"][-1], "canonical": found.tool["name"]}
