"""The life of work in the background: asked for, handed over, tried, handed on, ended, given up.

Each kind of it says what is asked, and what carrying it out does.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from routing.encoding import EncoderFailed
from routing.models.background import CANCELLED, CRASHED, ENCODER, FAILED, Background
from routing.selection import UnknownEncoder

MOST_ATTEMPTS = 5
LEFT_TO_A_COMMAND = timedelta(hours=1)
"""So long what was never handed to a worker is left to the command that carries it out itself."""

_log = logging.getLogger(__name__)
WorkT = TypeVar("WorkT", bound=Background)


class Stopping(Exception):
    """The worker is asked to stop; what it is at goes on with the next one."""


class Ended(Exception):
    """Somebody ended the work while it was carried out: it was cancelled, or given up."""


def ask_once(one: WorkT, *, start: Callable[[WorkT], str] | None, **of: Any) -> WorkT:
    """Ask for work of which one at a time is open ``of`` something; return what is open then.

    That is ``one`` itself unless somebody was faster. Without ``start`` nobody is handed it: who
    asks carries it out.
    """
    try:
        with transaction.atomic():
            one.save()
            if start is not None:
                hand_over(one, start=start)
    except IntegrityError:  # somebody asked a moment before
        found: WorkT = _rows(type(one)).get(finished_at=None, **of)
        return found
    return one


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Keeps how far work is, and stops it where it is to go no further."""

    one: Background
    stopping: Callable[[], bool]
    progress: Callable[[int, int], object] = lambda made, total: None

    def __call__(self, made: int, total: int) -> None:
        """Write down that so much is done; raises ``Ended``, and ``Stopping`` where more is to do.

        ``progress`` is told of it too.
        """
        if not _row(self.one).filter(finished_at=None).update(made=made, total=total):
            raise Ended
        self.progress(made, total)
        if made < total and self.stopping():
            raise Stopping


@contextmanager
def carrying_out(one: Background, *, clock: Callable[[], datetime]) -> Iterator[None]:
    """End work whose vectors cannot be made, and leave as it is what somebody else ended."""
    try:
        yield
    except Ended:
        return
    except (EncoderFailed, UnknownEncoder) as error:
        end(one, at=clock(), problem=ENCODER, detail=str(error))


def cancel(one: Background, *, now: datetime) -> bool:
    """End work because somebody wants that, and tell whether it was to be done yet.

    What is done of it stays. A worker that is at it stops after its step.
    """
    going_on = _row(one).filter(finished_at=None)
    return bool(going_on.update(finished_at=now, problem=CANCELLED))


def resume(one: WorkT, *, start: Callable[[WorkT], str]) -> bool:
    """Go on with work that ended without a result, and tell whether it does."""
    with transaction.atomic():
        ended = _row(one).filter(finished_at__isnull=False).exclude(problem="")
        if not ended.update(finished_at=None, problem="", detail="", attempts=0):
            return False
        one.refresh_from_db()
        hand_over(one, start=start)
    return True


def keep_newest(some: QuerySet[Any], *, most: int) -> None:
    """Delete all of some work but the newest."""
    kept = list(some.order_by("-pk").values_list("pk", flat=True)[:most])
    some.exclude(pk__in=kept).delete()


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
    return _rows(type(one)).filter(pk=one.pk)


def _rows(kind: type[Background]) -> QuerySet[Any]:
    return kind._default_manager.all()  # noqa: SLF001 - Django's public name
