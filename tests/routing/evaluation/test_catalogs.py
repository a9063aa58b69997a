"""Catalogs in files become documents."""

from __future__ import annotations

import json
from typing import Any

import pytest

from routing.evaluation.catalogs import parse_catalog
from routing.evaluation.faults import BadInput
from tests.routing.selection.documents import lexical


def parsed(value: object) -> dict[str, Any]:
    return parse_catalog(json.dumps(value).encode(), source="catalog.json")


def test_a_tools_group_makes_it_a_member_and_names_are_taken_as_they_are() -> None:
    read = parsed(
        {
            "tools": [
                {"name": "TheClique: search", "description": "Find it.", "group": "The Clique"},
                {
                    "name": "b.c",
                    "description": None,
                    "group": "",
                    "input_schema": {"type": "object"},
                },
                {"name": "d", "group": "later"},
                {"name": "e", "group": "The Clique"},
            ],
            "groups": [{"name": "empty"}, {"name": "The Clique", "description": "Use to find."}],
        }
    )

    assert [tool["name"] for tool in read["tools"]] == ["TheClique: search", "b.c", "d", "e"]
    assert read["tools"][1]["description"] == ""
    assert read["tools"][1]["input_schema"] == {"type": "object"}
    assert [(group["name"], group["description"], group["tools"]) for group in read["groups"]] == [
        ("empty", "", []),
        ("The Clique", "Use to find.", ["TheClique: search", "e"]),
        ("later", "", ["d"]),
    ]
    assert read["default_tools"] == []
    assert lexical(read).group_names == ("empty", "The Clique", "later")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "a catalog is an object"),
        ({"tools": {}}, "a catalog is an object"),
        ({"tools": []}, "without a tool"),
        ({"tools": [{"name": "a"}], "groups": {}}, "groups: no list"),
        ({"tools": ["a"]}, r"tools\[0\]: no object"),
        ({"tools": [{"name": " "}]}, r"tools\[0\]: it has no name"),
        ({"tools": [{"name": "a"}, {"name": "a"}]}, r"tools\[1\]: the name 'a' is taken"),
        ({"tools": [{"name": "a", "description": 1}]}, r"tools\[0\].description: no text"),
        ({"tools": [{"name": "a", "group": ["b"]}]}, r"tools\[0\].group: no text"),
        ({"tools": [{"name": "a", "input_schema": [1]}]}, r"tools\[0\].input_schema: no object"),
        ({"tools": [{"name": "a", "examples": "b"}]}, r"tools\[0\].examples: no list"),
        ({"tools": [{"name": "a"}], "groups": [{}]}, r"groups\[0\]: it has no name"),
    ],
)
def test_a_fault_is_told_with_its_place(value: object, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        parsed(value)


def test_what_is_not_json_is_told_with_its_line() -> None:
    with pytest.raises(BadInput, match=r"catalog.json:2: this is not JSON"):
        parse_catalog(b"{\n]", source="catalog.json")
