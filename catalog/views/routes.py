"""The routes of a catalog: what each kind of request may reach, and what it may not."""

from collections.abc import Mapping

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from catalog.access import NEEDS, Action, Role
from catalog.forms.route import RouteForm
from catalog.models import Route
from catalog.reach import WORDS, Verdict, reach_of_routes
from catalog.views.part import edit_part, say_saved
from catalog.views.requests import PageRequest, catalog_or_404, render_page, role_to_send

TEMPLATE = "catalog/route.html"
EDITOR = NEEDS[Action.EDIT]
ROWS = 50
SHOWN: Mapping[str, tuple[Verdict, ...]] = {
    "reached": (Verdict.ALLOWED, Verdict.ALWAYS_ON),
    "effect": (Verdict.SIDE_EFFECT,),
    "denied": (Verdict.NOT_NAMED,),
}
LABELS = {
    "reached": gettext_lazy("Can be reached"),
    "effect": gettext_lazy("Side effect not allowed"),
    "denied": gettext_lazy("Not named"),
}


@require_safe
def routes(request: PageRequest, catalog: str) -> HttpResponse:
    """List the routes with what each can reach."""
    owner = catalog_or_404(request, catalog)
    rows = owner.routes.prefetch_related("groups").order_by("position", "id")
    page = Paginator(rows, ROWS).get_page(request.GET.get("page", "1"))
    reach = reach_of_routes(owner, list(page))
    lines = [(route, reach[route.pk]) for route in page]
    context = {"catalog": owner, "page": page, "lines": lines, "tools": owner.tools.count()}
    return render(request, "catalog/routes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def route(request: PageRequest, catalog: str, route: str) -> HttpResponse:
    """Show a route with its reach, or save it."""
    row = _route(request, catalog, route, role=role_to_send(request, Action.EDIT))
    answer = edit_part(request, row, RouteForm)
    if answer.saved:
        say_saved(request, answer)
        return redirect(answer.saved)
    # A refused form has put its values on the row; the page around it shows what is stored.
    stored = _route(request, catalog, route)
    context = {"catalog": stored.catalog, "part": stored, "form": answer.form}
    context |= {"overtaken": answer.overtaken} | _reach(request, stored)
    return render_page(request, TEMPLATE, context, fragment="reach", status=answer.status)


@require_http_methods(["GET", "HEAD", "POST"])
def new_route(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the form of a new route, or add it as the last one."""
    owner = catalog_or_404(request, catalog, role=EDITOR)
    answer = edit_part(request, Route(catalog=owner), RouteForm)
    if answer.saved:
        messages.success(request, _("“%(name)s” is added.") % {"name": answer.saved})
        return redirect(answer.saved)
    context = {"catalog": owner, "form": answer.form, "part": None}
    return render(request, TEMPLATE, context, status=answer.status)


@require_http_methods(["GET", "HEAD", "POST"])
def delete_route(request: PageRequest, catalog: str, route: str) -> HttpResponse:
    """Ask before a route is deleted; then delete it."""
    row = _route(request, catalog, route, role=EDITOR)
    if request.method == "POST":
        row.delete()
        messages.success(request, _("“%(name)s” is deleted.") % {"name": route})
        return redirect("catalog:routes", catalog=catalog)
    context = {"catalog": row.catalog, "part": row, "uses": ()}
    context |= {"question": _("Delete the route “%(name)s”?") % {"name": row.name}}
    context |= {"note": _("Agents that name it are refused from the next version on.")}
    return render(request, "catalog/delete.html", context)


def _route(request: PageRequest, catalog: str, name: str, *, role: Role = Role.VIEWER) -> Route:
    return get_object_or_404(catalog_or_404(request, catalog, role=role).routes, name=name)


def _reach(request: PageRequest, route: Route) -> dict[str, object]:
    """Return one page of the tools that can be reached, or of those that a reason keeps away."""
    reach = reach_of_routes(route.catalog, [route])[route.pk]
    show = request.GET.get("show", "")
    show = show if show in SHOWN else "reached"
    query = request.GET.get("q", "")[:200]
    tools = route.catalog.tools.search(query).filter(pk__in=reach.tools(*SHOWN[show]))
    rows = tools.only("name", "catalog", "side_effect", "enabled").order_by("position", "id")
    page = Paginator(rows, ROWS).get_page(request.GET.get("page", "1"))
    counts = [(key, LABELS[key], len(reach.tools(*verdicts))) for key, verdicts in SHOWN.items()]
    lines = [(tool, WORDS[reach.verdicts[tool.pk]]) for tool in page]
    return {
        "reach": reach,
        "show": show,
        "query": query,
        "page": page,
        "lines": lines,
        "counts": counts,
        "tool_count": len(reach.verdicts),
    }
