"""What an agent would ask for a case, and the vectors of many such questions made at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from routing.evaluation.cases import Case
from routing.selection import Index, Query, Strategy
from routing.selection.encoders import memory_of
from routing.selection.reading import texts_read


class Asking(Protocol):
    """What has a task and what was said before it: a case, or a query."""

    @property
    def task(self) -> str:
        """Return the task."""
        ...

    @property
    def history(self) -> Sequence[str]:
        """Return what was said before."""
        ...


def query_of(case: Case, index: Index, *, strategy: Strategy | None = None) -> Query:
    """Return what an agent would ask for a case; a phase counts only where there are any."""
    return Query(
        task=case.task,
        history=case.history,
        phase=case.phase if index.phases else None,
        channel=case.channel,
        route=case.route,
        strategy=strategy,
    )


def encode_ahead(index: Index, asked: Iterable[Asking]) -> None:
    """Have the vectors of tasks made at once, alike in length beside each other.

    Encoded together, texts cost less each; then they are only remembered. Raises what encoders do.
    """
    if index.encoder is None or index.vectors is None:
        return
    texts = {text for one in asked for text in texts_read(one.task, one.history)}
    # Of a batch whose cases are all passed over there are none.
    if texts:
        memory_of(index.encoder).vectors(sorted(texts, key=lambda text: (len(text), text)))
