"""Runs as a file, written while they are read: a line of JSON a run, or a row of CSV a span."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from dashboard.spreadsheets import csv_rows
from routing.api.bodies import timestamp
from routing.api.spans import span_value
from routing.exploring.asking import Asked
from routing.exploring.exporting import Told, told_runs
from routing.models import Run

RUN_COLUMNS = ("run", "run_id", "version", "key", "started_at", "outcome")
SPAN_COLUMNS = (
    "id",
    "selection",
    "time",
    "name",
    "source",
    "release",
    "route",
    "phase",
    "channel",
    "strategy",
    "decided_by",
    "confidence",
    "fallback",
    "groups",
    "group",
    "offered",
    "tool",
    "decision",
    "reason",
    "status",
    "attempt",
    "latency_us",
    "latency_ms",
    "tokens_selected",
    "tokens_catalog",
    "tokens",
    "cost",
    "stop_reason",
    "task",
    "arguments",
    "data",
)


def json_lines(asked: Asked) -> Iterator[str]:
    """Yield the lines in pieces, as a run may have more spans than are held at once."""
    for told in told_runs(asked):
        head = json.dumps(_run_value(told), ensure_ascii=False)
        yield f'{head.removesuffix("}")}, "spans": ['
        comma = ""
        for span in told.spans:
            yield comma + json.dumps(span_value(span, told.release), ensure_ascii=False)
            comma = ", "
        yield "]}\n"


def csv_lines(asked: Asked) -> Iterator[str]:
    """Yield a header and a row a span."""
    yield from csv_rows([RUN_COLUMNS + SPAN_COLUMNS])
    for told in told_runs(asked):
        yield from csv_rows(_rows(told))


WRITERS: Mapping[str, tuple[str, Callable[[Asked], Iterator[str]]]] = {
    "csv": ("text/csv; charset=utf-8", csv_lines),
    "jsonl": ("application/jsonl; charset=utf-8", json_lines),
}
"""By the ending of the file: what it is, and who writes it."""


def _rows(told: Told) -> Iterator[list[object]]:
    run = _run_value(told)
    first = [run[name] for name in RUN_COLUMNS]
    for span in told.spans:
        value = span_value(span, told.release)
        yield first + [_joined(value.get(name)) for name in SPAN_COLUMNS]


def _joined(value: object) -> object:
    """Return a list of names as words, which no name holds a space of."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    return value


def _run_value(told: Told) -> dict[str, Any]:
    run: Run = told.run
    erased = run.text_erased_at
    return {
        "run": run.pk,
        "run_id": run.run_id,
        "catalog": told.release.catalog,
        "version": told.release.ref,
        "release": told.release.number,
        "key": run.key.name,
        "route": run.route or None,
        "phase": run.phase or None,
        "actor": run.actor or None,
        "case_id": run.case_id or None,
        "source": run.source,
        "started_at": timestamp(run.started_at),
        "outcome": run.outcome or None,
        "stop_reason": run.stop_reason or None,
        "calls_spent": run.calls_spent,
        "tokens_spent": run.tokens_spent,
        "cost_spent": run.cost_spent,
        "text_erased_at": timestamp(erased) if erased else None,
    }
