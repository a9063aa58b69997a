"""The background worker: signs of life, and what a worker that was killed left behind."""

import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from types import FrameType
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.models import QuerySet
from django_tasks.base import TaskResultStatus
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from routing import jobs
from routing.approvals import forget_arguments
from routing.chores import do_chores
from routing.circuits import close_expired
from routing.models import WorkerBeat
from routing.rollups.folding import fold_for
from routing.texts.aging import erase_for
from routing.texts.sweeping import sweep_for

BEAT = 5.0
SILENT = timedelta(seconds=30)
"""A worker that has said nothing for so long is taken for dead."""
EVERY = timedelta(minutes=1)

_log = logging.getLogger(__name__)


def worker_name() -> str:
    """Return this process's name: the machine, and the number of the process on it."""
    return f"{_host()}:{os.getpid()}"


def is_working(*, now: datetime) -> bool:
    """Tell whether a worker is up."""
    return any(_lives(beat, now=now) for beat in WorkerBeat.objects.filter(at__gt=now - SILENT))


def beat(*, name: str, now: datetime) -> None:
    """Say that a worker is up."""
    WorkerBeat.objects.update_or_create(
        name=name, defaults={"at": now}, create_defaults={"at": now, "started_at": now}
    )


def take_up(*, now: datetime) -> int:
    """Put back what workers that are gone were at, and return how much that is.

    What took several workers with it is given up.
    """
    living = {one.name for one in WorkerBeat.objects.all() if _lives(one, now=now)}
    WorkerBeat.objects.filter(at__lte=now - SILENT).exclude(name__in=living).delete()
    taken = 0
    for left in DBTaskResult.objects.running():
        if not living.intersection(left.worker_ids[-1:]):
            # Compared again: its worker may have ended it a moment ago.
            abandoned = DBTaskResult.objects.running().filter(pk=left.pk)
            taken += abandoned.update(status=TaskResultStatus.READY)
    running = _tasks(DBTaskResult.objects.running())
    ready = _tasks(DBTaskResult.objects.filter(status=TaskResultStatus.READY))
    return taken + sum(kind.take_up(running=running, ready=ready, now=now) for kind in jobs.KINDS)


def _tasks(results: "QuerySet[DBTaskResult[Any, Any]]") -> set[str]:
    return {str(pk) for pk in results.values_list("pk", flat=True)}


def _lives(one: WorkerBeat, *, now: datetime) -> bool:
    if one.at <= now - SILENT:
        return False
    host, _, number = one.name.rpartition(":")
    if host != _host() or not number.isdigit():
        return True
    # On this machine nobody needs to wait for the silence.
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _host() -> str:
    return socket.gethostname()[:40]


class JobWorker(Worker):
    """Works jobs off until it is asked to stop; then it ends within a batch of vectors."""

    def shutdown(self, signum: int, frame: FrameType | None) -> None:
        """Stop after what can be stopped; a second signal ends the process."""
        jobs.stopping.set()
        super().shutdown(signum, frame)


class Pulse(threading.Thread):
    """Says every few seconds that the worker is up, looks after what others left, counts spans.

    About each minute it does the chores, those of the pages among them (``routing.chores``).
    """

    def __init__(
        self,
        *,
        name: str,
        clock: Callable[[], datetime],
        parent: int | None,
        seconds: float = BEAT,
    ) -> None:
        super().__init__(name="pulse", daemon=True)
        self._worker = name
        self._clock = clock
        self._parent = parent
        self._seconds = seconds
        self._ended = threading.Event()

    def run(self) -> None:
        """Beat until ended."""
        followed = self._clock()
        while not self._ended.wait(self._seconds):
            if self._parent is not None and os.getppid() != self._parent:
                os.kill(os.getpid(), signal.SIGTERM)
                self._parent = None
            now = self._clock()
            try:
                beat(name=self._worker, now=now)
                take_up(now=now)
                fold_for(self._seconds / 2, now=now)
                sweep_for(self._seconds / 5, now=now)
                erase_for(self._seconds / 5, now=now)
                if now - followed >= EVERY:
                    followed = now
                    jobs.follow_encoder(now=now)
                    jobs.learn_what_is_due(now=now)
                    close_expired(now=now)
                    forget_arguments(now=now)
                    do_chores(now=now)
            except (DatabaseError, ImproperlyConfigured) as error:
                _log.warning("The worker cannot say that it is up: %s", error)
                connection.close()
            except Exception:
                # A worker without a pulse is taken for dead, and another does its job beside it.
                _log.exception("The worker cannot look after what others left behind.")
                connection.close()
        connection.close()

    def end(self) -> None:
        """Stop, and wait for it."""
        self._ended.set()
        self.join()


@contextmanager
def at_work(*, name: str, clock: Callable[[], datetime], parent: int | None) -> Iterator[None]:
    """Be known as a worker while the block runs, having taken up what was left behind."""
    # In a container every worker has the same name: what an earlier one was at is not ours.
    WorkerBeat.objects.filter(name=name).delete()
    take_up(now=clock())
    beat(name=name, now=clock())
    jobs.follow_encoder(now=clock())
    pulse = Pulse(name=name, clock=clock, parent=parent)
    pulse.start()
    try:
        yield
    finally:
        pulse.end()
        WorkerBeat.objects.filter(name=name).delete()
