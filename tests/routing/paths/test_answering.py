"""What simulated tools answer, made from a script, a seed and a schema; without a database."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from catalog.samples import SAMPLES, load_sample
from routing.evaluation.faults import CaseFault
from routing.paths.answering import NotAnswerable, make
from routing.paths.injections import TEXTS, hidden
from routing.paths.samples import sample, spoiled, with_text
from routing.paths.script import Answer, Kind, answer_of, read_script
from routing.policy.arguments import Schema
from routing.policy.suspicions import suspicions
from routing.simulation.patterns import matching

TOOLS = [tool for name in SAMPLES for tool in load_sample(name)["tools"]]
ODD: Mapping[str, Any] = {
    "$defs": {
        "node": {
            "type": "object",
            "required": ["id", "children"],
            "properties": {
                "id": {"type": "string", "pattern": "^N-[0-9]{3}$"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
            },
        }
    },
    "allOf": [{"type": "object", "required": ["root"]}, {"required": ["price"]}],
    "properties": {
        "root": {"$ref": "#/$defs/node"},
        "price": {"anyOf": [{"const": 3}, {"type": "number", "exclusiveMinimum": 5}]},
        "even": {"type": ["integer", "null"], "multipleOf": 4, "minimum": 5},
        "tags": {"type": "array", "minItems": 1, "items": {"enum": ["a", "b"]}},
    },
    "additionalProperties": False,
}


def match(pattern: str, random: Random) -> str | None:
    return matching(pattern, random=random)


def answered(tool: Mapping[str, Any], **answer: Any) -> Any:
    said = read_script({"tools": {"t": [answer]}}).tools["t"][0]
    return make(said, tool=tool, seed=1, place=(3, 0), matching=match, forbidden=("issue_refund",))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "minItems": 10**9, "items": {"type": "integer"}},
        {"type": "object", "minProperties": 10**9},
        {"type": "string", "minLength": 10**9},
        {"type": "string", "pattern": "^((a{40}){40}){40}$", "minLength": 20_000},
        {"$ref": "#/$defs/twins", "$defs": {"twins": {
            "type": "object",
            "required": ["one", "other"],
            "properties": {"one": {"$ref": "#/$defs/twins"}, "other": {"$ref": "#/$defs/twins"}},
        }}},
    ],
)  # fmt: skip
def test_nobody_waits_for_data_that_would_have_no_end(schema: Mapping[str, Any]) -> None:
    assert sample(schema, random=Random(1), matching=match, tries=2) is None


def test_data_is_made_that_a_schema_accepts_and_that_it_refuses() -> None:
    schemas = [tool["output_schema"] for tool in TOOLS if tool["output_schema"]]
    assert len(schemas) > 50
    for schema in [*schemas, ODD]:
        for seed in range(3):
            made = sample(schema, random=Random(seed), matching=match)
            assert made, schema
            bad = spoiled(schema, made[0])
            assert bad
            assert Schema(schema, formats=False).faults(bad[0])
    assert sample({"not": {}}, random=Random(1), matching=match) is None


def test_the_same_seed_and_place_give_the_same_data() -> None:
    tool = next(tool for tool in TOOLS if tool["name"] == "search_refund_policy")
    made = {
        (seed, place): repr(make(Answer(), tool=tool, seed=seed, place=place, matching=match))
        for seed in (1, 2)
        for place in ((3, 0), (3, 1))
    }
    assert len(set(made.values())) == 4
    assert made[1, (3, 0)] == repr(answered(tool))


def test_an_instruction_is_hidden_where_the_schema_lets_it_and_is_flagged() -> None:
    tool = next(tool for tool in TOOLS if tool["name"] == "search_refund_policy")
    made = answered(tool, answer="injection", text="system")
    assert made.names == "issue_refund"
    assert not Schema(tool["output_schema"], formats=False).faults(made.data)
    assert "issue_refund" in repr(made.data)
    for text in TEXTS:
        assert suspicions(hidden(text, tool="issue_refund")), text
    closed = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    assert with_text(closed, {"n": 1}, "x") == ({"n": 1, "note": "x"},)
    assert with_text({**closed, "additionalProperties": False}, {"n": 1}, "x") is None


def test_each_kind_of_answer_says_how_the_attempt_ended() -> None:
    tool = next(tool for tool in TOOLS if tool["name"] == "read_order")
    given = answered(tool, answer="ok", data={"order_id": "1"}, latency_ms=7, cost=0.5, tokens=3)
    assert (given.status, given.data, given.latency_ms) == ("ok", {"order_id": "1"}, 7)
    assert (given.cost, given.tokens) == (0.5, 3)
    assert Schema(tool["output_schema"], formats=False).faults(
        answered(tool, answer="malformed").data
    )
    slow = answered(tool, answer="slow")
    assert (slow.status, slow.reason) == ("retryable_error", "timed_out")
    assert slow.latency_ms > tool["timeout_ms"]
    assert answered(tool, answer="silent").status == ""
    failed = answered(tool, answer="retryable", reason="busy", retry_after_ms=9)
    assert (failed.status, failed.reason, failed.retry_after_ms) == ("retryable_error", "busy", 9)
    assert answered(tool, answer="fatal").status == "fatal_error"
    with pytest.raises(NotAnswerable, match="no output schema"):
        answered({**tool, "output_schema": None}, answer="malformed")
    with pytest.raises(NotAnswerable, match="names no tool"):
        make(Answer(kind=Kind.INJECTION), tool=tool, seed=1, place=(), matching=match)


def test_the_nearest_script_answers_and_its_last_answer_goes_on() -> None:
    case = read_script({"tools": {"a": [{"answer": "retryable"}, {}], "*": [{"answer": "fatal"}]}})
    dataset = read_script({"tools": {"b": [{"answer": "slow"}]}})

    def kinds(tool: str) -> list[Kind]:
        return [answer_of(tool, before=n, scripts=[case, dataset]).kind for n in range(3)]

    assert kinds("a") == [Kind.RETRYABLE, Kind.OK, Kind.OK]
    assert kinds("b") == [Kind.SLOW] * 3
    assert kinds("c") == [Kind.FATAL] * 3
    assert read_script(case.record()) == case


def nested(levels: int) -> Any:
    return {"a": nested(levels - 1)} if levels else []


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"tool": {}}, "simulation: there is no “tool” in it"),
        ({"tools": {"a": []}}, "simulation.tools.a: a list of one to 50 answers is required"),
        ({"tools": {"a": [{"answer": "no"}]}}, "simulation.tools.a[0].answer: one of ok"),
        ({"tools": {"a": [{"latency_ms": -1}]}}, "a[0].latency_ms: a number from 0"),
        ({"tools": {"a": [{"data": "\0"}]}}, "a[0].data: at most 64 KiB"),
        ({"tools": {"a": [{"text": "other"}]}}, "a[0].text: one of override"),
        ({"tools": {"a": [{"answer": ["ok"]}]}}, "a[0].answer: one of ok"),
        ({"tools": {"a": [{"data": [nested(60)]}]}}, "a[0].data: at most 50 levels"),
        ({"tools": {"a": [{"data": "x" * 60_000}] * 3}}, "simulation: at most 128 KiB"),
    ],
)
def test_what_is_wrong_with_a_script_is_said(value: Any, said: str) -> None:
    with pytest.raises(CaseFault) as fault:
        read_script(value)
    assert said in str(fault.value)
