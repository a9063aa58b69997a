"""The tools of a catalog: a list with search and filters."""

from django.http import HttpResponse, QueryDict
from django.views.decorators.http import require_safe

from catalog.bulk import Chosen
from catalog.listing import NO_GROUP, ToolsQuery, list_tools
from catalog.models import Tool
from catalog.views.requests import PageRequest, catalog_or_404, render_page


@require_safe
def tools(request: PageRequest, catalog: str) -> HttpResponse:
    """Show a page of the tools that the search and the filters leave."""
    owner = catalog_or_404(request, catalog)
    listed = list_tools(catalog=owner, query=ToolsQuery.read(request.GET))
    ticked = Chosen.read(request.GET).ids
    shown = {tool.pk for tool in listed.page}
    context = {
        "catalog": owner,
        "ticked": set(ticked),
        "ticked_elsewhere": [pk for pk in ticked if pk not in shown],
        "every": _filters(request.GET),
        "list": listed,
        "no_group": NO_GROUP,
        "side_effects": Tool.SideEffect.choices,
    }
    return render_page(request, "catalog/tools.html", context, fragment="tool-list")


def _filters(values: QueryDict) -> str:
    """Return what of an address narrows the list, in whatever order it is shown."""
    filters = values.copy()
    for name in ("page", "sort", "chosen", "tool"):
        filters.pop(name, None)
    return filters.urlencode()
