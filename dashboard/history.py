"""The versions of a catalog and the moves of its live label, as lists for people."""

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from catalog.models import Catalog, CatalogVersion
from routing.models import LabelMove, Preparation
from routing.models.release import LIVE


def versions_of(catalog: Catalog) -> "QuerySet[CatalogVersion]":
    """Return a catalog's versions, newest first, without their documents.

    Each has ``release``, the number of its newest one, and ``was_live``.
    """
    lived = LabelMove.objects.filter(label=LIVE, release__version=OuterRef("pk"))
    return (
        catalog.versions.defer("document")
        .select_related("author", "catalog")
        .annotate(release=Max("releases__number"), was_live=Exists(lived))
        .order_by("-number")
    )


def moves_of(catalog: Catalog) -> "QuerySet[LabelMove]":
    """Return where ``live`` was moved, newest first, with who moved it and from where."""
    return (
        LabelMove.objects.filter(catalog=catalog, label=LIVE)
        .select_related("by", "release__version", "previous__release__version")
        .defer("release__version__document", "previous__release__version__document")
        .order_by("-id")
    )


def shown_preparation(catalog: Catalog, *, live: LabelMove | None) -> Preparation | None:
    """Return what the worker is at for a catalog, or what failed since ``live`` was last moved."""
    # A new encoder that was overtaken by a publish is nobody's concern.
    overtaken = Q(problem=Preparation.Problem.STALE_BASE, kind=Preparation.Kind.ENCODER)
    told = Preparation.objects.filter(catalog=catalog).exclude(overtaken)
    newest = told.filter(Q(finished_at=None) | ~Q(problem="")).first()
    if newest is None or newest.finished_at is None:
        return newest
    # The move that made it stale came before its end: only a later one puts it to rest.
    return None if live is not None and live.at > newest.finished_at else newest
