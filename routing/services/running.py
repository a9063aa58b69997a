"""Begin runs, and say how they ended."""

from datetime import datetime
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from routing.admission import NotFound, RunConflict, admit, route_for
from routing.compiled import CompiledRelease
from routing.datasets.rows import case_of_run
from routing.fetching import Fetch
from routing.inserting import insert
from routing.keys import note_use, within_reach
from routing.models import ApiKey, Run, Span
from routing.models.run import API, CASE
from routing.partitions.since import ids_since
from routing.references import Reference
from routing.spans import new_uid, write_span


class RunExists(Exception):
    """The key already has a run of this id."""


class MayNotTest(Exception):
    """The key begins no run that names a case: such a run is no traffic."""


class UnknownCase(Exception):
    """The catalog has no case that is called so."""


def new_run(
    *, key: ApiKey, release: CompiledRelease, run_id: str, source: str, now: datetime, **more: Any
) -> Run:
    """Return a run that has not begun yet: it is not in the database."""
    return Run(
        key=key,
        run_id=run_id,
        catalog_id=release.catalog_id,
        release_id=release.pk,
        source=source,
        started_at=now,
        **more,
    )


def move_run(run: Run, *, to: str) -> None:
    """Bring a run into another phase, if it still is in the one that it was read in.

    Raises ``RunConflict`` where another request has moved it meanwhile.
    """
    if to == run.phase:
        return
    if not Run.objects.filter(pk=run.pk, phase=run.phase).update(phase=to):
        raise RunConflict(f"The run “{run.run_id}” has just moved to another phase.")
    run.phase = to


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

    One that names a case is no traffic, and no chart counts it: so the key has to grant that, and
    it must be a case that there is. Raises ``RunExists``, ``MayNotTest``, ``UnknownCase``, what
    ``admit`` and ``route_for`` raise, and ``UnknownPhase`` and ``UnknownRoute``.
    """
    if case_id and ApiKey.Action.TEST.value not in key.actions:
        raise MayNotTest("This key does not grant “test”: its runs name no case.")
    admitted = admit(key=key, reference=reference, run_id=run_id)
    if admitted.run is not None:
        raise RunExists(run_id)
    release = admitted.release
    route = route_for(asked=route, key=key, admitted=admitted)
    release.index.route(route)
    resolved = release.index.phase(phase)
    run = new_run(
        key=key,
        release=release,
        run_id=run_id or str(new_uid(now=now)),
        source=CASE if case_id else source,
        now=now,
        route=route or "",
        phase=resolved.name if resolved else "",
        actor=actor,
        budget=budget or {},
        case_id=case_id,
    )
    if case_id and case_of_run(run) is None:
        raise UnknownCase(f"There is no case “{case_id}” in this catalog.")
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
        run = _RUN[key.all_catalogs].first(key=key.pk, run_id=run_id)
        if run is None:
            raise NotFound("There is no such run for this key.")
        Run.objects.filter(pk=run.pk).update(outcome=status, stop_reason=stop_reason)
        last = _LAST_SELECTION.first(run=run.pk, since=ids_since(run.started_at))
        span = write_span(
            run=run,
            name=Span.Name.OUTCOME,
            now=now,
            selection_id=last.pk if last else None,
            status=status,
            stop_reason=stop_reason,
            source=run.source,
            route=run.route,
            phase=run.phase,
        )
        note_use(key=key, now=now)
    return span


def _run(*, key: int, run_id: str, everywhere: bool) -> "QuerySet[Run]":
    reach = within_reach(key=key, everywhere=everywhere)
    return Run.objects.filter(reach, key_id=key, run_id=run_id).select_for_update(of=("self",))


def _last_selection(*, run: int, since: int) -> "QuerySet[Span]":
    selections = Span.objects.filter(run_id=run, name=Span.Name.ROUTE, pk__gte=since)
    return selections.order_by("-pk").only("pk")


# By whether the key reaches every catalog.
_RUN = {
    everywhere: Fetch(partial(_run, everywhere=everywhere), key=int, run_id=str)
    for everywhere in (False, True)
}
_LAST_SELECTION = Fetch(_last_selection, run=int, since=int)
