"""Changes of rules, which have no names."""

import copy
from collections.abc import Callable
from typing import Any

from catalog.diff import Change, Kind
from tests.catalog.diff.edits import after


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
