"""One version: what it changed, and its document as a file."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from catalog.documents import document_of
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.history import number_of, versions_of
from dashboard.json_changes import json_changes
from dashboard.reviews import count_parts, version_changes
from routing.labels import labels_of
from routing.moves import current_move

# A page shows so many changed parts.
PARTS = 50


@require_safe
def version(request: PageRequest, catalog: str, number: int) -> HttpResponse:
    """Show what a version changed against the one before, or against any other."""
    of = catalog_or_404(request, catalog)
    this = get_object_or_404(versions_of(of).defer(None), number=number)
    against = of.versions.filter(number=number - 1).first()
    if request.GET.get("against"):
        against = get_object_or_404(of.versions, number=number_of(request.GET["against"]))
    page = Paginator(version_changes(against, this), PARTS).get_page(request.GET.get("page"))
    as_json = request.GET.get("as") == "json"
    context = {
        "catalog": of,
        "version": this,
        "labels": labels_of(of),
        "live": current_move(of),
        "against": against,
        "numbers": of.versions.exclude(number=number).values_list("number", flat=True),
        "counts": count_parts(page.paginator.object_list),
        "page": page,
        "as_json": as_json,
        "json_parts": json_changes(
            document_of(against) if against else None, document_of(this), page
        )
        if as_json
        else (),
    }
    return render(request, "dashboard/version.html", context)


@require_safe
def document(request: PageRequest, catalog: str, number: int) -> HttpResponse:
    """Hand out a version's canonical bytes as a file."""
    of = catalog_or_404(request, catalog)
    this = get_object_or_404(of.versions, number=number)
    name = f"{of.name}@{number}.json"
    return HttpResponse(
        bytes(this.document),
        content_type="application/json",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "ETag": f'"{this.sha256}"',
        },
    )
