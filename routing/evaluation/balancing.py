"""Choose cases of many: each kind of task its turn, what was explored first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What could become a case.

    ``cluster`` is shared by all that say nearly the same; ``kind`` is what the cases are balanced
    over, as the groups that are expected; ``explored`` tells that the run was offered more than a
    cut would have left, so that what it called says more of what was needed. ``known`` tells that
    the dataset has it, or something near to it.
    """

    cluster: int
    kind: Hashable
    explored: bool = False
    known: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """A candidate that was chosen, by its place; ``weight`` is how many it stands for."""

    place: int
    weight: float


def choose(candidates: Sequence[Candidate], *, most: int, seed: int) -> list[Chosen]:
    """Return up to ``most`` candidates, in their own order: of each cluster one at most.

    Of a cluster one that was explored speaks, else the first. Kinds take turns, the rarest first,
    each with those that were explored before the others, which come by the dice of the seed. The
    weights of a kind add up to its candidates, so that a sum over the chosen is one over the
    traffic: exploring runs are a random share of all, and preferring them bends no kind.
    """
    members: dict[int, list[int]] = defaultdict(list)
    for place, candidate in enumerate(candidates):
        members[candidate.cluster].append(place)
    random = Random(seed)  # noqa: S311 - a fair choice, not a secret
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    tasks: dict[Hashable, int] = defaultdict(int)
    for places in members.values():
        speaker = next((at for at in places if candidates[at].explored), places[0])
        kind = candidates[speaker].kind
        tasks[kind] += len(places)
        if not any(candidates[at].known for at in places):
            waiting[kind].append(speaker)
    for places in waiting.values():
        random.shuffle(places)
        places.sort(key=lambda at: not candidates[at].explored)
    order = sorted(waiting, key=lambda kind: (len(waiting[kind]), str(kind)))
    picked = _in_turns([waiting[kind] for kind in order], most)
    counts = dict(zip(order, picked, strict=True))
    found = []
    for kind, count in counts.items():
        speakers = waiting[kind][:count]
        spoken = sum(len(members[candidates[at].cluster]) for at in speakers)
        found += [
            Chosen(at, len(members[candidates[at].cluster]) * tasks[kind] / spoken)
            for at in speakers
        ]
    return sorted(found, key=lambda one: one.place)


def _in_turns(queues: Sequence[Sequence[int]], most: int) -> list[int]:
    """Return how many each queue gives, the shortest first, where each gives one in turn."""
    given, left = [], most
    for place, queue in enumerate(queues):
        share = min(len(queue), -(-left // (len(queues) - place)) if left else 0)
        given.append(share)
        left -= share
    return given
