"""What an agent asks for: each function is one request, one answer and one write transaction."""

from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from time import perf_counter_ns
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Q, Subquery

from routing.admission import Admitted, NotFound, admit, route_for
from routing.answers import ExpansionAnswer, SelectionAnswer, Tokens, offered_names
from routing.compiled import CompiledRelease, compiled_release
from routing.exploration import explores
from routing.inserting import insert
from routing.keys import note_use
from routing.models import ApiKey, Run, Span
from routing.models.run import API
from routing.references import Reference
from routing.selection import Circumstances, ConfidenceSource, Query, Selection, expand, select
from routing.spans import new_uid, task_hash, write_span


class RunExists(Exception):
    """The key already has a run of this id."""


@dataclass(frozen=True, slots=True)
class SelectionRequest:
    """A selection as an agent asks for it: a null route or phase in ``query`` is the run's."""

    reference: Reference
    query: Query
    run_id: str | None = None
    format: str = "native"
    source: str = API
    traceparent: str = ""


def select_tools(*, key: ApiKey, request: SelectionRequest, now: datetime) -> SelectionAnswer:
    """Choose tools for a task and put the choice on record: two reads with the key's, one write.

    Raises what ``admit`` and ``route_for`` raise, and the selection's own errors for names in the
    query that do not stand.
    """
    try:
        return _select_tools(key=key, request=request, now=now)
    except IntegrityError:
        # Another request began the same run meanwhile: go on in it.
        return _select_tools(key=key, request=request, now=now)


def _select_tools(*, key: ApiKey, request: SelectionRequest, now: datetime) -> SelectionAnswer:
    started = perf_counter_ns()
    admitted = admit(key=key, reference=request.reference, run_id=request.run_id)
    release = admitted.release
    uid = new_uid(now=now)
    run = admitted.run or _new_run(
        key=key, release=release, run_id=request.run_id or str(uid), source=request.source, now=now
    )
    query = replace(
        request.query,
        route=route_for(asked=request.query.route, key=key, admitted=admitted),
        phase=request.query.phase or run.phase or None,
    )
    share = release.document["settings"]["exploration"]
    circumstances = Circumstances(explore=explores(key=key.pk, run_id=run.run_id, share=share))
    selection = select(query, release.index, circumstances)
    tokens = Tokens(
        selected=release.selection_tokens(selection), catalog=release.catalog_tokens(query.route)
    )
    with transaction.atomic():
        if run.pk is None:
            run.route, run.phase = query.route or "", selection.phase or ""
            insert(run)
        write_span(
            run=run,
            name=Span.Name.ROUTE,
            now=now,
            uid=uid,
            words=_words(admitted, task=query.task, history=list(query.history)),
            source=request.source,
            format=request.format,
            traceparent=request.traceparent,
            route=query.route or "",
            channel=f"{query.channel.kind}:{query.channel.value}" if query.channel else "",
            task_hash=task_hash(query.task),
            inclusive=bool(query.inclusive),
            switched_off=sorted(circumstances.switched_off),
            tokens_selected=tokens.selected,
            tokens_catalog=tokens.catalog,
            latency_us=(perf_counter_ns() - started) // 1000,
            **_span_fields(release, selection),
        )
        note_use(key=key, now=now)
    return SelectionAnswer(
        id=str(uid),
        run_id=run.run_id,
        release=release,
        selection=selection,
        tokens=tokens,
        format=request.format,
    )


def _words(admitted: Admitted, **words: Any) -> dict[str, Any] | None:
    return words if admitted.keep_text else None


def _span_fields(release: CompiledRelease, selection: Selection) -> dict[str, Any]:
    assumed = selection.confidence_source is ConfidenceSource.ASSUMED
    return {
        "groups": list(selection.groups),
        "groups_count": len(selection.groups),
        "proposed_groups": list(selection.proposed_groups),
        "confidence": None if assumed else selection.confidence,
        "confidence_source": selection.confidence_source.value,
        "strategy": selection.strategy.value,
        "decided_by": selection.decided_by.value,
        "fallback": selection.fallback.value if selection.fallback else "",
        "failure": (selection.failure or "")[:500],
        "offered": list(selection.tools),
        "request_group": bool(selection.requestable),
        "omitted_counts": dict(selection.omitted_counts),
        "near_misses": [
            [release.position(miss.tool), miss.score, miss.reason.value]
            for miss in selection.omitted
        ],
        "phase": selection.phase or "",
        "max_tools": selection.max_tools,
        "explored": selection.explored,
    }


def _new_run(
    *, key: ApiKey, release: CompiledRelease, run_id: str, source: str, now: datetime, **more: Any
) -> Run:
    return Run(
        key=key,
        run_id=run_id,
        catalog_id=release.catalog_id,
        release_id=release.pk,
        source=source,
        started_at=now,
        **more,
    )


def expand_group(
    *, key: ApiKey, selection_id: UUID, group: str, reason: str, now: datetime
) -> ExpansionAnswer:
    """Open one more group after a selection. Everything offered before keeps its place.

    Raises ``NotFound``, ``UnknownGroup`` and ``GroupNotAllowed``.
    """
    with transaction.atomic():
        spans = _selection_and_expansions(key=key, selection_id=selection_id)
        first, *expansions = spans
        release = compiled_release(first.release_id)
        before = list(chain.from_iterable(span.offered for span in expansions))
        added = expand(
            release.index,
            route=first.route or None,
            group=group,
            offered=[release.names[tool] for tool in chain(first.offered, before)],
            circumstances=Circumstances(),
        )
        opened = dict.fromkeys([*first.groups, *(span.group for span in expansions), group])
        selected = spans[-1].tokens_selected + release.count(added)
        span = write_span(
            run=first.run,
            name=Span.Name.EXPAND,
            now=now,
            words={"reason": reason} if first.run.catalog.keep_text and reason else None,
            selection=first,
            group=group,
            groups=list(opened),
            groups_count=len(opened),
            offered=list(added),
            route=first.route,
            phase=first.phase,
            source=first.source,
            format=first.format,
            tokens_selected=selected,
            tokens_catalog=first.tokens_catalog,
        )
        note_use(key=key, now=now)
    return ExpansionAnswer(
        id=str(span.uid),
        run_id=first.run.run_id,
        release=release,
        group=group,
        groups=tuple(opened),
        added=added,
        tool_names=tuple(
            offered_names(
                release,
                first.offered,
                request_group=first.request_group,
                added=[*before, *added],
            )
        ),
        tokens=Tokens(selected=selected, catalog=first.tokens_catalog),
        format=first.format,
    )


def _selection_and_expansions(*, key: ApiKey, selection_id: UUID) -> list[Span]:
    """Return a selection's span and those of its expansions, oldest first, and hold them."""
    # A join on the selection's id would read every span there is; a subquery uses both indexes.
    selection = Span.objects.filter(uid=selection_id, key=key).values("pk")
    spans = list(
        Span.objects.filter(Q(uid=selection_id, key=key) | Q(selection__in=selection))
        .filter(name__in=[Span.Name.ROUTE, Span.Name.EXPAND])
        .select_related("run__catalog")
        .select_for_update(of=("self",))
        .order_by("id")
    )
    if not spans or spans[0].name != Span.Name.ROUTE:
        raise NotFound("There is no such selection for this key.")
    return spans


def start_run(
    *,
    key: ApiKey,
    reference: Reference,
    now: datetime,
    run_id: str | None = None,
    route: str | None = None,
    phase: str | None = None,
    actor: str = "",
    budget: dict[str, Any] | None = None,
    case_id: str = "",
    source: str = API,
) -> tuple[Run, CompiledRelease]:
    """Begin a run before its first selection, so that what it may do is narrowed from the start.

    Raises ``RunExists``, what ``admit`` and ``route_for`` raise, and ``UnknownPhase`` and
    ``UnknownRoute``.
    """
    admitted = admit(key=key, reference=reference, run_id=run_id)
    if admitted.run is not None:
        raise RunExists(run_id)
    release = admitted.release
    route = route_for(asked=route, key=key, admitted=admitted)
    release.index.route(route)
    resolved = release.index.phase(phase)
    run = _new_run(
        key=key,
        release=release,
        run_id=run_id or str(new_uid(now=now)),
        source=source,
        now=now,
        route=route or "",
        phase=resolved.name if resolved else "",
        actor=actor,
        budget=budget or {},
        case_id=case_id,
    )
    try:
        with transaction.atomic():
            insert(run)
            note_use(key=key, now=now)
    except IntegrityError as error:
        raise RunExists(run_id) from error
    return run, release


def record_outcome(
    *, key: ApiKey, run_id: str, status: str, stop_reason: str, now: datetime
) -> Span:
    """Say how a run ended. A later word corrects an earlier one, and both are kept.

    Raises ``NotFound``.
    """
    with transaction.atomic():
        run = _run_with_last_selection(key=key, run_id=run_id)
        if run is None:
            raise NotFound("There is no such run for this key.")
        Run.objects.filter(pk=run.pk).update(outcome=status, stop_reason=stop_reason)
        span = write_span(
            run=run,
            name=Span.Name.OUTCOME,
            now=now,
            selection_id=run.last_selection,  # type: ignore[attr-defined]
            status=status,
            stop_reason=stop_reason,
            source=run.source,
            route=run.route,
            phase=run.phase,
        )
        note_use(key=key, now=now)
    return span


def _run_with_last_selection(*, key: ApiKey, run_id: str) -> Run | None:
    selections = Span.objects.filter(run=OuterRef("pk"), name=Span.Name.ROUTE)
    last = selections.order_by("-id").values("pk")[:1]
    runs = Run.objects.filter(key=key, run_id=run_id).annotate(last_selection=Subquery(last))
    return runs.select_for_update(of=("self",)).first()
