"""Changes of a tool's schemas."""

import copy
from collections.abc import Callable
from typing import Any

from catalog.diff import changes_between
from catalog.samples import load_sample
from tests.catalog.diff.edits import Document, said, tool


class TestSchemas:
    def change(self, edit: Callable[[dict[str, Any]], object]) -> list[str]:
        """Return what an edit of an input schema is told as."""
        before = {
            "type": "object",
            "additionalProperties": False,
            "required": ["order"],
            "properties": {
                "order": {"type": "string", "description": "Its code."},
                "currency": {"enum": ["EUR", "BRL"]},
                "lines": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"sku": {"type": "string"}}},
                },
            },
        }

        def build(document: Document) -> None:
            tool(document, "find_payment")["input_schema"] = changed

        old, changed = load_sample("back-office"), copy.deepcopy(before)
        tool(old, "find_payment")["input_schema"] = before
        edit(changed)
        new = copy.deepcopy(old)
        build(new)
        return [
            str(change).removeprefix("tools find_payment: ") for change in changes_between(old, new)
        ]

    def test_required_and_optional(self) -> None:
        assert self.change(lambda schema: schema.update(required=["currency"])) == [
            "The argument “currency” is required now.",
            "The argument “order” is optional now.",
        ]

    def test_no_list_of_the_required_is_an_empty_one(self) -> None:
        assert self.change(lambda schema: schema.pop("required")) == [
            "The argument “order” is optional now."
        ]

    def test_arguments_that_came_and_went(self) -> None:
        def edit(schema: dict[str, Any]) -> None:
            del schema["properties"]["currency"]
            schema["properties"]["since"] = {"type": "string"}
            schema["properties"]["until"] = {"type": "string"}
            schema["required"].append("until")

        assert self.change(edit) == [
            'The argument “currency” was removed. -{"enum": ["EUR", "BRL"]}',
            'The optional argument “since” was added. +{"type": "string"}',
            'The required argument “until” was added. +{"type": "string"}',
        ]

    def test_type_description_and_values(self) -> None:
        def edit(schema: dict[str, Any]) -> None:
            schema["properties"]["order"] = {"type": "integer", "description": "Its number."}
            schema["properties"]["currency"]["enum"] = ["BRL", "USD"]

        assert self.change(edit) == [
            "The values that the argument “currency” may have changed. -EUR +USD",
            "The description of the argument “order” changed. -Its code. +Its number.",
            "The type of the argument “order” changed. -string +integer",
        ]

    def test_arguments_inside_arguments(self) -> None:
        def edit(schema: dict[str, Any]) -> None:
            items = schema["properties"]["lines"]["items"]
            items["required"] = ["sku"]
            items["properties"]["sku"]["maxLength"] = 9

        assert self.change(edit) == [
            "The argument “lines[].sku” is required now.",
            "“maxLength” of the argument “lines[].sku” changed. +9",
        ]

    def test_an_object_that_opens_and_closes(self) -> None:
        assert self.change(lambda schema: schema.pop("additionalProperties")) == [
            "Arguments that the schema does not name are accepted now."
        ]

    def test_a_keyword_of_the_whole(self) -> None:
        assert self.change(lambda schema: schema.update(minProperties=1)) == [
            "“minProperties” of the input schema changed. +1"
        ]

    def test_true_one_and_one_point_nought_differ(self) -> None:
        old, new = load_sample("back-office"), load_sample("back-office")
        for document, values in ((old, [True, 1, 1]), (new, [1, 1, 1.0])):
            tool(document, "find_payment")["input_schema"] = {
                "properties": {
                    name: {"const": value} for name, value in zip("abc", values, strict=True)
                }
            }
        assert [(change.removed, change.added) for change in changes_between(old, new)] == [
            (("true",), ("1",)),
            (("1",), ("1.0",)),
        ]

    def test_a_schema_nested_past_the_depth_is_compared_as_one_value(self) -> None:
        def nested(depth: int, kind: str) -> dict[str, Any]:
            schema: dict[str, Any] = {"type": kind}
            for _ in range(depth):
                schema = {"type": "object", "properties": {"in": schema}}
            return schema

        def edit(document: Document) -> None:
            tool(document, "find_payment")["input_schema"] = nested(60, "string")

        before = load_sample("back-office")
        tool(before, "find_payment")["input_schema"] = nested(60, "integer")
        changed = copy.deepcopy(before)
        edit(changed)
        (change,) = changes_between(before, changed)
        assert change.message.startswith("“properties” of the argument “in.in.")

    def test_the_result_has_its_own_words(self) -> None:
        def edit(document: Document) -> None:
            tool(document, "find_payment")["output_schema"] = {"type": "object"}

        before = load_sample("back-office")
        tool(before, "find_payment")["output_schema"] = None
        changed = copy.deepcopy(before)
        edit(changed)
        assert said(changes_between(before, changed)) == [
            'tools find_payment: An output schema was added. +{"type": "object"}'
        ]
