"""Choose the tools of a task."""

from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter_ns
from typing import Any

from django.db import IntegrityError, transaction

from routing.admission import Admitted, admit, route_for
from routing.answers import SelectionAnswer, Tokens
from routing.circuits import switched_off
from routing.compiled import CompiledRelease
from routing.deferral import deferred_tools
from routing.exploration import explores
from routing.inserting import insert
from routing.keys import note_use
from routing.llm.selecting import Ask, ask_once, select_routed
from routing.models import ApiKey, Run, Span
from routing.models.run import API, CASE
from routing.references import Reference
from routing.selection import (
    Circumstances,
    ConfidenceSource,
    Query,
    Selection,
    Strategy,
)
from routing.services.running import move_run, new_run
from routing.spans import new_uid, task_hash, write_span


@dataclass(frozen=True, slots=True)
class SelectionRequest:
    """A selection as an agent asks for it: a null route or phase in ``query`` is the run's.

    A re-selection ``follows`` a selection, a span's primary key, and says by its position in the
    document which tool that one ``missed``: the agent called it and was not offered it.
    """

    reference: Reference
    query: Query
    run_id: str | None = None
    format: str = "native"
    tool_search: bool = False
    source: str = API
    traceparent: str = ""
    follows: int | None = None
    missed: int | None = None


def select_tools(*, key: ApiKey, request: SelectionRequest, now: datetime) -> SelectionAnswer:
    """Choose tools for a task and put the choice on record: two reads with the key's, one write.

    Where a router model is asked, no transaction is open meanwhile, and it is asked once.

    A selection by ``state_machine`` in another phase moves the run there. Raises what ``admit`` and
    ``route_for`` raise, and the selection's own errors for names in the query that do not stand and
    for a phase that the run may not move to; ``RunConflict`` if the run has just moved elsewhere.
    """
    ask = ask_once()
    try:
        return _select_tools(key=key, request=request, ask=ask, now=now)
    except IntegrityError:
        # Another request began the same run meanwhile: go on in it.
        return _select_tools(key=key, request=request, ask=ask, now=now)


def _select_tools(
    *, key: ApiKey, request: SelectionRequest, ask: Ask, now: datetime
) -> SelectionAnswer:
    started = perf_counter_ns()
    admitted = admit(key=key, reference=request.reference, run_id=request.run_id)
    release = admitted.release
    uid = new_uid(now=now)
    run = admitted.run or new_run(
        key=key, release=release, run_id=request.run_id or str(uid), source=request.source, now=now
    )
    query = replace(
        request.query,
        route=route_for(asked=request.query.route, key=key, admitted=admitted),
        phase=request.query.phase or run.phase or None,
    )
    # Both arms of a case are to meet the same.
    share = 0 if run.case_id else release.document["settings"]["exploration"]
    circumstances = Circumstances(
        switched_off=switched_off(
            release.catalog_id, route=query.route, now=now, some=admitted.has_circuits
        ),
        explore=explores(key=key.pk, run_id=run.run_id, share=share),
        came_from=run.phase or release.index.settings.initial_phase,
    )
    routed = select_routed(release=release, query=query, circumstances=circumstances, ask=ask)
    selection = routed.selection
    tokens = Tokens(
        selected=release.selection_tokens(selection), catalog=release.catalog_tokens(query.route)
    )
    deferred = (
        deferred_tools(
            release.index,
            route=query.route,
            offered=selection.tools,
            switched_off=circumstances.switched_off,
        )
        if request.tool_search
        else ()
    )
    with transaction.atomic():
        came_from = run.phase
        if run.pk is None:
            run.route, run.phase = query.route or "", selection.phase or ""
            insert(run)
        elif selection.decided_by is Strategy.STATE_MACHINE:
            move_run(run, to=selection.phase or "")
        span = write_span(
            run=run,
            name=Span.Name.ROUTE,
            now=now,
            uid=uid,
            words=_words(admitted, query),
            source=CASE if run.case_id else request.source,
            selection_id=request.follows,
            tool=request.missed,
            format=request.format,
            tool_search=request.tool_search,
            traceparent=request.traceparent,
            route=query.route or "",
            channel=f"{query.channel.kind}:{query.channel.value}" if query.channel else "",
            task_hash=task_hash(query.task) if query.task else "",
            # As it was in force, so that the selection can be made again.
            inclusive=(
                release.index.settings.inclusive if query.inclusive is None else query.inclusive
            ),
            details={"open_groups": list(query.open_groups)} if query.open_groups else None,
            switched_off=sorted(circumstances.switched_off),
            tokens_selected=tokens.selected,
            tokens_catalog=tokens.catalog,
            latency_us=(perf_counter_ns() - started) // 1000,
            router=routed.router.record() if routed.router else None,
            **_span_fields(release, selection),
        )
        if admitted.run is not None and run.phase != came_from:
            _note_move(run, selection=span, came_from=came_from)
        note_use(key=key, now=now)
    return SelectionAnswer(
        id=str(uid),
        run_id=run.run_id,
        release=release,
        selection=selection,
        tokens=tokens,
        format=request.format,
        router=routed.router,
        route=query.route,
        deferred=deferred,
    )


def _note_move(run: Run, *, selection: Span, came_from: str) -> None:
    write_span(
        run=run,
        name=Span.Name.PHASE,
        now=selection.time,
        selection=selection,
        source=selection.source,
        route=selection.route,
        phase=run.phase,
        details={"came_from": came_from or None},
    )


def _words(admitted: Admitted, query: Query) -> dict[str, Any] | None:
    if not query.task:
        return None
    return admitted.keeping.kept({"task": query.task, "history": list(query.history)})


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
