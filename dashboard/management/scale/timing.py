"""How long something takes, over and over: the median, in seconds of the clock."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

Clock = Callable[[], float]
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class PageTime:
    """What a page took the server, and how many queries; ``kind`` says what it belongs to."""

    kind: str
    name: str
    seconds: float
    queries: int


def timed(
    work: Callable[[], ResultT], *, rounds: int, clock: Clock, enough: float = float("inf")
) -> tuple[float, ResultT]:
    """Return the median time of some rounds, and what the last one returned.

    Before them comes one that is not timed. What takes longer than ``enough`` in that one is not
    done again: its own time counts.
    """
    started = clock()
    result = work()
    if (taken := clock() - started) >= enough:
        return taken, result
    times = []
    for _ in range(rounds):
        started = clock()
        result = work()
        times.append(clock() - started)
    return median(times), result


def page_time(
    client: Client, url: str, *, kind: str, name: str, rounds: int, clock: Clock
) -> PageTime:
    """Ask for a page, and return what it took. Raises ``RuntimeError`` where it is no page."""

    def ask() -> int:
        answer = client.get(url)
        if answer.status_code != 200:
            raise RuntimeError(f"{url}: {answer.status_code}")
        return answer.status_code

    seconds, _status = timed(ask, rounds=rounds, clock=clock)
    with CaptureQueriesContext(connection) as captured:
        ask()
    return PageTime(kind=kind, name=name, seconds=seconds, queries=len(captured))
