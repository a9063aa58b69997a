"""What changed between two documents, said in words."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from catalog.diff import changes_between
from catalog.samples import SAMPLES, load_sample
from tests.catalog.diff.edits import Document, after, said


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
