"""Near-duplicates are told by words and by meaning; parts and choices go by whole clusters."""

from __future__ import annotations

from collections import Counter

import numpy as np

from routing.evaluation.balancing import Candidate, choose
from routing.evaluation.near import clusters, plain
from routing.evaluation.splitting import TEST, TRAIN, Member, parts_of


def test_a_number_makes_no_other_task() -> None:
    texts = [plain("Where is  order 88231?"), plain("where is order 7?"), plain("Cancel it")]

    assert clusters(texts, None) == [0, 0, 2]


def test_what_hangs_together_by_near_pairs_is_of_one_cluster() -> None:
    angles = np.radians([0.0, 20.0, 40.0, 120.0, 121.0])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1) * 3

    assert clusters(list("abcde"), vectors) == [0, 0, 0, 3, 3]
    assert clusters(list("abcde"), vectors, least=0.95) == [0, 1, 2, 3, 3]


def members(*clusters: int, parts: dict[int, str] | None = None) -> list[Member]:
    return [
        Member(cluster=cluster, stratum="a", part=(parts or {}).get(place, ""))
        for place, cluster in enumerate(clusters)
    ]


def test_a_cluster_goes_whole_and_the_shares_are_kept() -> None:
    of = [place // 2 for place in range(200)]

    found = parts_of(members(*of), test_share=0.25, seed=3)

    assert all(found[place] == found[place + 1] for place in range(0, 200, 2))
    assert Counter(found) == {TEST: 50, TRAIN: 150}
    assert found == parts_of(members(*of), test_share=0.25, seed=3)
    assert found != parts_of(members(*of), test_share=0.25, seed=4)


def test_what_is_in_a_part_stays_and_draws_what_is_near_to_it() -> None:
    found = parts_of(members(0, 0, 1, parts={0: TRAIN}), test_share=0.5, seed=0)

    assert found == [TRAIN, TRAIN, TEST]


def test_nothing_is_learned_from_what_is_near_to_both_parts() -> None:
    found = parts_of(members(0, 0, 0, parts={0: TRAIN, 1: TEST}), test_share=0.5, seed=0)

    assert found == ["", TEST, ""]


def test_each_kind_gets_its_turn_and_weights_add_up_to_the_traffic() -> None:
    # Fifty tasks about orders, two of them the same; four about refunds; one that is known.
    candidates = [
        *(Candidate(cluster=at or 1, kind="orders") for at in range(50)),
        *(Candidate(cluster=100 + at, kind="refunds") for at in range(4)),
        Candidate(cluster=200, kind="refunds", known=True),
    ]

    chosen = choose(candidates, most=10, seed=1)

    kinds = Counter(candidates[one.place].kind for one in chosen)
    assert kinds == {"orders": 6, "refunds": 4}
    weights: Counter[object] = Counter()
    for one in chosen:
        weights[candidates[one.place].kind] += one.weight  # type: ignore[assignment]
    assert round(weights["orders"], 6) == 50
    assert round(weights["refunds"], 6) == 5


def test_what_was_explored_speaks_for_its_cluster_and_comes_first() -> None:
    candidates = [Candidate(cluster=at // 2, kind="a", explored=at in (5, 8)) for at in range(20)]

    assert [one.place for one in choose(candidates, most=2, seed=0)] == [5, 8]
