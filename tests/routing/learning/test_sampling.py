"""A part of some labelled cases."""

from __future__ import annotations

from collections import Counter

from routing.learning.sampling import sampled
from tests.routing.learning.labelled import cases


def test_a_tool_has_at_most_so_many_cases() -> None:
    kept = sampled(cases(range(8), 5, seed=1), each=3, share=1.0, seed=0)

    assert Counter(case.needs[0][0] for case in kept) == {f"tool_{n}": 3 for n in range(8)}


def test_a_share_of_the_tools_keeps_all_its_cases_and_a_seed_says_which() -> None:
    every = cases(range(10), 4, seed=1)
    kept = sampled(every, each=None, share=0.2, seed=0)

    counts = Counter(case.needs[0][0] for case in kept)
    assert list(counts.values()) == [4, 4]
    assert sampled(every, each=None, share=0.2, seed=0) == kept
    others = [sampled(every, each=None, share=0.2, seed=seed) for seed in range(1, 5)]
    assert any({case.needs[0][0] for case in other} != set(counts) for other in others)
