"""The history of one tool."""

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.tool_history import revisions_of, served_revisions

REVISIONS = 20


@require_safe
def tool_history(request: PageRequest, catalog: str, tool: str) -> HttpResponse:
    """Show the revisions of a tool, each with what it changed, in words or as JSON."""
    of = catalog_or_404(request, catalog)
    as_json = request.GET.get("as") == "json"
    revisions = revisions_of(of, tool, as_json=as_json)
    if not revisions:
        raise Http404
    context = {
        "catalog": of,
        "tool": tool,
        "in_draft": of.tools.filter(name=tool).exists(),
        "served": served_revisions(of, tool).items(),
        "as_json": as_json,
        "page": Paginator(revisions, REVISIONS).get_page(request.GET.get("page")),
    }
    return render(request, "dashboard/tool_history.html", context)
