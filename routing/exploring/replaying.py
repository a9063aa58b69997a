"""Make a selection of the record again, on its own release or on another.

A span keeps all that its selection depended on: what was asked, what was switched off, whether the
run explored, what a router model said, and where the run came from. With the words of the task the
same pipeline gives the same answer on the same release. No model is asked again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import QuerySet

from routing.answers import offered_names
from routing.compiled import CompiledRelease, compiled_release
from routing.llm.selecting import select_routed
from routing.models import Span, Text
from routing.models.run import BATCH
from routing.partitions.since import ids_since
from routing.selection import (
    Channel,
    Circumstances,
    ConfidenceSource,
    ModelAnswer,
    Query,
    Selection,
    Strategy,
)
from routing.selection.index import Index
from routing.spans import task_hash
from routing.texts.aging import words_are_erased


class NotKept(Exception):
    """The words that the selection was made of are not on record; ``erased`` says why."""

    def __init__(self, *, erased: bool) -> None:
        super().__init__("erased" if erased else "not kept")
        self.erased = erased


class Note(StrEnum):
    """What has to be known to read a replay."""

    EXPLORED = "explored"
    SWITCHED_OFF = "switched_off"
    MODEL_RECORDED = "model_recorded"
    TEXT_CHANGED = "text_changed"
    FAILED_THEN = "failed_then"
    TOLD = "told"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """An answer to a task: what an agent was, or would be, offered.

    ``tools`` are names in the order served, ``request_group`` last. ``confidence`` is ``None``
    where it was assumed.
    """

    groups: tuple[str, ...]
    tools: tuple[str, ...]
    decided_by: str
    confidence: float | None
    fallback: str
    failure: str
    phase: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What was answered ``then``, and what ``release`` answers ``now``."""

    release: CompiledRelease
    is_own: bool
    then: Given
    now: Given
    notes: tuple[Note, ...]

    @property
    def is_same(self) -> bool:
        """Tell whether the same groups and tools are served, in the same order."""
        return (self.then.groups, self.then.tools) == (self.now.groups, self.now.tools)


def replay(span: Span, *, on: CompiledRelease) -> Replay:
    """Make the selection of a span again. Its ``text``, where one is kept, and ``run`` are read.

    What was asked like the settings of its own release is taken for not asked: on another release
    the settings of that one stand in. Raises ``NotKept`` and what ``select`` raises for names that
    the release does not have.
    """
    own = compiled_release(span.release_id)
    is_own = on.pk == own.pk
    query, circumstances = _asked(span, own.index)
    answer = ModelAnswer.from_record(span.router) if span.router else None
    routed = select_routed(
        release=on,
        query=query if is_own else _as_asked(query, own.index),
        circumstances=circumstances,
        ask=lambda *_question: answer,
        in_auto=answer is not None,
    )
    return Replay(
        release=on,
        is_own=is_own,
        then=_then(span, own),
        now=_now(routed.selection, on),
        notes=tuple(_notes(span)),
    )


def _asked(span: Span, index: Index) -> tuple[Query, Circumstances]:
    task, history = _words(span)
    kind, _, value = span.channel.partition(":")
    query = Query(
        task=task,
        history=history,
        phase=span.phase or None,
        channel=Channel(kind, value) if value else None,
        route=span.route or None,
        strategy=Strategy(span.strategy) if span.strategy else None,
        max_tools=span.max_tools or None,
        inclusive=span.inclusive,
        open_groups=tuple((span.details or {}).get("open_groups", ())),
    )
    return query, Circumstances(
        switched_off=frozenset(span.switched_off),
        explore=span.explored,
        came_from=_came_from(span) or index.settings.initial_phase,
    )


def _words(span: Span) -> tuple[str, tuple[str, ...]]:
    text = _text(span)
    if text is not None:
        return text.task, tuple(text.history)
    if span.task_hash:
        raise NotKept(erased=words_are_erased(span.run, said_at=span.time))
    return "", ()


def _text(span: Span) -> Text | None:
    return getattr(span, "text", None)


def _came_from(span: Span) -> str:
    """Return the phase that the run was in before a selection; empty where it was in none.

    Each move of a run is on record beside the selection that made it. A selection that began its
    run found no phase.
    """
    moves = _spans_of_its_run(span).filter(name=Span.Name.PHASE).order_by("pk")
    moved = [(one.selection_id, one.phase, one.details) for one in moves]
    before = [phase for selection, phase, _details in moved if (selection or 0) < span.pk]
    if before:
        return before[-1]
    if span.time == span.run.started_at and not _follows_any(span):
        return ""
    return _left(moved[0][2]) if moved else span.run.phase


def _follows_any(span: Span) -> bool:
    return _spans_of_its_run(span).filter(name=Span.Name.ROUTE, pk__lt=span.pk).exists()


def _spans_of_its_run(span: Span) -> "QuerySet[Span]":
    return Span.objects.filter(run=span.run_id, pk__gte=ids_since(span.run.started_at))


def _left(details: Mapping[str, str | None] | None) -> str:
    return (details or {}).get("came_from") or ""


def _as_asked(query: Query, index: Index) -> Query:
    """Return a query that leaves to the settings of a release what was asked as its own say."""
    settings = index.settings
    return replace(
        query,
        phase=None if query.phase == settings.initial_phase else query.phase,
        strategy=None if query.strategy is settings.strategy else query.strategy,
        max_tools=None if query.max_tools == settings.max_tools else query.max_tools,
        inclusive=None if query.inclusive == settings.inclusive else query.inclusive,
    )


def _then(span: Span, own: CompiledRelease) -> Given:
    return Given(
        groups=tuple(span.groups),
        tools=tuple(offered_names(own, span.offered, request_group=span.request_group)),
        decided_by=span.decided_by,
        confidence=span.confidence,
        fallback=span.fallback,
        failure=span.failure,
        phase=span.phase,
        tokens=span.tokens_selected,
    )


def _now(selection: Selection, release: CompiledRelease) -> Given:
    is_assumed = selection.confidence_source is ConfidenceSource.ASSUMED
    requestable = bool(selection.requestable)
    return Given(
        groups=selection.groups,
        tools=tuple(offered_names(release, selection.tools, request_group=requestable)),
        decided_by=selection.decided_by.value,
        confidence=None if is_assumed else selection.confidence,
        fallback=selection.fallback.value if selection.fallback else "",
        failure=selection.failure or "",
        phase=selection.phase or "",
        tokens=release.selection_tokens(selection),
    )


def _notes(span: Span) -> Iterator[Note]:
    text = _text(span)
    if span.explored:
        yield Note.EXPLORED
    if span.switched_off:
        yield Note.SWITCHED_OFF
    if span.router:
        yield Note.MODEL_RECORDED
    if text is not None and span.task_hash and task_hash(text.task) != span.task_hash:
        yield Note.TEXT_CHANGED
    if span.failure:
        yield Note.FAILED_THEN
    if span.source == BATCH:
        yield Note.TOLD
