"""The worker: it is known to be up, is stopped cleanly, and goes on after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from catalog.models import Catalog
from catalog.publishing import freeze_and_check
from routing import jobs, working
from routing.background import MOST_ATTEMPTS
from routing.models import Approval, Circuit, Preparation, Vector, WorkerBeat
from routing.models.background import Background
from routing.moves import current_move
from routing.preparing import publish_or_prepare
from routing.working import SILENT, beat, is_working, take_up, worker_name
from tests import approvals
from tests.drafts import big_catalog
from tests.routing.encoding.servers import DIMENSIONS, Embeddings
from tests.routing.outgoing.servers import serving
from tests.samples import NOW

ROOT = Path(__file__).parents[2]
OTHER = "another-machine:17"


def ask(catalog: Catalog) -> Preparation:
    asked = publish_or_prepare(
        catalog=catalog,
        author=None,
        now=NOW,
        note="",
        base=None,
        reviewed_sha256=freeze_and_check(catalog).sha256,
        start=jobs.PREPARATIONS.start,
    )
    assert isinstance(asked, Preparation)
    return asked


@pytest.fixture
def asked(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Preparation:
    monkeypatch.setattr("routing.preparing.MOST_AT_ONCE", 0)
    return ask(big_catalog(tools=3, groups=1))


def test_every_kind_of_work_has_a_task_that_takes_it_up() -> None:
    assert {kind.rows().model for kind in jobs.KINDS} == set(Background.__subclasses__())
    assert len({kind.task for kind in jobs.KINDS}) == len(jobs.KINDS)


def claim(one: Preparation, *, by: str) -> None:
    """Take a job as a worker does."""
    DBTaskResult.objects.get(pk=one.task).claim(by)
    Preparation.objects.filter(pk=one.pk).update(attempts=one.attempts + 1)
    one.refresh_from_db()


def status(one: Preparation) -> str:
    one.refresh_from_db()
    return DBTaskResult.objects.get(pk=one.task).status


@pytest.mark.django_db
def test_a_worker_is_up_while_it_says_so() -> None:
    assert not is_working(now=NOW)
    beat(name=OTHER, now=NOW)
    assert is_working(now=NOW + SILENT - timedelta(seconds=1))
    assert not is_working(now=NOW + SILENT)
    beat(name=OTHER, now=NOW + SILENT)
    assert is_working(now=NOW + SILENT)
    assert WorkerBeat.objects.get().started_at == NOW


@pytest.mark.django_db
def test_a_worker_of_this_machine_that_was_killed_is_not_up() -> None:
    with subprocess.Popen(["/bin/true"]) as gone:
        gone.wait()
    beat(name=f"{worker_name().rpartition(':')[0]}:{gone.pid}", now=NOW)
    assert not is_working(now=NOW)
    beat(name=worker_name(), now=NOW)
    assert is_working(now=NOW)


def test_what_a_silent_worker_was_at_is_taken_up(asked: Preparation) -> None:
    beat(name=OTHER, now=NOW)
    claim(asked, by=OTHER)
    assert take_up(now=NOW) == 0
    assert status(asked) == TaskResultStatus.RUNNING
    assert take_up(now=NOW + SILENT) == 1
    assert status(asked) == TaskResultStatus.READY
    assert not WorkerBeat.objects.exists()


def test_a_job_that_was_cut_short_is_handed_over_again(asked: Preparation) -> None:
    DBTaskResult.objects.get(pk=asked.task).set_failed(SystemExit(1))
    first = asked.task
    assert take_up(now=NOW) == 1
    assert status(asked) == TaskResultStatus.READY
    assert asked.task != first
    DBTaskResult.objects.all().delete()
    assert take_up(now=NOW) == 1


def test_a_job_that_takes_every_worker_with_it_is_given_up(asked: Preparation) -> None:
    for number in range(MOST_ATTEMPTS):
        asked.refresh_from_db()
        assert asked.finished_at is None
        claim(asked, by=f"{OTHER}{number}")
        take_up(now=NOW)
    asked.refresh_from_db()
    assert asked.problem == "crashed"
    assert take_up(now=NOW) == 0
    assert not DBTaskResult.objects.running().exists()


@contextmanager
def worker(url: str, *arguments: str, port: int) -> Iterator[subprocess.Popen[str]]:
    """Run ``manage.py work`` on the tests' database; end it whatever happens."""
    environment = {
        **os.environ,
        "DATABASE_URL": url,
        "ENCODER": "openai:words",
        "EMBEDDINGS_URL": f"http://127.0.0.1:{port}/v1",
        "EMBEDDINGS_DIMENSIONS": str(DIMENSIONS),
        "OUTGOING_ALLOWED": f"127.0.0.1:{port}",
    }
    started = subprocess.Popen(  # noqa: S603
        [sys.executable, "manage.py", "work", *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with started:
        try:
            yield started
        finally:
            started.kill()


def database_url() -> str:
    """Return the address of the database that this test uses."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def until(true: Callable[[], bool], *, within: float = 30) -> None:
    """Wait until something is true."""
    end = time.monotonic() + within
    while not true():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


@pytest.mark.django_db(transaction=True)
def test_a_publish_goes_on_after_the_worker_was_killed(settings: Any) -> None:
    stand_in = Embeddings()
    holds = [True]

    def slow(handler: BaseHTTPRequestHandler) -> None:
        stand_in.answer(handler)
        while holds[0] and len(stand_in.asked) >= 3:
            time.sleep(0.02)

    with serving(slow) as server:
        settings.ENCODER = "openai:words"
        settings.EMBEDDINGS_URL = f"http://127.0.0.1:{server.port}/v1"
        settings.EMBEDDINGS_DIMENSIONS = DIMENSIONS
        settings.OUTGOING_ALLOWED = [f"127.0.0.1:{server.port}"]
        catalog = big_catalog(tools=200, groups=2)
        one = ask(catalog)
        with worker(database_url(), port=server.port) as first:
            until(lambda: len(stand_in.asked) == 3)
            one.refresh_from_db()
            assert 0 < one.made < one.total
            assert one.finished_at is None
            made = Vector.objects.count()
            first.send_signal(signal.SIGKILL)
            first.wait()
        holds[0] = False
        with worker(database_url(), "--once", port=server.port) as second:
            said, _ = second.communicate(timeout=60)
            assert second.returncode == 0, said
        one.refresh_from_db()
        assert (one.problem, one.made, one.attempts) == ("", one.total, 2)
        live = current_move(catalog)
        assert live is not None
        assert live.release == one.release
        # All but the batch that the first was at are made once.
        assert made >= 64
        assert one.total <= len(stand_in.texts) <= one.total + 2 * 64
        assert not WorkerBeat.objects.filter(name__endswith=f":{second.pid}").exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_ends_cleanly_and_leaves_its_job_to_the_next(settings: Any, how: int) -> None:
    stand_in = Embeddings()

    def slow(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(0.3)
        stand_in.answer(handler)

    with serving(slow) as server:
        settings.ENCODER = "openai:words"
        settings.EMBEDDINGS_URL = f"http://127.0.0.1:{server.port}/v1"
        settings.EMBEDDINGS_DIMENSIONS = DIMENSIONS
        one = ask(big_catalog(tools=400, groups=2))
        with worker(database_url(), port=server.port) as process:
            until(lambda: len(stand_in.asked) >= 2)
            process.send_signal(how)
            process.communicate(timeout=20)
            assert process.returncode == 0
    one.refresh_from_db()
    assert one.finished_at is None
    assert 0 < one.made < one.total
    assert one.made == Vector.objects.count()
    assert status(one) == TaskResultStatus.READY
    assert not WorkerBeat.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_worker_ends_with_its_parent(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.ENCODER = "none"
    with subprocess.Popen(["/bin/sleep", "60"]) as parent:
        with worker(database_url(), "--parent", str(parent.pid), port=9) as process:
            # It was never this one's child: it ends at its first beat.
            process.communicate(timeout=30)
            assert process.returncode == 0
        parent.kill()


def test_a_pulse_beats_and_takes_up(asked: Preparation, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(working, "beat", lambda *, name, now: seen.append(name))
    monkeypatch.setattr(working, "take_up", lambda *, now: seen.append("take up"))
    pulse = working.Pulse(name="me", clock=lambda: NOW, parent=None, seconds=0.01)
    pulse.start()
    until(lambda: len(seen) >= 4)
    pulse.end()
    assert seen[:2] == ["me", "take up"]


def test_a_pulse_goes_on_after_a_fault_of_its_own(
    asked: Preparation, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[str] = []

    def fail(*, now: datetime) -> int:
        raise KeyError("no such thing")

    monkeypatch.setattr(working, "beat", lambda *, name, now: seen.append(name))
    monkeypatch.setattr(working, "take_up", fail)
    pulse = working.Pulse(name="me", clock=lambda: NOW, parent=None, seconds=0.01)
    pulse.start()
    until(lambda: len(seen) >= 3)
    pulse.end()
    assert "cannot look after" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_worker_puts_circuits_away_whose_time_is_over(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ENCODER = "none"
    monkeypatch.setattr(working, "EVERY", timedelta(0))
    row = Circuit.objects.create(
        catalog=Catalog.objects.create(name="one", title="One"),
        kind="tool",
        target="a",
        by_hand=True,
        reason="broken",
        opened_at=NOW - timedelta(hours=1),
        until=NOW - timedelta(minutes=1),
    )
    pulse = working.Pulse(name=OTHER, clock=lambda: NOW, parent=None, seconds=0.01)
    pulse.start()
    try:
        until(lambda: not Circuit.objects.unclosed().exists())
    finally:
        pulse.end()
    row.refresh_from_db()
    assert row.closed_at == row.until


@pytest.mark.django_db(transaction=True)
def test_a_worker_forgets_arguments_that_nobody_is_asked_about_any_more(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ENCODER = "none"
    monkeypatch.setattr(working, "EVERY", timedelta(0))
    approvals.refund_desk()
    Catalog.objects.update(keep_text=False)
    over = approvals.ask().expires_at
    pulse = working.Pulse(name=OTHER, clock=lambda: over, parent=None, seconds=0.01)
    pulse.start()
    try:
        until(lambda: Approval.objects.filter(arguments__isnull=True).exists())
    finally:
        pulse.end()
