"""Encode the tasks of many runs in few calls, before their selections ask for the vectors.

Several texts in one call cost less each. The vectors lie in the memory that every selection of the
process reads, so that a selection finds what it would have made itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from routing.selection import Index, Strategy
from routing.selection.encoders import memory_of
from routing.selection.reading import texts_read
from routing.selection.rules import matching_intents
from routing.simulation.plan import PlannedRun

BATCH = 64
_BY_MEANING = (Strategy.AUTO, Strategy.EMBEDDING, Strategy.RULES_EMBEDDING)


def warm(*, runs: Iterable[PlannedRun], indexes: Mapping[str, Index]) -> None:
    """Make the vectors that the selections of ``runs`` will ask for; ``indexes`` by catalog."""
    for catalog, index in indexes.items():
        if index.encoder is None or index.settings.strategy not in _BY_MEANING:
            continue
        memory = memory_of(index.encoder)
        of_catalog = (run for run in runs if run.catalog == catalog)
        texts = iter(dict.fromkeys(text for run in of_catalog for text in _texts(run, index)))
        while batch := list(islice(texts, BATCH)):
            memory.vectors(batch)


def _texts(run: PlannedRun, index: Index) -> Iterator[str]:
    """Yield what an encoder reads of a run; nothing of a step that rules decide."""
    if run.channel in index.channels:
        return
    for step in range(len(run.steps)):
        history = run.history_before(step)
        if matching_intents(index.intent_rules, run.task, history):
            continue
        yield from texts_read(run.task, history)
