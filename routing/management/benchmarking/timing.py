"""Times that can be compared: all subjects in one run, task by task in turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median

from routing.management.benchmarking.subjects import Subject

Clock = Callable[[], float]


def times(
    subjects: Mapping[str, Subject], tasks: Sequence[str], *, rounds: int, clock: Clock
) -> dict[str, list[float]]:
    """Return what every subject took for every task, as often as there are rounds, in seconds.

    A subject's call is timed right after another of the same that is not, so that it finds the
    caches as it leaves them itself; whose turn comes first moves on from task to task.
    """
    names = list(subjects)
    taken: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds):
        for number, task in enumerate(tasks):
            first = (turn + number) % len(names)
            for name in names[first:] + names[:first]:
                subject = subjects[name]
                subject(task)
                started = clock()
                subject(task)
                taken[name].append(clock() - started)
    return taken


def ratio(taken: Sequence[float], beside: Sequence[float]) -> float:
    """Return how many times as long something took, the median over pairs of calls."""
    return median(one / other for one, other in zip(taken, beside, strict=True))
