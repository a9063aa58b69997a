"""What ``manage.py try_kills`` finds when something is lost or counted wrongly."""

import os
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from dashboard.management.scale.killing import Trial, look, session_of
from routing.models import HourlyCount, Run, Span
from routing.rollups.folding import fold_all
from tests.dashboard.traffic import NOON, Traffic


@pytest.fixture
def logs(tmp_path: Path, db: None) -> list[Path]:
    """Return the log of a client to which all that there is was acknowledged."""
    traffic = Traffic()
    selection = traffic.select(run=traffic.run(outcome="solved"))
    call = uuid4()
    traffic.span(selection, name=Span.Name.RESULT, call=call, status="ok")
    fold_all(now=NOON)
    log = tmp_path / "log"
    run = Run.objects.get().run_id
    log.write_text(f"span {selection.uid}\noutcome {run}\nresult {call}\n")
    return [log, tmp_path / "never-written"]


def test_nothing_is_found_where_all_is_there(logs: list[Path]) -> None:
    trial = Trial()
    look(trial, logs, now=NOON)

    assert (trial.acknowledged, trial.spans) == (3, 3)
    assert (trial.lost, trial.miscounted, trial.damage) == ([], 0, "")
    assert trial.is_clean


@pytest.mark.parametrize("kind", ["span", "outcome", "result"])
def test_what_was_acknowledged_and_is_not_there_is_lost(logs: list[Path], kind: str) -> None:
    lost = str(uuid4())
    logs[1].write_text(f"{kind} {lost}\n")
    trial = Trial()
    look(trial, logs, now=NOON)

    assert trial.lost == [lost]
    assert not trial.is_clean


def test_a_span_that_counts_twice_is_found(logs: list[Path]) -> None:
    row = HourlyCount.objects.get(section="selections")
    row.counts["n"] += 1
    row.save()
    trial = Trial()
    look(trial, logs, now=NOON)

    assert (trial.lost, trial.miscounted) == ([], 1)
    assert not trial.is_clean


def test_processes_are_those_of_a_session_its_leader_last() -> None:
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", program], stdin=subprocess.PIPE, start_new_session=True
    ) as leader:
        while len(found := session_of(leader.pid)) < 2:
            pass
        assert found[-1] == leader.pid
        assert os.getpid() not in found
        leader.communicate(b"\n")
    assert session_of(leader.pid) == []
