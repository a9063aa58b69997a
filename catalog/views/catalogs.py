"""The list of catalogs."""

from django.db.models import Count, Max
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from catalog.models import Catalog
from catalog.views.requests import PageRequest


@require_safe
def catalogs(request: PageRequest) -> HttpResponse:
    """Show the catalogs that the person may see, each with its size and its newest version."""
    seen = Catalog.objects.visible_to(request.user).annotate(
        tool_count=Count("tools", distinct=True),
        group_count=Count("groups", distinct=True),
        newest=Max("versions__number"),
    )
    return render(request, "catalog/catalogs.html", {"catalogs": seen})
