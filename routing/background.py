"""The life of work in the background: handed over, tried, handed on, ended or given up."""

import logging
from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import QuerySet

from routing.models.background import CRASHED, FAILED, Background

MOST_ATTEMPTS = 5
LEFT_TO_A_COMMAND = timedelta(hours=1)
"""So long what was never handed to a worker is left to the command that carries it out itself."""

_log = logging.getLogger(__name__)
WorkT = TypeVar("WorkT", bound=Background)


class Stopping(Exception):
    """The worker is asked to stop; what it is at goes on with the next one."""


def hand_over(one: WorkT, *, start: Callable[[WorkT], str]) -> None:
    """Give work to the worker; ``start`` returns its task. Both rows are written, or neither."""
    with transaction.atomic():
        one.task = start(one)
        one.save(update_fields=["task"])


def attempt(
    one: WorkT,
    *,
    carry_out: Callable[[], None],
    start: Callable[[WorkT], str],
    clock: Callable[[], datetime],
) -> None:
    """Try work once; it is handed on where ``carry_out`` raises ``Stopping``, else it has ended."""
    _row(one).update(attempts=one.attempts + 1)
    try:
        carry_out()
    except Stopping:
        hand_over(one, start=start)
        # Being asked to stop is no failed attempt.
        _row(one).update(attempts=one.attempts)
    except Exception:
        end(one, at=clock(), problem=FAILED)
        raise


def take_up(
    left: Iterable[WorkT],
    *,
    start: Callable[[WorkT], str],
    running: Collection[str],
    ready: Collection[str],
    now: datetime,
) -> int:
    """Hand over again what no task is at any more, and return how much that is.

    ``running`` and ``ready`` name the tasks that there are. What took several workers with it is
    given up. What has no task is carried out by who asked for it, so that nobody else begins it
    beside them; a command that was killed leaves it to the worker in the end.
    """
    taken = 0
    for one in left:
        if one.task in running or (not one.task and now - one.asked_at < LEFT_TO_A_COMMAND):
            continue
        if one.attempts >= MOST_ATTEMPTS:
            end(one, at=now, problem=CRASHED)
        elif one.task not in ready:
            hand_over(one, start=start)
            taken += 1
    return taken


def end(
    one: Background, *, at: datetime, problem: str = "", detail: str = "", **result: Any
) -> None:
    """Write down how work ended, unless it has ended already; ``result`` are fields of its own."""
    if problem:
        _log.warning("%s: %s %s", one, problem, detail)
    _row(one).filter(finished_at=None).update(
        finished_at=at, problem=problem, detail=detail[:500], **result
    )


def _row(one: Background) -> QuerySet[Any]:
    return type(one)._default_manager.filter(pk=one.pk)  # noqa: SLF001 - Django's public name
