"""What a request is about: the catalog, the release and the run, in one query.

Everything that a key may not reach does not exist here: the query itself leaves it out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Subquery
from django.db.models.functions import JSONObject

from routing.compiled import CompiledRelease, compiled_release
from routing.keys import catalogs_of
from routing.models import ApiKey, LabelMove, Release, Run
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
    """A request's surroundings; ``run`` is ``None`` where the run has not begun."""

    release: CompiledRelease
    keep_text: bool
    run: Run | None


def admit(*, key: ApiKey, reference: Reference, run_id: str | None = None) -> Admitted:
    """Find the release that a reference means and the run that goes on. One read.

    Raises ``NotFound`` and ``RunConflict``.
    """
    runs = Run.objects.filter(key=key, run_id=run_id or "")
    row = (
        catalogs_of(key)
        .filter(name=reference.catalog)
        .annotate(
            release_pk=Subquery(_release_pk(reference)),
            run_row=Subquery(
                runs.values(
                    row=JSONObject(
                        id="id",
                        catalog_id="catalog_id",
                        release_id="release_id",
                        route="route",
                        phase="phase",
                    )
                )
            ),
        )
        .values("id", "keep_text", "release_pk", "run_row")
        .first()
    )
    if row is None:
        raise NotFound(f"There is no catalog “{reference.catalog}” for this key.")
    run = _run(row["run_row"], key=key, run_id=run_id)
    if run is not None and run.catalog_id != row["id"]:
        raise RunConflict(f"The run “{run_id}” belongs to another catalog.")
    release_pk = row["release_pk"] if run is None else run.release_id
    if release_pk is None:
        raise NotFound(_missing(reference))
    release = compiled_release(release_pk)
    if run is not None and reference.version and not release.ref.endswith(f"@{reference.version}"):
        raise RunConflict(f"The run “{run_id}” began with {release.ref} and keeps it.")
    return Admitted(release=release, keep_text=row["keep_text"], run=run)


def _release_pk(reference: Reference) -> Any:
    if reference.version is not None:
        releases = Release.objects.filter(
            catalog=OuterRef("pk"), version__number=reference.version
        ).order_by("-number")
        return releases.values("pk")[:1]
    moves = LabelMove.objects.filter(catalog=OuterRef("pk"), label=reference.label)
    return moves.order_by("-id").values("release_id")[:1]


def _run(row: Mapping[str, Any] | None, *, key: ApiKey, run_id: str | None) -> Run | None:
    return None if row is None or not run_id else Run(key=key, run_id=run_id, **row)


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
