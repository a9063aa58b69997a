"""Sweeping thresholds and caps says what as many selections would say, and reads a task once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from routing.selection import Circumstances, Index, Query, Strategy, select
from routing.selection.reading import read
from routing.selection.strategies import evidential
from routing.selection.sweeping import Sweep

THRESHOLDS = (0, 0.2, 0.4, 0.55, 0.7, 0.85, 0.95, 1)
CAPS = (1, 2, 4, 7, 20)
TASKS = {
    "back-office": [
        "Has the money for order 40127 arrived, and which pallet does it leave on?",
        "Issue the invoice of order 12 and book the pickup",
        "Write a poem about spring",
        "help",
    ],
    "contratos": [
        "Revise la cláusula de rescisión del contrato",
        "hola, y los anexos",
    ],
    "dev-agent": ["Run the tests, then deploy to staging", "Why is the build red?"],
}


def offered(index: Index, query: Query, threshold: float) -> tuple[frozenset[int], bool]:
    at = replace(index, settings=replace(index.settings, threshold=threshold))
    selection = select(query, at, Circumstances())
    return frozenset(selection.tools) - frozenset(index.always_on), selection.fallback is not None


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("strategy", [Strategy.AUTO, Strategy.HIERARCHICAL, Strategy.ALL])
def test_a_sweep_offers_what_selections_do(
    samples: dict[str, Index], name: str, strategy: Strategy, plain: bool
) -> None:
    index = samples[name]
    if plain:
        # Without rules and examples of groups the threshold bears on nothing but the fallback.
        assert index.vectors is not None
        vectors = replace(index.vectors, groups_are_shown=False)
        index = replace(index, intent_rules=(), vectors=vectors)
    sweep = Sweep.over(index, THRESHOLDS[::-1])
    for task in TASKS[name]:
        query = Query(task=task, strategy=strategy)
        for (inclusive, cap), offers in sweep.offers(query, caps=CAPS).items():
            asked = replace(query, max_tools=cap, inclusive=inclusive)
            for threshold, offer in zip(THRESHOLDS, offers, strict=True):
                wanted = offered(index, asked, threshold)
                assert (offer.tools, offer.fallback) == wanted, (task, inclusive, cap, threshold)


def test_a_task_is_read_once(samples: dict[str, Index], monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(*args: Any, **kwargs: Any) -> object:
        calls.append(args)
        return read(*args, **kwargs)

    monkeypatch.setattr(evidential, "read", counted)
    Sweep.over(samples["back-office"], THRESHOLDS).offers(Query(task="Find a bill"), caps=CAPS)

    assert len(calls) == 1
