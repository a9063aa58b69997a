"""A part to learn from and a part to judge by, which share nothing that says nearly the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

TRAIN, TEST, NEITHER = "train", "test", ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A case to be told into a part.

    ``cluster`` is shared by all that say nearly the same, ``stratum`` is what both parts should
    have their share of, and ``part`` is where it is already.
    """

    cluster: int
    stratum: str
    part: str = NEITHER


def parts_of(members: Sequence[Member], *, test_share: float, seed: int) -> list[str]:
    """Return the part of each member: a cluster goes whole, and about ``test_share`` are to judge.

    What is in a part stays there, and what is near to it follows. Where a newcomer or a change
    joins cases of both parts, those to judge by stay and the others are in neither: nothing may be
    learned from what is judged by. The rest goes by the dice of the seed, stratum by stratum, to
    the part that lacks most.
    """
    by_cluster: dict[int, list[int]] = defaultdict(list)
    for place, member in enumerate(members):
        by_cluster[member.cluster].append(place)
    found = [NEITHER] * len(members)
    had: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    free: dict[str, list[list[int]]] = defaultdict(list)
    for places in by_cluster.values():
        known = {members[place].part for place in places} - {NEITHER}
        if len(known) == 1:
            (part,) = known
            for place in places:
                found[place] = part
                had[members[place].stratum][part == TEST] += 1
        elif known:
            _bridge(members, places, found, had)
        else:
            free[members[places[0]].stratum].append(places)
    random = Random(seed)  # noqa: S311 - a fair split, not a secret
    for stratum in sorted(free):
        groups, counts = free[stratum], had[stratum]
        random.shuffle(groups)
        # The larger first: what is left evens out.
        for places in sorted(groups, key=len, reverse=True):
            total = sum(counts) + len(places)
            lacks = (total * (1 - test_share) - counts[0], total * test_share - counts[1])
            to_test = lacks[1] > lacks[0] or (lacks[1] == lacks[0] and random.random() < test_share)
            for place in places:
                found[place] = TEST if to_test else TRAIN
            counts[to_test] += len(places)
    return found


def _bridge(
    members: Sequence[Member],
    places: Sequence[int],
    found: list[str],
    had: dict[str, list[int]],
) -> None:
    """Keep of a cluster across both parts those to judge by; the others are in neither."""
    for place in places:
        if members[place].part == TEST:
            found[place] = TEST
            had[members[place].stratum][1] += 1
