"""The list of catalogs, a new one, and the settings of one."""

from django.contrib import messages
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from catalog.access import NEEDS, Action, may_make_catalogs
from catalog.forms import CatalogSettingsForm
from catalog.models import Catalog, Group, Tool
from catalog.views.part import edit_part
from catalog.views.requests import PageRequest, catalog_or_404, role_to_send


@require_safe
def catalogs(request: PageRequest) -> HttpResponse:
    """Show the catalogs that the person may see, each with its size and its newest version."""
    seen = Catalog.objects.visible_to(request.user).annotate(
        tool_count=_count(Tool.objects.all()),
        group_count=_count(Group.objects.all()),
        newest=Max("versions__number"),
    )
    context = {
        "catalogs": seen,
        "archived": Catalog.objects.visible_to(
            request.user, role=NEEDS[Action.ARCHIVE], archived=True
        ),
        "may_make": may_make_catalogs(request.user),
    }
    return render(request, "catalog/catalogs.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def catalog_settings(request: PageRequest, catalog: str) -> HttpResponse:
    """Show how the selections of a catalog are made, or change it in the draft."""
    row = catalog_or_404(request, catalog, role=role_to_send(request, Action.EDIT))
    answer = edit_part(request, row, CatalogSettingsForm)
    if answer.saved:
        messages.success(request, _("The settings are saved."))
        return redirect("catalog:settings", catalog=catalog)
    context = {"catalog": row, "form": answer.form, "overtaken": answer.overtaken}
    return render(request, "catalog/settings.html", context, status=answer.status)


def _count(parts: "QuerySet[Tool] | QuerySet[Group]") -> Coalesce:
    # A subquery each: joined, every tool would be counted beside every group.
    own = parts.filter(catalog=OuterRef("pk")).order_by().values("catalog")
    return Coalesce(Subquery(own.annotate(count=Count("pk")).values("count")), 0)
