"""Cases are read whole or not at all, and what is wrong is told with its line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from routing.evaluation.cases import check_cases, parse_cases
from routing.evaluation.faults import SHOWN, BadInput
from routing.selection import Channel
from tests.routing.selection.documents import document, tool


def lines(*cases: Any) -> bytes:
    return "\n".join(json.dumps(case) for case in cases).encode()


def case(**fields: Any) -> dict[str, Any]:
    return {"task": "find it", "expected_tools": ["a"]} | fields


def test_every_field_of_a_case_is_read() -> None:
    content = lines(
        case(
            expected_tools=["a", "b", "a"],
            expected_groups=["north"],
            alternatives={"b": ["c", "b"]},
            history=["before", {"role": "user", "content": "then"}, {"content": [{"text": "now"}]}],
            phase="testing",
            channel={"kind": "queue", "value": "invoices"},
            route="returns",
            not_expected=["z"],
            vague=True,
            tags=["spring"],
            language="en",
            notes="From a call.",
            weight=3,
            subset="ignored",
        )
    )

    (read,) = parse_cases(content, source="cases.jsonl")

    assert read.where == "cases.jsonl:1"
    assert read.task == "find it"
    assert read.needs == (("a",), ("b", "c"))
    assert read.expected_groups == ("north",)
    assert read.history == ("before", "then", "now")
    assert read.phase == "testing"
    assert read.channel == Channel(kind="queue", value="invoices")
    assert read.route == "returns"
    assert (read.not_expected, read.vague, read.tags) == (("z",), True, ("spring",))
    assert (read.language, read.notes, read.weight) == ("en", "From a call.", 3.0)
    assert read.expected_tools == ("a", "b")
    assert read.alternatives == {"b": ("c",)}


def test_a_case_may_expect_nothing_and_say_little_else() -> None:
    (read,) = parse_cases(lines(case(expected_tools=[])), source="cases.jsonl")

    assert read.expects_nothing
    assert read.history == ()
    assert read.phase is None
    assert read.channel is None


def test_blank_lines_and_a_byte_order_mark_are_skipped_and_lines_still_counted() -> None:
    content = b"\xef\xbb\xbf" + lines(case()) + b"\r\n\n" + lines(case(task="a\u2028b")) + b"\n"

    assert [read.where for read in parse_cases(content, source="x")] == ["x:1", "x:3"]


def test_a_task_may_hold_a_line_separator_as_it_is() -> None:
    content = json.dumps(case(task="a\u2028b"), ensure_ascii=False).encode()

    assert parse_cases(content, source="x")[0].task == "a\u2028b"


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ([], "a case is an object"),
        ({"expected_tools": []}, "task: "),
        (case(task="  "), "task: "),
        (case(task="\ud800"), "task: "),
        ({"task": "x"}, "expected_tools: required"),
        (case(expected_tools="a"), "expected_tools: a list"),
        (case(expected_tools=[1]), "expected_tools: a list"),
        (case(expected_groups={"a": 1}), "expected_groups: a list"),
        (case(alternatives=["a"]), "alternatives: an object"),
        (case(alternatives={"z": ["a"]}), "alternatives: “z” is not expected"),
        (case(alternatives={"a": "b"}), "alternatives.a: a list"),
        (case(history="before"), "history: a list"),
        (case(history=[7]), "history: its items"),
        (case(history=["x" * 200_001]), "history: at most"),
        (case(phase=3), "phase: no text"),
        (case(route="\ud800"), "route: no text"),
        (case(channel={"kind": "queue", "value": "\0"}), "channel: "),
        (case(path={"\ud800\0": 1}), "path: there is no “??” in it"),
        (case(simulation={"tools": {"\ud800": []}}), "simulation.tools.?: a list"),
        (case(channel="queue"), "channel: "),
        (case(channel={"kind": "queue"}), "channel: "),
        (case(not_expected=["a"]), "not_expected: “a” is expected as well"),
        (case(vague="no"), "vague: true or false"),
        (case(tags=["x" * 61]), "tags: a tag has"),
        (case(notes="x" * 2_001), "notes: at most 2000 characters"),
        (case(weight=0), "weight: a number"),
        (case(weight=True), "weight: a number"),
    ],
)
def test_a_fault_is_told_with_its_file_and_line(fault: Any, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_cases(lines(case(), fault), source="cases.jsonl")

    (only,) = caught.value.faults
    assert only.startswith(f"cases.jsonl:2: {said}")


def test_all_faults_are_told_at_once_up_to_a_number() -> None:
    with pytest.raises(BadInput) as caught:
        parse_cases(b"{\n" * (SHOWN + 5), source="x")

    assert len(caught.value.faults) == SHOWN + 5
    assert str(caught.value).splitlines()[0].startswith("x:1: this is not JSON")
    assert str(caught.value).splitlines()[-1] == "and 5 more"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "x: there is no case in it"),
        (lines(case()) + b"\n\xff", "x:2: this is not UTF-8"),
        (b"[" * 100_000, "x:1: this is not JSON"),
    ],
)
def test_a_file_that_holds_no_cases_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        parse_cases(content, source="x")


def test_what_a_case_names_must_be_in_the_catalog() -> None:
    small = document(
        tools=[tool("a"), tool("b")],
        groups=[{"name": "north", "tools": ["a"]}],
        phases=[{"name": "testing"}],
    )
    cases = parse_cases(
        lines(
            case(expected_groups=["north"], phase="testing", alternatives={"a": ["b"]}),
            case(alternatives={"a": ["z"]}),
            case(expected_groups=["south"], phase="sleeping", route="returns"),
        ),
        source="x",
    )

    check_cases(cases[:1], small)
    with pytest.raises(BadInput) as caught:
        check_cases(cases, small)

    assert caught.value.faults == (
        "x:2: the catalog has no tool 'z'",
        "x:3: the catalog has no group 'south'",
        "x:3: the catalog has no phase 'sleeping'",
        "x:3: the catalog has no route 'returns'",
    )


def test_a_phase_means_nothing_in_a_catalog_without_phases() -> None:
    check_cases(parse_cases(lines(case(phase="testing")), source="x"), document(tools=[tool("a")]))


def test_a_catalog_with_routes_wants_one_in_each_case() -> None:
    routed = document(tools=[tool("a")], routes=[{"name": "returns"}])

    check_cases(parse_cases(lines(case(route="returns")), source="x"), routed)
    with pytest.raises(BadInput, match=r"x:1: .*must name one"):
        check_cases(parse_cases(lines(case()), source="x"), routed)
