"""The one door to circuits: how they stand, opening and closing them, probes and failures.

Writing takes part in the transaction of its caller, and is known in this process at once.
"""

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from catalog.models import Catalog
from catalog.publishing import lock
from catalog.recording import note_deed
from routing.circuit_board import board
from routing.circuit_counts import count_calls
from routing.compiled import CompiledRelease
from routing.models import Circuit, ToolCall
from routing.policy.circuits import (
    CAPABILITY,
    LIMITS,
    ROUTE,
    TOOL,
    Gate,
    Opening,
    Standing,
)
from routing.selection import CAPABILITY_OFF, ROUTE_OFF

NOTHING_OPEN = Standing()
MOST_OPENINGS = 1000
"""A circuit that opened so often in a row is counted no further."""


def standing(catalog_id: int) -> Standing:
    """Return how the circuits of a catalog stand, at most a second ago."""
    return board.standing(catalog_id)


def switched_off(
    catalog_id: int, *, route: str | None, now: datetime, some: bool = True
) -> frozenset[str]:
    """Return what a selection on a route must leave out, as ``Circumstances`` names it.

    ``some`` tells, where it is known, whether any circuit of the catalog is not closed: if not, no
    query is needed.
    """
    standing = board.standing(catalog_id) if some else NOTHING_OPEN
    if not standing.openings:
        return frozenset()
    off = set(standing.open_targets(kind=TOOL, now=now))
    off.update(CAPABILITY_OFF + name for name in standing.open_targets(kind=CAPABILITY, now=now))
    if route is not None and route in standing.open_targets(kind=ROUTE, now=now):
        off.add(ROUTE_OFF + route)
    return frozenset(off)


def open_by_hand(
    *,
    catalog: Catalog,
    kind: str,
    target: str,
    reason: str,
    until: datetime | None,
    by: User | None,
    now: datetime,
) -> Circuit:
    """Switch off a tool, capability, route or router model until a time, or until it is closed.

    One that is switched off already is so from now on for this reason and until this time: the row
    of before is closed, and there is no moment between.
    """
    with transaction.atomic():
        lock(catalog)
        before = Circuit.objects.unclosed().filter(catalog=catalog, kind=kind, target=target)
        before.filter(by_hand=True).update(closed_at=now, closed_by=by)
        opened = Circuit.objects.create(
            catalog=catalog,
            kind=kind,
            target=target,
            by_hand=True,
            reason=reason,
            opened_at=now,
            opened_by=by,
            until=until,
        )
        _changed(catalog.pk)
        note_deed(
            catalog=catalog,
            action="switch_off",
            kind="circuits",
            subject=f"{kind} {target}",
            after={"until": None if until is None else until.isoformat()},
            note=reason,
            by=by,
            now=now,
        )
    return opened


def close(*, catalog: Catalog, pk: int, by: User | None, now: datetime) -> Circuit | None:
    """Close a circuit, opened by whom or what ever; ``None`` where it is closed already."""
    with transaction.atomic():
        open_one = Circuit.objects.unclosed().filter(catalog=catalog, pk=pk)
        if not open_one.update(closed_at=now, closed_by=by):
            return None
        _changed(catalog.pk)
        closed = Circuit.objects.get(pk=pk)
        subject = f"{closed.kind} {closed.target}"
        note_deed(
            catalog=catalog, action="switch_on", kind="circuits", subject=subject, by=by, now=now
        )
    return closed


def close_expired(*, now: datetime) -> int:
    """Close those opened by hand whose time is over, and return how many.

    They let everything through already; this keeps what is read each second short.
    """
    expired = Circuit.objects.unclosed().filter(by_hand=True, until__lte=now)
    return expired.update(closed_at=F("until"))


def claim_probe(*, catalog_id: int, gate: Gate, until: datetime, now: datetime) -> bool:
    """Make a call the probe of every half-open circuit that it passes, or of none.

    ``until`` is how long the call may take. False where another call was first, and then the call
    must not be made. A gate with nothing half open is passed without a query.
    """
    if not gate.probing:
        return True
    try:
        with transaction.atomic():
            for opening in gate.probing:
                _claim(opening, until=until, now=now)
            _changed(catalog_id)
    except _Taken:
        board.drop(catalog_id)
        return False
    return True


class _Taken(Exception):
    """Another call is the probe already, or the circuit stands otherwise than was seen."""


def _claim(opening: Opening, *, until: datetime, now: datetime) -> None:
    seen = Circuit.objects.unclosed().filter(
        pk=opening.pk, until=opening.until, probe_until=opening.probe_until
    )
    lost = int(opening.probe_was_lost(now=now))
    openings = min(opening.openings + lost, MOST_OPENINGS)
    if not seen.update(probe_until=until, openings=openings):
        raise _Taken


def settle_probe(
    *,
    catalog_id: int,
    targets: Sequence[tuple[str, str]],
    until: datetime,
    failed: bool,
    now: datetime,
) -> None:
    """Say what came of a probe: its circuits, by kind and name, close or open for longer.

    ``until`` is what it was claimed with. Of a probe that was given up, for which another was let
    through or the circuit closed, nothing comes any more.
    """
    with transaction.atomic():
        probed = Circuit.objects.unclosed().of_failures(catalog_id, targets)
        # All take the rows in this order, so that no two wait for each other.
        for row in probed.filter(probe_until=until).order_by("id").select_for_update():
            if failed:
                row.openings = min(row.openings + 1, MOST_OPENINGS)
                row.until = now + LIMITS.pause_of(row.openings)
                row.probe_until = None
            else:
                row.closed_at = now
            row.save(update_fields=["openings", "until", "probe_until", "closed_at"])
        _changed(catalog_id)


def note_result(*, call: ToolCall, failed: bool, release: CompiledRelease, now: datetime) -> None:
    """Say how an attempt of a call ended: with a result, or in no time.

    A success costs no query, unless the call was a probe. What other transactions have not
    committed is not counted: failures at the same moment open a circuit with the next one.
    """
    of_call = ((TOOL, call.tool), (CAPABILITY, call.capability), (ROUTE, call.route))
    targets = [(kind, target) for kind, target in of_call if target]
    if call.is_probe:
        settle_probe(
            catalog_id=call.catalog_id,
            targets=targets,
            until=call.leased_until,
            failed=failed,
            now=now,
        )
    if not failed:
        return
    known = standing(call.catalog_id)
    for kind, target in targets:
        if known.unclosed(kind=kind, target=target) is None:
            _judge(call=call, kind=kind, target=target, release=release, now=now)


def open_for_failures(
    *, catalog_id: int, kind: str, target: str, reason: str, now: datetime
) -> None:
    """Open a circuit because of failures; where that happens twice at once, it is opened once."""
    opened = Circuit(
        catalog_id=catalog_id,
        kind=kind,
        target=target,
        by_hand=False,
        reason=reason,
        opened_at=now,
        until=now + LIMITS.pause_of(1),
    )
    with transaction.atomic():
        Circuit.objects.bulk_create([opened], ignore_conflicts=True)
        _changed(catalog_id)


def _judge(
    *, call: ToolCall, kind: str, target: str, release: CompiledRelease, now: datetime
) -> None:
    """Open a circuit whose newest calls failed too often.

    That of a capability or a route is opened by failures of several tools only: what one tool does
    is for its own circuit, and the others go on.
    """
    count = count_calls(
        catalog_id=call.catalog_id,
        kind=kind,
        target=target,
        tools=_tools_of(kind, target, release),
        now=now,
    )
    if not LIMITS.reached(settled=count.settled, failed=count.failed):
        return
    if kind == TOOL or count.tools > 1:
        open_for_failures(
            catalog_id=call.catalog_id,
            kind=kind,
            target=target,
            reason=reason_of(settled=count.settled, failed=count.failed),
            now=now,
        )


def _tools_of(kind: str, target: str, release: CompiledRelease) -> list[str]:
    """Return the names of the tools whose calls count for a circuit."""
    index = release.index
    if kind == TOOL:
        return [target]
    if kind == CAPABILITY:
        places = index.capabilities[target].tolist() if target in index.capabilities else []
    else:
        places = index.route(target).tools.nonzero()[0].tolist()
    return [index.tools[place] for place in places]


def reason_of(*, settled: int, failed: int) -> str:
    """Return why a circuit was opened by failures, as its row says it."""
    return f"{failed} of {settled} within {LIMITS.window.seconds} s failed."


def _changed(catalog_id: int) -> None:
    """Have this process read the circuits of a catalog anew, now and when all others can see it."""
    board.drop(catalog_id)
    transaction.on_commit(lambda: board.drop(catalog_id))
