"""A case as a row of the database, and as the value that evaluations take."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from routing.evaluation.cases import Case
from routing.models import EvalCase, Run
from routing.paths.expected import read_path
from routing.paths.script import read_script
from routing.selection import Channel
from routing.spans import keyed_hash

MOST_DIGITS = 10


def case_id(case: EvalCase) -> str:
    """Return what a run that is to be held against a case names as its ``case_id``."""
    return f"{case.dataset.name}/{case.number}"


def case_of_run(run: Run) -> EvalCase | None:
    """Return the case that a run names, with its dataset; ``None`` where there is none of it."""
    dataset, _, number = run.case_id.rpartition("/")
    if not (number.isascii() and number.isdecimal() and len(number) < MOST_DIGITS):
        return None
    rows = EvalCase.objects.select_related("dataset").filter(dataset__catalog=run.catalog_id)
    return rows.filter(dataset__name=dataset, number=int(number)).first()


def value_of(row: EvalCase) -> Case:
    """Return a row as a value; ``where`` is its number."""
    return Case(
        where=str(row.number),
        task=row.task,
        needs=tuple((name, *row.alternatives.get(name, ())) for name in row.expected_tools),
        expected_groups=tuple(row.expected_groups),
        history=tuple(row.history),
        phase=row.phase or None,
        channel=read_channel(row.channel),
        route=row.route or None,
        not_expected=tuple(row.not_expected),
        vague=row.vague,
        tags=tuple(row.tags),
        language=row.language,
        notes=row.notes,
        weight=row.weight,
        path=read_path(row.path),
        simulation=read_script(row.simulation),
    )


def fields_of(case: Case) -> dict[str, Any]:
    """Return what a row keeps of a case, by the names of its fields."""
    return {
        "digest": digest_of(case),
        "task": case.task,
        "history": list(case.history),
        "phase": case.phase or "",
        "channel": written_channel(case.channel),
        "route": case.route or "",
        "expected_tools": list(case.expected_tools),
        "expected_groups": list(case.expected_groups),
        "alternatives": {name: list(others) for name, others in case.alternatives.items()},
        "not_expected": list(case.not_expected),
        "vague": case.vague,
        "tags": list(case.tags),
        "language": case.language,
        "notes": case.notes,
        "weight": case.weight,
        "path": case.path.record(),
        "simulation": case.simulation.record(),
    }


def record_of(case: Case) -> dict[str, Any]:
    """Return a case as a JSON value, as files hold it; what says nothing is left out."""
    channel = {"kind": case.channel.kind, "value": case.channel.value} if case.channel else None
    said = fields_of(case) | {"channel": channel, "weight": case.weight if case.weight != 1 else 0}
    required = {name: said.pop(name) for name in ("task", "expected_tools")}
    del said["digest"]
    return required | {name: value for name, value in said.items() if value}


def mark_of(row: EvalCase) -> str:
    """Return a mark of what a case asks, for what is kept longer than its words; 32 digits.

    Without the server's key nobody can tell by it what the words may have been.
    """
    return keyed_hash(row.digest)[:32]


def digest_of(case: Case) -> str:
    """Return the hash of what a case asks, whatever it expects."""
    asked: Sequence[object] = (
        case.task.strip(),
        list(case.history),
        case.phase or "",
        written_channel(case.channel),
        case.route or "",
    )
    return sha256(json.dumps(asked).encode()).hexdigest()


def read_channel(text: str) -> Channel | None:
    """Return the channel that ``written_channel`` wrote."""
    kind, _, value = text.partition(":")
    return Channel(kind=kind, value=value) if value else None


def written_channel(channel: Channel | None) -> str:
    """Return a channel as a row keeps it."""
    return f"{channel.kind}:{channel.value}" if channel else ""
