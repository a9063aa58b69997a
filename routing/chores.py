"""What the worker does about each minute for those above: they register it here."""

import logging
from collections.abc import Callable
from datetime import datetime
from threading import Thread

from django.db import connection

Chore = Callable[[datetime], object]
"""Does what is due at a time, soon enough that the worker's pulse does not stop for it."""

_chores: list[Chore] = []
_log = logging.getLogger(__name__)


def each_minute(chore: Chore) -> None:
    """Have the worker do something about each minute; several workers may do it at once."""
    if chore not in _chores:
        _chores.append(chore)


def aside(chore: Chore) -> Chore:
    """Return a chore that may take long: it is done in a thread of its own, once at a time."""
    begun: list[Thread] = []

    def begin(now: datetime) -> None:
        if not any(thread.is_alive() for thread in begun):
            # It ends with the process: what it is at is a transaction.
            begun[:] = [Thread(target=_do, args=(chore, now), name="chore", daemon=True)]
            begun[0].start()

    return begin


def do_chores(*, now: datetime) -> None:
    """Do every chore; one that fails is told of, and keeps none of the others from its turn."""
    for chore in _chores:
        try:
            chore(now)
        except Exception:
            _tell()


def _do(chore: Chore, now: datetime) -> None:
    try:
        chore(now)
    except Exception:
        _tell()
    finally:
        connection.close()


def _tell() -> None:
    _log.exception("The worker cannot do a chore of each minute.")
    connection.close()
