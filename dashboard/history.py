"""The versions of a catalog and the moves of its labels, as lists for people."""

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from catalog.models import Catalog, CatalogVersion
from routing.models import LabelMove, Preparation
from routing.models.release import LIVE
from routing.moves import last_move


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


def moves_of(catalog: Catalog, *, label: str = LIVE) -> "QuerySet[LabelMove]":
    """Return where a label was moved, newest first, with who moved it and from where."""
    return (
        LabelMove.objects.filter(catalog=catalog, label=label)
        .select_related("by", "release__version", "previous__release__version")
        .defer("release__version__document", "previous__release__version__document")
        .order_by("-id")
    )


def number_of(text: str) -> int:
    """Return a version's number as an address has it; 0, which no version has, for nonsense."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def newest_move(catalog: Catalog) -> int | None:
    """Return the id of the newest move of any label: what a reader of a page has seen."""
    moves = LabelMove.objects.filter(catalog=catalog).order_by("-id")
    return moves.values_list("pk", flat=True).first()


def shown_preparation(catalog: Catalog) -> Preparation | None:
    """Return what the worker is at for a catalog, or what failed since its label was moved."""
    # A new encoder that was overtaken by a publish is nobody's concern.
    overtaken = Q(problem=Preparation.Problem.STALE_BASE, kind=Preparation.Kind.ENCODER)
    told = Preparation.objects.filter(catalog=catalog).exclude(overtaken)
    newest = told.filter(Q(finished_at=None) | ~Q(problem="")).first()
    if newest is None or newest.finished_at is None:
        return newest
    # The move that made it stale came before its end: only a later one puts it to rest.
    last = last_move(catalog, label=newest.label)
    return None if last is not None and last.at > newest.finished_at else newest
