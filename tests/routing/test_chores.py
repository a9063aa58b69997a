"""Chores: registered once, each done, whatever becomes of the others."""

from datetime import datetime

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
