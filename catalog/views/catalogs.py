"""The list of catalogs."""

from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from catalog.models import Catalog, Group, Tool
from catalog.views.requests import PageRequest


@require_safe
def catalogs(request: PageRequest) -> HttpResponse:
    """Show the catalogs that the person may see, each with its size and its newest version."""
    seen = Catalog.objects.visible_to(request.user).annotate(
        tool_count=_count(Tool.objects.all()),
        group_count=_count(Group.objects.all()),
        newest=Max("versions__number"),
    )
    return render(request, "catalog/catalogs.html", {"catalogs": seen})


def _count(parts: "QuerySet[Tool] | QuerySet[Group]") -> Coalesce:
    # A subquery each: joined, every tool would be counted beside every group.
    own = parts.filter(catalog=OuterRef("pk")).order_by().values("catalog")
    return Coalesce(Subquery(own.annotate(count=Count("pk")).values("count")), 0)
