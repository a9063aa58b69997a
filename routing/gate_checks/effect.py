"""What a change of the draft that is not saved yet does to some tasks; nothing is kept.

Two hundred of them at most, those of the part that is edited before others: it answers a person who
waits, and is no check.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

from catalog.models import Catalog
from catalog.publishing import DraftHasProblems, FrozenDraft
from routing import encoding
from routing.datasets.naming import names_of_document, names_of_draft
from routing.datasets.rows import value_of
from routing.gate.rules import CASE, gate_set, rules_of
from routing.gate_checks.asking import SEED
from routing.gate_checks.recent import draw, read_tasks
from routing.gate_checks.reporting import report_of
from routing.gate_checks.rows import Row
from routing.gate_checks.trying import Side, Task, try_tasks
from routing.models import EvalCase
from routing.preview import compiled_draft
from routing.releases import served_now
from routing.selection import Encoder, compile_index, texts_to_embed
from routing.selection.encoders import memory_of
from routing.vectors import stored_vectors

MOST = 200
MOST_MADE = 500
"""Vectors of the changed draft that are made while somebody waits."""


class TooMuch(Exception):
    """So many vectors are missing that nobody would want to wait."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What was tried on the draft and on the draft with the change, as a check reports it."""

    report: dict[str, Any]
    rows: Sequence[Row]


def effect_of(
    catalog: Catalog, changed: FrozenDraft, *, about: Sequence[str], now: datetime
) -> Effect:
    """Return what a changed draft does to tasks that the draft serves, those ``about`` tools first.

    Raises ``DraftHasProblems`` where either could not be published, ``TooMuch``, and what encoders
    do.
    """
    if changed.problems:
        raise DraftHasProblems(list(changed.problems))
    before = compiled_draft(catalog, now=now)
    later = names_of_draft(catalog)
    rows = try_tasks(
        Side(index=before.index, names=names_of_document(before.document, later=later)),
        _side(catalog, changed),
        _tasks(catalog, about=frozenset(about), now=now),
    )
    return Effect(report_of(rows, seed=SEED), rows)


def _side(catalog: Catalog, changed: FrozenDraft) -> Side:
    served = served_now(catalog, changed)
    encoder = encoding.load_encoder(encoding.wanted(), patient=False)
    index = compile_index(
        changed.value,
        encoder=encoder,
        vectors=_vectors(changed, encoder) if encoder is not None else {},
        **served.compiling,
    )
    return Side(index=index, names=names_of_document(changed.value))


def _vectors(changed: FrozenDraft, encoder: Encoder) -> dict[str, Any]:
    """Return the vectors of a draft that nobody saved; what is made of it is not kept."""
    texts = texts_to_embed(changed.value)
    found = stored_vectors(hashes=texts, encoder_name=encoder.name)
    missing = [digest for digest in texts if digest not in found]
    if len(missing) > MOST_MADE:
        raise TooMuch
    if missing:
        made = memory_of(encoder).vectors([texts[digest] for digest in missing])
        found.update(zip(missing, made, strict=True))
    return found


def _tasks(catalog: Catalog, *, about: frozenset[str], now: datetime) -> list[Task]:
    """Return cases of the gate set, those that need a tool first, then tasks of last week."""
    rules = rules_of(catalog)
    cases = gate_set(catalog, datasets=rules.datasets, part=rules.part)
    listed = list(cases.order_by("pk").values_list("pk", "expected_tools"))
    Random(SEED).shuffle(listed)  # noqa: S311 - a fair sample, not a secret
    listed.sort(key=lambda one: not about.intersection(one[1]))
    chosen = EvalCase.objects.in_bulk([pk for pk, _ in listed[:MOST]])
    found = [Task(kind=CASE, ref=pk, case=value_of(row)) for pk, row in chosen.items()]
    if len(found) < MOST:
        found += read_tasks(draw(catalog, until=now, most=MOST - len(found), seed=SEED), until=now)
    return found
