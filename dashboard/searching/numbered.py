"""What is found by exactly what it is called: versions, labels, and runs by an id."""

import re
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog, CatalogVersion
from dashboard.searching.hits import Found, Hit
from routing.models import ApiKey, LabelMove, Run, Span
from routing.partitions.since import ids_since_uid

# “refunds@4”, “@4”, “refunds@staging”, “4”.
_VERSION = re.compile(r"(?:([a-z][a-z0-9-]{0,62})?@)?([0-9]{1,9})")
_LABEL = re.compile(r"([a-z][a-z0-9-]{0,62})?@([a-z][a-z0-9_-]{0,62})")
# A shorter beginning of an id says nothing.
SHORTEST = 4
LOOKED_AT = 200


def find_versions(query: str, *, within: "QuerySet[Catalog]", most: int) -> Found:
    """Return the versions of a number, or where a label is, in the catalogs ``within``."""
    said, hits = query.strip().lower(), []
    if found := _VERSION.fullmatch(said):
        rows = CatalogVersion.objects.filter(number=int(found[2]), catalog__in=within.values("pk"))
        rows = rows.filter(catalog__name=found[1]) if found[1] else rows
        read = rows.order_by("catalog__name").values_list("catalog__name", "number", "note")
        hits = [_version(*row, called=str(row[1])) for row in read[:most]]
    elif found := _LABEL.fullmatch(said):
        moves = LabelMove.objects.current(label=found[2]).filter(catalog__in=within.values("pk"))
        moves = moves.filter(catalog__name=found[1]) if found[1] else moves
        at = moves.order_by("catalog__name").values_list(
            "catalog__name", "release__version__number", "release__version__note"
        )
        hits = [_version(*row, called=found[2]) for row in at[:most]]
    return Found("versions", _("Versions"), "versions", hits)


def _version(catalog: str, number: int, note: str, *, called: str) -> Hit:
    url = reverse("dashboard:version", kwargs={"catalog": catalog, "number": number})
    detail = note if called == str(number) else gettext("version %(number)s") % {"number": number}
    return Hit(title=f"{catalog}@{called}", url=url, catalog=catalog, detail=detail)


def find_runs(query: str, *, within: "QuerySet[Catalog]", most: int) -> Found:
    """Return the runs whose id begins so, and the one that a selection or a call is of.

    The newest of the first ``LOOKED_AT`` that begin so: a beginning that more have says too little.
    Whole ids are found by an index; beginnings too, on SQLite.
    """
    said = query.strip()
    rows = Run.objects.filter(catalog__in=within.values("pk"))
    if uid := _uid(said):
        # A call has the uid of the span in which it was proposed.
        spans = Span.objects.filter(uid=uid, pk__gte=ids_since_uid(uid)).values("run")
        rows = rows.filter(Q(pk__in=spans) | Q(key__in=ApiKey.objects.values("pk"), run_id=said))
    elif len(said) >= SHORTEST and " " not in said and "\0" not in said:
        rows = rows.filter(_begins(said))
    else:
        rows = rows.none()
    read = rows.order_by("key_id", "run_id").only("run_id", "route", "started_at", "catalog__name")
    first = read.select_related("catalog")[:LOOKED_AT]
    newest = sorted(first, key=lambda run: (run.started_at, run.pk), reverse=True)
    return Found("runs", _("Runs"), "list-details", [_run(run) for run in newest[:most]])


def _run(run: Run) -> Hit:
    catalog = run.catalog.name
    url = reverse("dashboard:run", kwargs={"catalog": catalog, "run": run.pk})
    return Hit(title=run.run_id, url=url, catalog=catalog, detail=run.route)


def _begins(said: str) -> Q:
    """Return the condition that a run's id begins so.

    The index of ids begins with the key, of which there are few. SQLite compares bytes, so that a
    range of it is the ids that begin so; elsewhere an order of letters may be another.
    """
    begins = Q(key__in=ApiKey.objects.values("pk"), run_id__startswith=said)
    if connection.vendor == "sqlite":
        begins &= Q(run_id__gte=said, run_id__lt=said + "\U0010ffff")
    return begins


def _uid(said: str) -> UUID | None:
    try:
        return UUID(said)
    except ValueError:
        return None
