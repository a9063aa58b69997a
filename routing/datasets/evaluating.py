"""Hold the accepted cases of a dataset against a release or the draft, batch by batch.

What was done stays done: a worker that is killed goes on with the batch that it was at. A selection
is a function of the document and the case, so that no more of it is kept than a list shows.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction

from routing.background import Watch, carrying_out, end
from routing.datasets.benching import bench_of, try_rows
from routing.datasets.naming import on_version
from routing.datasets.reporting import report_of
from routing.datasets.results import Result, read_all, read_curve, written
from routing.datasets.rows import value_of
from routing.datasets.splitting import split
from routing.datasets.sweeping import Sweeper, own_setting
from routing.models import EvalResults, EvalRun

CASES_AT_A_TIME = 64

Clock = Callable[[], datetime]


def carry_out(
    one: EvalRun,
    *,
    clock: Clock,
    stopping: Callable[[], bool],
    progress: Callable[[int, int], object] = lambda made, total: None,
) -> None:
    """Evaluate what is not done yet, and write the report.

    Raises ``Stopping`` after the batch in which ``stopping`` came true. Stops early where the run
    was cancelled.
    """
    watch = Watch(one=one, stopping=stopping, progress=progress)
    with carrying_out(one, clock=clock):
        split(one.dataset, patient=True)
        sweeper = Sweeper.of(bench_of(one, patient=True))
        done = set(EvalResults.objects.filter(run=one).values_list("start", flat=True))
        for begin in range(0, len(one.numbers), CASES_AT_A_TIME):
            if begin not in done:
                _batch(one, sweeper, begin)
            watch(min(begin + CASES_AT_A_TIME, len(one.numbers)), len(one.numbers))
        _report(one, sweeper, now=clock())


def _report(one: EvalRun, sweeper: Sweeper, *, now: datetime) -> None:
    """Write down what the results say, and that the run has ended."""
    results = results_of(one)
    if not results:
        end(one, at=now, problem=EvalRun.Problem.NOTHING)
        return
    cases = {
        row.number: bench_case
        for row in one.dataset.cases.filter(number__in=[result.number for result in results])
        if (bench_case := on_version(value_of(row), sweeper.bench.names)) is not None
    }
    kept = [result for result in results if result.number in cases]
    said = report_of(kept, cases, seed=one.seed) | _curve(one, sweeper)
    end(one, at=now, report=said)


def _curve(one: EvalRun, sweeper: Sweeper) -> dict[str, Any]:
    """Return what the report says of other settings, and which its own is."""
    tally = read_curve(EvalResults.objects.filter(run=one).values_list("rows", flat=True))
    if tally is None:
        return {}
    own = own_setting(sweeper.bench.index)
    return {"curve": tally.record() | {"own": [own.threshold, own.cap, own.inclusive]}}


def results_of(one: EvalRun) -> list[Result]:
    """Return what came of a run's cases so far, in their order."""
    return read_all(EvalResults.objects.filter(run=one).values_list("rows", flat=True))


def result_for(one: EvalRun, number: int) -> Result | None:
    """Return what came of one case of a run; ``None`` where it was not tried, or not yet."""
    if number not in one.numbers:
        return None
    place = one.numbers.index(number)
    batch = EvalResults.objects.filter(run=one, start__lte=place).order_by("-start").first()
    found = read_all([batch.rows]) if batch else []
    return next((result for result in found if result.number == number), None)


def _batch(one: EvalRun, sweeper: Sweeper, begin: int) -> None:
    numbers = one.numbers[begin : begin + CASES_AT_A_TIME]
    rows = {row.number: row for row in one.dataset.cases.accepted().filter(number__in=numbers)}
    trial = try_rows(sweeper.bench, list(rows.values()))
    skipped = {str(number): "gone" for number in numbers if number not in rows}
    skipped |= {str(number): "names" for number in trial.unknown}
    found = {result.number: written(result) for result in trial.results}
    made = {
        "rows": [found[number] for number in numbers if number in found],
        "curve": sweeper.tally(trial.cases).record(),
    }
    with transaction.atomic():
        EvalResults.objects.update_or_create(run=one, start=begin, defaults={"rows": made})
        if skipped:
            one.skipped = {**one.skipped, **skipped}
            one.save(update_fields=["skipped"])
