"""What a request is about: the catalog, the release and the run, in one query.

Everything that a key may not reach does not exist here: the query itself leaves it out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from routing.compiled import CompiledRelease, compiled_release
from routing.keeping import Keeping
from routing.models import ApiKey, Run
from routing.references import Reference


class NotFound(Exception):
    """What was named does not exist, or not for this key."""


class RunConflict(Exception):
    """A run keeps what it began with, and the request names something else."""


class NoRoute(ValueError):
    """The catalog has routes and the request leaves open which one is meant."""


class RouteNotAllowed(Exception):
    """The key may not use the route."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """A request's surroundings; ``run`` is ``None`` where the run has not begun.

    ``has_circuits`` tells whether any circuit of the catalog is not closed: where none is, nobody
    needs to read how they stand.
    """

    release: CompiledRelease
    keeping: Keeping
    has_circuits: bool
    run: Run | None


# Written out, since building it from querysets takes Django thirty times as long as the database
# needs to answer it, and every request asks it.
_ADMIT = """
SELECT catalog.id, catalog.keep_text,
       CASE WHEN catalog.redact_text THEN catalog.redactions ELSE '' END AS redactions,
       catalog.text_days, {release} AS release_id,
       {circuits} AS has_circuits,
       run.id, run.catalog_id, run.release_id, run.route, run.phase, run.case_id
FROM catalog_catalog AS catalog
LEFT JOIN routing_run AS run ON run.key_id = %(key)s AND run.run_id = %(run_id)s
WHERE catalog.name = %(catalog)s AND NOT catalog.archived AND {reachable}
"""
_BY_LABEL = """(
    SELECT CASE WHEN move.removed THEN NULL ELSE move.release_id END
    FROM routing_labelmove AS move
    WHERE move.catalog_id = catalog.id AND move.label = %(label)s
    ORDER BY move.id DESC LIMIT 1
)"""
_BY_VERSION = """(
    SELECT release.id FROM routing_release AS release
    JOIN catalog_catalogversion AS version ON version.id = release.version_id
    WHERE release.catalog_id = catalog.id AND version.number = %(version)s
    ORDER BY release.number DESC LIMIT 1
)"""
_CIRCUITS = """EXISTS (
    SELECT 1 FROM routing_circuit AS circuit
    WHERE circuit.catalog_id = catalog.id AND circuit.closed_at IS NULL
)"""
_REACHED_BY_THE_KEY = """EXISTS (
    SELECT 1 FROM routing_apikey_catalogs AS reach
    WHERE reach.apikey_id = %(key)s AND reach.catalog_id = catalog.id
)"""


def admit(*, key: ApiKey, reference: Reference, run_id: str | None = None) -> Admitted:
    """Find the release that a reference means and the run that goes on. One read.

    Raises ``NotFound`` and ``RunConflict``.
    """
    statement = _ADMIT.format(
        release=_BY_LABEL if reference.version is None else _BY_VERSION,
        circuits=_CIRCUITS,
        reachable="TRUE" if key.all_catalogs else _REACHED_BY_THE_KEY,
    )
    values = {
        "catalog": reference.catalog,
        "label": reference.label,
        "version": reference.version,
        "key": key.pk,
        "run_id": run_id or "",
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row = cursor.fetchone()
    if row is None:
        raise NotFound(f"There is no catalog “{reference.catalog}” for this key.")
    catalog_id, keep_text, redactions, days, release_pk, has_circuits, *run_row = row
    run = _run(run_row, key=key, run_id=run_id)
    if run is not None and run.catalog_id != catalog_id:
        raise RunConflict(f"The run “{run_id}” belongs to another catalog.")
    if run is not None:
        release_pk = run.release_id
    if release_pk is None:
        raise NotFound(_missing(reference))
    release = compiled_release(release_pk)
    if run is not None and reference.version and not release.ref.endswith(f"@{reference.version}"):
        raise RunConflict(f"The run “{run_id}” began with {release.ref} and keeps it.")
    return Admitted(
        release=release,
        keeping=Keeping(nothing=not keep_text, redactions=redactions, days=days),
        has_circuits=bool(has_circuits),
        run=run,
    )


def _run(row: Sequence[Any], *, key: ApiKey, run_id: str | None) -> Run | None:
    if run_id is None or row[0] is None:
        return None
    fields = ("id", "catalog_id", "release_id", "route", "phase", "case_id")
    return Run(key=key, run_id=run_id, **dict(zip(fields, row, strict=True)))


def _missing(reference: Reference) -> str:
    if reference.version is not None:
        return f"{reference.catalog} has no version {reference.version}."
    return f"{reference.catalog} has nothing published as “{reference.label}”."


def route_for(*, asked: str | None, key: ApiKey, admitted: Admitted) -> str | None:
    """Return the route that a request runs on; ``None`` where the catalog has no routes.

    Raises ``RunConflict``, ``NoRoute``, ``RouteNotAllowed``; an unknown name is the selection's to
    refuse.
    """
    run = admitted.run
    if run is not None and (run.route or asked is None):
        if asked is not None and asked != run.route:
            raise RunConflict(f"The run “{run.run_id}” is on the route “{run.route}”.")
        return run.route or None
    known = [route["name"] for route in admitted.release.document["routes"]]
    if asked is not None:
        if asked in known and key.routes and asked not in key.routes:
            raise RouteNotAllowed(f"This key may not use the route “{asked}”.")
        return asked
    if not known:
        return None
    allowed: list[str] = [name for name in known if not key.routes or name in key.routes]
    if not allowed:
        raise RouteNotAllowed("This key may use none of the catalog's routes.")
    if len(allowed) > 1:
        raise NoRoute(f"Name the route: one of {', '.join(allowed)}.")
    return allowed[0]
