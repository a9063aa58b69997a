"""The difference of two lists of names."""

import random

import pytest

from catalog.diff.lists import compare_lists


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
