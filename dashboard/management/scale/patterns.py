"""Runs to make copies of: those of a simulated quarter, as rows that a database takes as they are.

Whoever copies a run changes its ids and times; what a step says, and which step belongs to which,
stays.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from django.db import models

from catalog.samples import SAMPLES
from dashboard.demo import ensure_sample
from routing.models import Run, Span, Text, ToolCall
from routing.simulation import simulate

Values = tuple[Any, ...]
"""A row's values in the order of ``columns``."""
MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Step:
    """A span of a run, so many microseconds after it began.

    ``selection`` and ``call`` are the places of the steps that it names, ``text`` its words.
    """

    values: Values
    after: int
    selection: int | None
    call: int | None
    text: Values | None


@dataclass(frozen=True, slots=True)
class Call:
    """An allowed call: the places of its first proposal, its selection and its last result."""

    values: Values
    proposal: int
    selection: int
    result: int | None
    leased: int
    settled: int | None


@dataclass(frozen=True, slots=True)
class Pattern:
    """A run with its steps and calls, which took so many microseconds."""

    values: Values
    steps: tuple[Step, ...]
    calls: tuple[Call, ...]
    lasted: int


@dataclass(frozen=True, slots=True)
class Patterns:
    """The runs of the first half of the time, and of the second, when one catalog is edited."""

    halves: tuple[Sequence[Pattern], Sequence[Pattern]]

    @property
    def mean_steps(self) -> float:
        """Return how many spans a run has on average."""
        runs = [*self.halves[0], *self.halves[1]]
        return sum(len(run.steps) for run in runs) / len(runs)


def simulated_patterns(
    *,
    until: datetime,
    days: int,
    tasks: int,
    seed: int,
    say: Callable[[str], object],
    samples: Iterable[str] = SAMPLES,
) -> Patterns:
    """Publish samples, let simulated agents work on them for some days, and return what they did.

    What is there already is made no second time.
    """
    for name in samples:
        ensure_sample(name=name, author=None, now=until - timedelta(days=days + 1))
    simulated = simulate(until=until, tasks=tasks, days=days, seed=seed, say=say)
    half = simulated.begins + (simulated.ends - simulated.begins) / 2
    runs = list(Run.objects.filter(run_id__startswith=f"sim-{seed}-").order_by("pk"))
    made = _patterns(runs)
    halves = tuple(
        [made[run.pk] for run in runs if run.pk in made and (run.started_at >= half) is second]
        for second in (False, True)
    )
    return Patterns(halves=(halves[0] or halves[1], halves[1] or halves[0]))


@cache
def columns(model: type[models.Model]) -> Mapping[str, int]:
    """Return the columns of a model's table, each with its place in a row."""
    fields = model._meta.concrete_fields  # noqa: SLF001 - Django's public way to the columns
    return {field.column: place for place, field in enumerate(fields)}


def ready(row: models.Model) -> Values:
    """Return a row's values as both databases take them: JSON and UUIDs as text, times later."""
    return tuple(
        _ready(field, getattr(row, field.attname))
        for field in row._meta.concrete_fields  # noqa: SLF001 - as above
    )


def _ready(field: "models.Field[Any, Any]", value: object) -> object:
    if value is None:
        return None
    if isinstance(field, models.JSONField):
        return json.dumps(value)
    return value.hex if isinstance(value, UUID) else value


def _patterns(runs: Sequence[Run]) -> dict[int, Pattern]:
    """Return the pattern of each run that has steps."""
    pks = [run.pk for run in runs]
    spans: dict[int, list[Span]] = {pk: [] for pk in pks}
    for span in Span.objects.filter(run__in=pks).order_by("pk"):
        spans[span.run_id].append(span)
    calls: dict[int, list[ToolCall]] = {pk: [] for pk in pks}
    for call in ToolCall.objects.filter(run__in=pks).order_by("pk"):
        calls[call.run_id].append(call)
    texts = {text.pk: text for text in Text.objects.filter(run__in=pks)}
    return {
        run.pk: _pattern(run, spans[run.pk], calls[run.pk], texts) for run in runs if spans[run.pk]
    }


def _pattern(
    run: Run, spans: Sequence[Span], calls: Sequence[ToolCall], texts: Mapping[int, Text]
) -> Pattern:
    by_pk = {span.pk: place for place, span in enumerate(spans)}
    by_uid = {span.uid: place for place, span in enumerate(spans)}

    def after(moment: datetime) -> int:
        return max((moment - run.started_at) // MICROSECOND, 0)

    steps = [
        Step(
            values=ready(span),
            after=after(span.time),
            selection=by_pk.get(span.selection_id or 0),
            call=by_uid.get(span.call) if span.call else None,
            text=ready(texts[span.pk]) if span.pk in texts else None,
        )
        for span in spans
    ]
    return Pattern(
        values=ready(run),
        steps=tuple(steps),
        calls=tuple(
            Call(
                values=ready(call),
                proposal=by_uid[call.uid],
                selection=by_pk[call.selection_id],
                result=by_pk.get(call.result_id or 0),
                leased=after(call.leased_until),
                settled=after(call.settled_at) if call.settled_at else None,
            )
            for call in calls
        ),
        lasted=max(step.after for step in steps),
    )
