"""Chores: registered once, each done, whatever becomes of the others."""

import logging
from datetime import datetime
from threading import Event, current_thread, main_thread

import pytest
from django.db import connection

from dashboard.alerts.evaluating import evaluate
from routing import chores
from tests.samples import NOW


@pytest.mark.django_db
def test_a_chore_that_fails_keeps_none_of_the_others_from_its_turn(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert evaluate in chores._chores  # the pages have the worker judge their alerts
    done: list[datetime] = []

    def fail(now: datetime) -> None:
        raise ValueError(now)

    monkeypatch.setattr(chores, "_chores", [])
    # Its connection would be another one than the test's.
    monkeypatch.setattr(connection, "close", lambda: None)
    for chore in (fail, done.append, done.append):
        chores.each_minute(chore)
    chores.do_chores(now=NOW)
    assert done == [NOW]  # registered twice it is done once
    assert "cannot do a chore" in caplog.text


def test_one_aside_is_done_once_at_a_time_and_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    begun, go_on, done = Event(), Event(), []

    def chore(now: datetime) -> None:
        begun.set()
        assert current_thread() is not main_thread()
        go_on.wait(30)
        done.append(now)
        if len(done) == 1:
            raise RuntimeError("something")

    doing = chores.aside(chore)
    with caplog.at_level(logging.ERROR):
        doing(NOW)
        assert begun.wait(30)
        doing(NOW)  # still at it
        assert done == []
        go_on.set()
        # The next is begun once the first has ended, badly.
        while len(done) < 2:
            doing(NOW)
            Event().wait(0.01)
    assert "cannot do a chore" in caplog.text
