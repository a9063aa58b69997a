"""What changed between two documents, said in words."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from catalog.diff import Change, Kind, changes_between
from catalog.diff.lists import compare_lists
from catalog.samples import SAMPLES, load_sample

Document = dict[str, Any]


def tool(document: Document, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in document["tools"] if one["name"] == name)
    return found


def group(document: Document, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in document["groups"] if one["name"] == name)
    return found


def after(edit: Callable[[Document], object], *, sample: str = "back-office") -> list[Change]:
    """Return the changes that an edit of a sample makes."""
    before = load_sample(sample)
    changed = copy.deepcopy(before)
    edit(changed)
    return changes_between(before, changed)


def said(changes: list[Change]) -> list[str]:
    return [str(change) for change in changes]


@pytest.mark.parametrize("sample", SAMPLES)
def test_equal_documents_have_no_changes(sample: str) -> None:
    assert changes_between(load_sample(sample), load_sample(sample)) == []


@pytest.mark.parametrize("sample", SAMPLES)
def test_of_a_first_version_every_part_is_new(sample: str) -> None:
    document = load_sample(sample)
    whole = [change.place for change in changes_between(None, document) if change.whole]
    expected = [
        (section, part["name"])
        for section in ("tools", "groups", "phases")
        for part in document[section]
    ]
    for section in ("keyword_rules", "intent_rules", "channel_rules"):
        expected += [(section, str(n)) for n in range(1, len(document[section]) + 1)]
    expected += [("routes", part["name"]) for part in document["routes"]]
    assert whole == expected


def test_revisions_are_no_change_of_their_own() -> None:
    def edit(document: Document) -> None:
        for number, one in enumerate(document["tools"]):
            one["revision"] = number

    assert after(edit) == []


class TestTools:
    def test_each_field_is_told_with_what_went_and_came(self) -> None:
        def edit(document: Document) -> None:
            one = tool(document, "find_payment")
            one |= {"timeout_ms": 1, "needs_approval": True, "owner": "", "tags": ["new"]}

        before = tool(load_sample("back-office"), "find_payment")
        changes = after(edit)
        assert {change.place for change in changes} == {("tools", "find_payment")}
        told = {change.message: (change.removed, change.added) for change in changes}
        assert told == {
            "The time-out changed (milliseconds).": ((str(before["timeout_ms"]),), ("1",)),
            "Whether a call needs approval changed.": (("false",), ("true",)),
            "The owner changed.": ((before["owner"],), ()),
            "The tags changed.": (tuple(before["tags"]), ("new",)),
        }

    def test_one_that_came_and_one_that_went_are_told_whole(self) -> None:
        def edit(document: Document) -> None:
            gone = document["tools"].pop(0)
            for one in document["groups"]:
                one["tools"] = [name for name in one["tools"] if name != gone["name"]]
            document["tools"].append({**gone, "name": "brand_new", "description": "Other."})

        changes = [change for change in after(edit) if change.whole]
        assert said(changes) == [
            "tools brand_new: A tool was added. +Other.",
            f"tools find_payment: The tool was removed. -{changes[1].removed[0]}",
        ]
        assert [change.kind for change in changes] == [Kind.ADDED, Kind.REMOVED]

    def test_switching_off_is_told(self) -> None:
        changes = after(lambda document: tool(document, "find_payment").update(enabled=False))
        assert said(changes) == [
            "tools find_payment: It is switched off now: no agent is offered it."
        ]

    def test_default_and_always_on_are_told_of_the_tool(self) -> None:
        def edit(document: Document) -> None:
            document["default_tools"].remove("find_payment")
            document["always_on"].append("find_payment")

        assert said(after(edit)) == [
            "tools find_payment: It is no longer a default tool.",
            "tools find_payment: It is always on now: it rides along with every selection.",
        ]

    def test_a_rename_is_one_change_wherever_the_tool_is_named(self) -> None:
        before = load_sample("dev-agent")
        renamed = json.loads(json.dumps(before).replace('"sql_query"', '"query_database"'))
        assert said(changes_between(before, renamed)) == [
            "tools query_database: Renamed: it was “sql_query”."
        ]

    def test_a_place_is_told_of_the_tool_that_moved_alone(self) -> None:
        def edit(document: Document) -> None:
            document["tools"].append(document["tools"].pop(0))

        total = len(load_sample("back-office")["tools"])
        assert said(after(edit)) == [
            f"tools find_payment: It is at place {total} of the catalog now."
        ]


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


class TestGroups:
    def test_a_tool_that_moved_is_told_in_both(self) -> None:
        def edit(document: Document) -> None:
            group(document, "stock")["tools"].remove("check_stock")
            group(document, "billing")["tools"].append("check_stock")

        assert said(after(edit)) == [
            "groups billing: “check_stock” joined; it came from “stock”.",
            "groups stock: “check_stock” left for “billing”.",
        ]

    def test_a_tool_that_is_in_one_more_group_just_joins(self) -> None:
        changes = after(lambda doc: group(doc, "billing")["tools"].append("check_stock"))
        assert said(changes) == ["groups billing: “check_stock” joined."]

    def test_description_and_order_inside(self) -> None:
        def edit(document: Document) -> None:
            one = group(document, "billing")
            one["description"] = "Use to pay."
            one["tools"].insert(0, one["tools"].pop(3))

        one = group(load_sample("back-office"), "billing")
        assert said(after(edit)) == [
            f"groups billing: The description changed. -{one['description']} +Use to pay.",
            f"groups billing: “{one['tools'][3]}” is at place 1 of the group now.",
        ]

    def test_a_renamed_group_is_one_change(self) -> None:
        before = load_sample("back-office")
        changed = copy.deepcopy(before)
        group(changed, "billing")["name"] = "money"
        for rule in [*changed["channel_rules"], *changed["intent_rules"]]:
            rule["groups"] = ["money" if name == "billing" else name for name in rule["groups"]]
        assert said(changes_between(before, changed)) == [
            "groups money: Renamed: it was “billing”."
        ]


class TestRules:
    def edit(self, edit: Callable[[list[dict[str, Any]]], object]) -> list[Change]:
        return after(lambda document: edit(document["keyword_rules"]), sample="dev-agent")

    def test_one_that_moved_to_the_front_is_the_only_one_that_moved(self) -> None:
        changes = self.edit(lambda rules: rules.insert(0, rules.pop()))
        assert [(change.kind, change.message) for change in changes] == [
            (Kind.MOVED, "It is keyword rule 1 now.")
        ]

    def test_one_that_was_rewritten_keeps_what_it_does(self) -> None:
        changes = self.edit(lambda rules: rules[2].update(pattern="write"))
        (change,) = changes
        assert change.place == ("keyword_rules", "3")
        assert (change.message, change.added) == ("The pattern changed.", ("write",))

    def test_one_that_does_otherwise(self) -> None:
        changes = self.edit(lambda rules: rules[1]["add_groups"].append("data"))
        assert [change.message for change in changes] == ["The groups that it adds changed."]
        assert changes[0].added == ("data",)

    def test_one_that_came_and_one_that_went(self) -> None:
        def edit(rules: list[dict[str, Any]]) -> None:
            gone = rules.pop()
            rules.append({**gone, "pattern": "x", "add_tools": ["deploy"]})

        changes = self.edit(edit)
        assert [(change.kind, change.place, change.subject == "x") for change in changes] == [
            (Kind.ADDED, ("keyword_rules", "7"), True),
            (Kind.REMOVED, ("keyword_rules", "7"), False),
        ]

    def test_the_second_of_two_equal_patterns_is_a_rule_of_its_own(self) -> None:
        changes = self.edit(lambda rules: rules.append(copy.deepcopy(rules[0])))
        assert [(change.kind, change.place) for change in changes] == [
            (Kind.ADDED, ("keyword_rules", "8"))
        ]


def test_settings_phases_and_routes() -> None:
    def edit(document: Document) -> None:
        document["title"] = "Refunds"
        document["settings"] |= {"threshold": 0.7, "inclusive": True}
        document["routes"][0]["side_effects"] = ["read"]
        document["routes"][0]["budget"]["calls"] = 3

    route = load_sample("refunds")["routes"][0]
    assert said(after(edit, sample="refunds")) == [
        f"settings : The title of the catalog changed. -{load_sample('refunds')['title']} +Refunds",
        "settings : The threshold changed. -0.6 +0.7",
        "settings : Whether selections are inclusive changed. -false +true",
        f"routes {route['name']}: The side effects allowed changed. "
        + " ".join(f"-{effect}" for effect in route["side_effects"] if effect != "read"),
        f"routes {route['name']}: The ceiling of calls a run changed. "
        f"-{route['budget']['calls']} +3",
    ]


def test_phases_tell_what_may_follow() -> None:
    def edit(document: Document) -> None:
        document["phases"][0]["next"].remove("analysis")
        document["settings"]["initial_phase"] = None

    assert said(after(edit, sample="dev-agent")) == [
        "settings : The phase that a run begins in changed. -planning",
        "phases planning: The phases that may follow changed. -analysis",
    ]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a document that holds no other."""
    children = value.items() if isinstance(value, dict) else enumerate(value)
    for key, child in children:
        if isinstance(child, dict | list) and child:
            yield from leaves(child, (*path, key))
        else:
            yield (*path, key)


def other(value: Any) -> Any:
    """Return a value of the same kind that differs."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return f"{value}x"
    return ["new"] if isinstance(value, list) else {"new": 1} if value == {} else "new"


@pytest.mark.parametrize("sample", SAMPLES)
def test_no_value_can_change_without_a_word(sample: str) -> None:
    before = load_sample(sample)
    # One of each kind is enough: the names of arguments and the places in lists make no kind.
    kinds = {
        tuple(
            "*" if isinstance(key, int) or way == "properties" else key
            for way, key in zip(("", *path), path, strict=False)
        ): path
        for path in leaves(before)
        if len(path) > 1
    }
    unnamed = []
    for path in kinds.values():
        changed = copy.deepcopy(before)
        *way, last = path
        holder = changed
        for key in way:
            holder = holder[key]
        holder[last] = other(holder[last])
        if not changes_between(before, changed):
            unnamed.append(path)
    assert unnamed == []


@pytest.mark.parametrize("seed", range(30))
def test_as_few_names_move_as_explain_the_order(seed: int) -> None:
    chance = random.Random(seed)
    before = [str(number) for number in range(chance.randint(0, 9))]
    shuffled = chance.sample(before, len(before))
    moved = compare_lists(before, shuffled).moved
    rest = [name for name in shuffled if name not in moved]
    assert rest == sorted(rest, key=before.index)
    longest = max(
        (
            mask.bit_count()
            for mask in range(1 << len(shuffled))
            if (kept := [name for i, name in enumerate(shuffled) if mask >> i & 1])
            == sorted(kept, key=before.index)
        ),
        default=0,
    )
    assert len(rest) == longest


def test_a_thousand_tools_are_compared_in_a_blink() -> None:
    """Group membership is looked up once a change, so that size alone costs little."""
    before = load_sample("back-office")
    one = before["tools"][0]
    before["tools"] = [{**one, "name": f"tool_{n}"} for n in range(1000)]
    before["groups"] = [
        {"name": f"g{n}", "description": "", "examples": [], "tools": [f"tool_{n * 10}"]}
        for n in range(100)
    ]
    before["default_tools"] = before["always_on"] = []
    changed = copy.deepcopy(before)
    for item in changed["tools"]:
        item["timeout_ms"] = 7
    assert len(changes_between(before, changed)) == 1000
