"""Changes of tools and groups."""

import copy
import json

from catalog.diff import Kind, changes_between
from catalog.samples import load_sample
from tests.catalog.diff.edits import Document, after, group, said, tool


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
