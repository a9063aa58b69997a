"""Kill the processes of a deployment under load, again and again, and look what was lost."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from django.db import connection

from catalog.models import Catalog
from dashboard.management.scale.ingest import plan_for
from dashboard.management.scale.serving import (
    Client,
    free_port,
    start_client,
    start_server,
    start_worker,
    wait_until_ready,
)
from routing.keys import make_key
from routing.models import Run, Span
from routing.rollups.folding import fold_all
from routing.rollups.rebuilding import rebuild
from routing.rollups.storing import DAYS, HOURS, WEEKS

CLIENTS = {"work": 3, "tell": 1}
ALONE = 20.0
"""Seconds within which a process must end whose starter was killed."""
_AT_ONCE = 500


@dataclass(slots=True)
class Trial:
    """What was acknowledged, what was killed, and what was found wrong afterwards.

    ``respawned`` are processes of the server that it replaced by itself, ``left_alone`` those that
    went on without the one that had started them. ``lost`` are ids that were
    acknowledged and are not there; ``miscounted`` rows of counts that differ from the spans'.
    """

    kills: int = 0
    rounds: int = 0
    respawned: int = 0
    left_alone: int = 0
    acknowledged: int = 0
    unanswered: int = 0
    spans: int = 0
    lost: list[str] = field(default_factory=list)
    miscounted: int = 0
    damage: str = ""

    @property
    def is_clean(self) -> bool:
        """Tell whether nothing was lost, miscounted or damaged."""
        return not (self.lost or self.miscounted or self.damage or self.left_alone)

    def record(self) -> dict[str, Any]:
        """Return the trial as JSON."""
        return asdict(self)


@dataclass(slots=True)
class _Deployment:
    """The server and the worker as they run now."""

    port: int
    folder: Path
    server: "subprocess.Popen[bytes]"
    worker: "subprocess.Popen[bytes]"

    @classmethod
    def start(cls, port: int, folder: Path) -> "_Deployment":
        return cls(
            port, folder, start_server(port=port, folder=folder), start_worker(folder=folder)
        )

    def processes(self) -> list[int]:
        """Return the processes of the server, those that it started itself, and the worker's."""
        return [pid for one in (self.server, self.worker) for pid in session_of(one.pid)]

    def reap(self) -> None:
        """Wait for what was killed."""
        for one in (self.server, self.worker):
            one.wait(timeout=30)


def try_kills(
    *,
    catalog: Catalog,
    rounds: int,
    most_seconds: float,
    folder: Path,
    seed: int,
    now: datetime,
    say: Callable[[str], object] = lambda _text: None,
) -> Trial:
    """Kill every process at a random moment under load, restart them, and so on; then look.

    A round waits ``most_seconds`` at most before a process of the server is killed alone, which the
    server is to replace, and as long again before all are, in any order. Every other round those
    that were started by hand are killed, and the others are to end by themselves. Clients go on
    meanwhile.
    """
    chance, trial = Random(seed), Trial()  # noqa: S311 - moments of a trial, no secret
    token = make_key(name="try_kills", now=now).token
    port = free_port()
    clients: list[Client] = []
    deployment = _Deployment.start(port, folder)
    try:
        wait_until_ready(port, deployment.server)
        clients += _clients(catalog, token=token, port=port, folder=folder, seed=seed)
        for _ in range(rounds):
            time.sleep(chance.uniform(most_seconds / 4, most_seconds))
            trial.respawned += _kill_one(deployment, chance, trial)
            time.sleep(chance.uniform(most_seconds / 4, most_seconds))
            if trial.rounds % 2:
                _kill_leaders(deployment, trial)
            _kill_all(deployment, chance, trial)
            deployment = _Deployment.start(port, folder)
            wait_until_ready(port, deployment.server)
            trial.rounds += 1
            say(f"{trial.kills} killed in {trial.rounds} of {rounds} rounds.")
        time.sleep(most_seconds)
    finally:
        for client in clients:
            client.process.terminate()
        done = [client.done() for client in clients]
        _kill_all(deployment, chance, trial)
    trial.unanswered = sum(one["unanswered"] for one in done)
    look(trial, (Path(client.plan["log"]) for client in clients), now=now)
    return trial


def session_of(leader: int) -> list[int]:
    """Return the processes of a session, its leader last: those that live."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,sess=,stat="],  # noqa: S607 - wherever the system has it
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split() for line in listed.stdout.splitlines()]
    found = [int(pid) for pid, session, state in rows if int(session) == leader and state[0] != "Z"]
    return sorted(found, key=lambda pid: pid == leader)


def _clients(catalog: Catalog, *, token: str, port: int, folder: Path, seed: int) -> list[Client]:
    common = plan_for(catalog) | {"port": port, "seconds": 24 * 3600}
    return [
        start_client(
            common
            | {"kind": kind, "seed": seed + at, "log": str(folder / f"acknowledged-{kind}-{at}")},
            token=token,
        )
        for kind, count in CLIENTS.items()
        for at in range(count)
    ]


def _kill_one(deployment: _Deployment, chance: Random, trial: Trial) -> int:
    """Kill one process that the server started, and tell whether it was replaced."""
    before = session_of(deployment.server.pid)
    if len(before) > 1:
        _kill(chance.choice(before[:-1]), trial)
        wait_until_ready(deployment.port, deployment.server)
    return len(set(session_of(deployment.server.pid)) - set(before))


def _kill_leaders(deployment: _Deployment, trial: Trial) -> None:
    """Kill the server's first process and the worker, and give the others time to end."""
    for one in (deployment.server, deployment.worker):
        _kill(one.pid, trial)
    until = time.monotonic() + ALONE
    while (left := deployment.processes()) and time.monotonic() < until:
        time.sleep(0.1)
    trial.left_alone += len(left)


def _kill_all(deployment: _Deployment, chance: Random, trial: Trial) -> None:
    """Kill every process, also those that come up meanwhile."""
    while processes := deployment.processes():
        chance.shuffle(processes)
        for pid in processes:
            _kill(pid, trial)
            time.sleep(chance.uniform(0, 0.02))
    deployment.reap()


def _kill(pid: int, trial: Trial) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        trial.kills += 1


def look(trial: Trial, logs: Iterable[Path], *, now: datetime) -> None:
    """Compare what was acknowledged with what is there, and counts with spans."""
    acknowledged = [line.split() for log in logs for line in _whole_lines(log)]
    trial.acknowledged = len(acknowledged)
    trial.spans = Span.objects.count()
    trial.lost = sorted(
        _missing({one for kind, one in acknowledged if kind == "span"}, _spans)
        | _missing({one for kind, one in acknowledged if kind == "outcome"}, _outcomes)
        | _missing({one for kind, one in acknowledged if kind == "result"}, _results)
    )
    fold_all(now=now)
    counted = _counts()
    rebuild(now=now)
    again = _counts()
    trial.miscounted = sum(
        counted.get(place) != again.get(place) for place in counted.keys() | again.keys()
    )
    trial.damage = _damage()


def _whole_lines(log: Path) -> Iterator[str]:
    """Yield the lines of a log that were written whole."""
    return iter(log.read_text(encoding="utf-8").splitlines()) if log.exists() else iter(())


def _missing(ids: set[str], there: Callable[[list[str]], set[str]]) -> set[str]:
    """Return the ids that are not there."""
    wanted, missing = sorted(ids), set()
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        missing |= set(some) - there(some)
    return missing


def _spans(ids: list[str]) -> set[str]:
    found = Span.objects.filter(uid__in=[UUID(one) for one in ids])
    return {str(uid) for uid in found.values_list("uid", flat=True)}


def _results(ids: list[str]) -> set[str]:
    found = Span.objects.filter(call__in=[UUID(one) for one in ids], name=Span.Name.RESULT)
    return {str(uid) for uid in found.values_list("call", flat=True)}


def _outcomes(ids: list[str]) -> set[str]:
    found = Run.objects.filter(run_id__in=ids, spans__name=Span.Name.OUTCOME).exclude(outcome="")
    return set(found.values_list("run_id", flat=True))


def _counts() -> Mapping[tuple[object, ...], object]:
    """Return every row of counts by what it counts."""
    return {
        (table.time, *table.place(row)): row.counts
        for table in (HOURS, DAYS, WEEKS)
        for row in table.model.objects.all()
    }


def _damage() -> str:
    """Return what the database itself finds wrong with its file or its indexes, "" for nothing."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA integrity_check")
            said = "; ".join(row[0] for row in cursor.fetchall())
            cursor.execute("PRAGMA foreign_key_check")
            orphans = len(cursor.fetchall())
            return ("" if said == "ok" else said) + (f"; {orphans} orphans" if orphans else "")
        cursor.execute(
            "SELECT count(*) FROM routing_text t LEFT JOIN routing_span s"
            " ON s.id = t.span_id WHERE s.id IS NULL"
        )
        orphans = cursor.fetchone()[0]
        return f"{orphans} orphans" if orphans else ""
