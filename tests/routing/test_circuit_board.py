"""What a process knows of circuits, and when it looks again."""

import threading
import time

import pytest

from catalog.models import Catalog
from routing.circuit_board import AGE, CircuitBoard
from routing.circuits import open_by_hand
from routing.policy.circuits import Opening, Standing
from tests.samples import NOW

EMPTY = Standing()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Source:
    """What is in the database, and how often it was read."""

    def __init__(self) -> None:
        self.standing, self.reads = EMPTY, 0

    def __call__(self, catalog_id: int) -> Standing:
        self.reads += 1
        return self.standing


OFF = Standing((Opening(pk=1, kind="tool", target="a", by_hand=True),))


def test_a_catalog_is_read_once_while_the_reading_is_fresh_and_that_is_under_a_second() -> None:
    source, clock = Source(), Clock()
    board = CircuitBoard(read=source, clock=clock)
    for clock.now in (0.0, 0.1, AGE - 0.01):
        assert board.standing(1) == EMPTY
    assert source.reads == 1
    source.standing, clock.now = OFF, AGE
    assert board.standing(1) == OFF
    assert AGE < 1
    board.standing(2)
    assert source.reads == 3


def test_what_is_dropped_is_read_again_at_once() -> None:
    source = Source()
    board = CircuitBoard(read=source, clock=Clock())
    board.standing(1)
    source.standing = OFF
    board.drop(1)
    assert board.standing(1) == OFF


def test_a_reading_that_was_overtaken_is_not_kept() -> None:
    source = Source()

    def read(catalog_id: int) -> Standing:
        before = source(catalog_id)
        if source.reads == 1:  # another thread writes meanwhile
            source.standing = OFF
            board.drop(catalog_id)
        return before

    board = CircuitBoard(read=read, clock=Clock())
    assert board.standing(1) == EMPTY
    assert board.standing(1) == OFF


def test_threads_that_miss_a_reading_together_read_once() -> None:
    source = Source()

    def slow(catalog_id: int) -> Standing:
        time.sleep(0.05)
        return source(catalog_id)

    board = CircuitBoard(read=slow)
    threads = [threading.Thread(target=board.standing, args=[1]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert source.reads == 1


@pytest.mark.django_db
def test_another_process_knows_within_a_second() -> None:
    catalog = Catalog.objects.create(name="one", title="One")
    clock = Clock()
    other = CircuitBoard(clock=clock)
    assert other.standing(catalog.pk) == EMPTY
    open_by_hand(
        catalog=catalog, kind="tool", target="a", reason="broken", until=None, by=None, now=NOW
    )
    assert other.standing(catalog.pk) == EMPTY
    clock.now = 0.9
    assert [one.target for one in other.standing(catalog.pk).openings] == ["a"]
