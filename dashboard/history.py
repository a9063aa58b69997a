"""The versions of a catalog and the moves of its live label, as lists for people."""

from django.db.models import Exists, Max, OuterRef, QuerySet

from catalog.models import Catalog, CatalogVersion
from routing.models import LabelMove
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
