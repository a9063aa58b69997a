"""Let the planned runs ask the services of ``routing``, on their own clock.

A seed names a simulation. Its keys remember when it began, its runs are numbered, and runs are
written whole, some hundreds to a transaction: one that was broken off goes on where it stopped,
and one that is complete is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice

from django.contrib.auth.models import User
from django.db import transaction

from routing.compiled import compiled_release
from routing.models import ApiKey, LabelMove, Run
from routing.models.run import SIMULATED
from routing.retention.boundary import kept_since
from routing.simulation.agents import Agent, Tally
from routing.simulation.edition import publish_half_way
from routing.simulation.plan import SHARES, PlannedRun, half_of, plan_month
from routing.simulation.standing import agents_keys
from routing.simulation.warming import warm

RUNS_A_TRANSACTION = 200


@dataclass(frozen=True, slots=True)
class Simulated:
    """What a simulation did: ``already`` runs were there, ``made`` are new, with their spans."""

    begins: datetime
    ends: datetime
    already: int
    made: int = 0
    tally: Tally = field(default_factory=Tally)


def simulate(
    *,
    until: datetime,
    say: Callable[[str], object],
    tasks: int = 6000,
    days: int = 30,
    seed: int = 1,
    approver: User | None = None,
) -> Simulated:
    """Simulate ``tasks`` runs in the ``days`` before ``until``, for the sample catalogs there are.

    What needs a person's approval is decided on by ``approver``, or else by nobody.

    The runs of a catalog that is not published are left out. A seed that was begun keeps the end
    that it was given first; with other numbers of tasks or days it adds nothing and says so. Runs
    of before the time since when they are kept stay away.
    Raises ``ValueError`` for less than an hour.
    """
    length = timedelta(days=days)
    keys, start = agents_keys(
        catalogs=[move.catalog for move in _live_moves()],
        seed=seed,
        start=until.replace(microsecond=0) - length,
    )
    half, end = half_of(start=start, days=days), start + length
    month = plan_month(seed=seed, start=start, tasks=tasks, days=days)
    plan = {_run_id(run, seed): run for run in month if run.catalog in keys}
    there = _on_record(keys)
    if any(run_id not in plan or plan[run_id].begins != at for run_id, at in there.items()):
        say(f"Seed {seed} was simulated with other numbers of tasks or days; choose another one.")
        return Simulated(begins=start, ends=end, already=len(there))
    # Runs that were dropped for their age are counted still, and would be once more.
    kept = kept_since() or start
    waiting = {
        run_id: run for run_id, run in plan.items() if run_id not in there and run.begins >= kept
    }
    if not waiting:
        say(f"All {len(there)} simulated runs of seed {seed} are there already.")
    tally, done, half_way = Tally(), 0, False
    for batch in _batches(waiting, at=half):
        if not half_way and _first(batch).begins >= half:
            half_way = True
            publish_half_way(now=half, say=say)
        _write(batch, keys, until=end, tally=tally, approver=approver)
        told, done = done, done + len(batch)
        if 10 * told // len(waiting) < 10 * done // len(waiting):
            say(f"Simulated {done} of {len(waiting)} runs.")
    return Simulated(begins=start, ends=end, already=len(there), made=done, tally=tally)


def _run_id(run: PlannedRun, seed: int) -> str:
    return f"sim-{seed}-{run.number:05}"


def _live_moves() -> list[LabelMove]:
    moves = LabelMove.objects.current().filter(catalog__name__in=SHARES, catalog__archived=False)
    return list(moves.select_related("catalog").order_by("catalog_id"))


def _on_record(keys: Mapping[str, ApiKey]) -> dict[str, datetime]:
    runs = Run.objects.filter(key__in=keys.values(), source=SIMULATED)
    return dict(runs.values_list("run_id", "started_at"))


def _batches(runs: Mapping[str, PlannedRun], *, at: datetime) -> Iterator[dict[str, PlannedRun]]:
    """Yield runs by id in transactions' worth, none of them on both sides of ``at``."""
    for second_half in (False, True):
        rest = ((key, run) for key, run in runs.items() if (run.begins >= at) == second_half)
        while batch := dict(islice(rest, RUNS_A_TRANSACTION)):
            yield batch


def _first(batch: Mapping[str, PlannedRun]) -> PlannedRun:
    return next(iter(batch.values()))


def _write(
    batch: Mapping[str, PlannedRun],
    keys: Mapping[str, ApiKey],
    *,
    until: datetime,
    tally: Tally,
    approver: User | None,
) -> None:
    # Encoding comes first: nobody should wait for it with the database locked.
    indexes = {move.catalog.name: compiled_release(move.release_id).index for move in _live_moves()}
    warm(runs=list(batch.values()), indexes=indexes)
    with transaction.atomic():
        for run_id, run in batch.items():
            agent = Agent(
                run,
                key=keys[run.catalog],
                run_id=run_id,
                until=until,
                tally=tally,
                approver=approver,
            )
            agent.carry_through()
