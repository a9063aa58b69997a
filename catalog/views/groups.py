"""The groups of a catalog: the matrix of tools against groups."""

from itertools import product

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from catalog.access import NEEDS, Action
from catalog.editing import Cell, EditRefused, set_memberships
from catalog.matrix import MatrixQuery, read_matrix
from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404, ids, render_page, role_to_send

MAX_CELLS = 5_000
TEMPLATE = "catalog/groups.html"


@require_http_methods(["GET", "HEAD", "POST"])
def groups(request: PageRequest, catalog: str) -> HttpResponse:
    """Show a page of the matrix; a plain form saves the cells of it that were changed."""
    owner = catalog_or_404(request, catalog, role=role_to_send(request, Action.EDIT))
    if request.method == "POST":
        return _save_shown(request, owner)
    matrix = read_matrix(catalog=owner, query=MatrixQuery.read(request.GET))
    context = {"catalog": owner, "matrix": matrix}
    return render_page(request, TEMPLATE, context, fragment="matrix")


@require_POST
def cells(request: PageRequest, catalog: str) -> HttpResponse:
    """Tick or clear each named tool in each named group: ``group`` and ``tool`` ids, ``on`` 1 or 0.

    Answers with the new figures of those groups and tools, or 422 with the reason.
    """
    owner = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    group_ids, tool_ids = ids(request.POST.getlist("group")), ids(request.POST.getlist("tool"))
    named = set(product(group_ids, tool_ids))
    on = request.POST.get("on")
    if on not in ("0", "1") or not 0 < len(named) <= MAX_CELLS:
        raise BadRequest("cells need group, tool and on")
    try:
        set_memberships(catalog=owner, **{"added" if on == "1" else "removed": named})
    except EditRefused as refusal:
        return render(request, f"{TEMPLATE}#refusal", {"reason": refusal.reason}, status=422)
    context = {
        "on": on == "1",
        "cell_count": len(named),
        "groups": list(owner.groups.filter(pk__in=group_ids).with_figures()),
        "tools": list(owner.tools.filter(pk__in=tool_ids).with_group_count()),
    }
    return render(request, f"{TEMPLATE}#saved", context)


def _save_shown(request: PageRequest, catalog: Catalog) -> HttpResponse:
    """Save what a person changed of the cells that the form showed; no other cell is touched.

    ``was`` holds the cells that were ticked when the form was made, ``cell`` those that are now.
    """
    was, now = _cells(request.POST.getlist("was")), _cells(request.POST.getlist("cell"))
    try:
        set_memberships(catalog=catalog, added=now - was, removed=was - now)
    except EditRefused as refusal:
        messages.error(request, refusal.reason)
    else:
        changed = len(now ^ was)
        messages.success(
            request,
            ngettext("%(count)d change saved.", "%(count)d changes saved.", changed)
            % {"count": changed}
            if changed
            else _("Nothing was changed."),
        )
        _tell_of_others(request, catalog, now)
    return redirect(request.get_full_path())


def _tell_of_others(request: PageRequest, catalog: Catalog, now: set[Cell]) -> None:
    """Say how many of the cells of the page are otherwise than the form left them."""
    matrix = read_matrix(catalog=catalog, query=MatrixQuery.read(request.GET))
    ticked = {(group, line.tool.pk) for line in matrix.lines for group, on in line.cells if on}
    if others := len(ticked ^ now):
        said = ngettext(
            "Somebody else changed %(count)d other tick meanwhile: it is kept, and shown now.",
            "Somebody else changed %(count)d other ticks meanwhile: they are kept, and shown now.",
            others,
        )
        messages.info(request, said % {"count": others})


def _cells(values: list[str]) -> set[Cell]:
    pairs = [value.partition("-") for value in values]
    found = ids(part for group, _dash, tool in pairs for part in (group, tool))
    return set(zip(found[::2], found[1::2], strict=True))
