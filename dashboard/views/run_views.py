"""Named views of Runs: those of a person and those that the catalog's members share."""

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalog.access import NEEDS, Action, may, require
from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.forms.run_views import SavedViewForm
from dashboard.forms.runs import RunFilters
from dashboard.models import SavedView
from dashboard.run_chips import chips_of


@require_safe
def run_views(request: PageRequest, catalog: str) -> HttpResponse:
    """List the views that a person may open, each with what it asks for."""
    of = catalog_or_404(request, catalog)
    views = SavedView.objects.seen_by(person=request.user.pk, catalog=of.pk)
    rows = [
        {"view": view, **_filters(of, view.query), "changeable": _may_change(of, view)}
        for view in views.select_related("owner")
    ]
    return render(request, "dashboard/run_views.html", {"catalog": of, "rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
def new_run_view(request: PageRequest, catalog: str) -> HttpResponse:
    """Save the filters of the URL under a name."""
    of = catalog_or_404(request, catalog)
    filters = RunFilters(request.GET, catalog=of)
    if not filters.is_valid() or not filters.query():
        return redirect("dashboard:runs", catalog=of.name)
    view = SavedView(
        catalog=of, owner=request.user, query=filters.query(), created_at=timezone.now()
    )
    return _name(request, of, view)


@require_http_methods(["GET", "HEAD", "POST"])
def run_view(request: PageRequest, catalog: str, view: int) -> HttpResponse:
    """Rename a view, and share it or keep it to oneself."""
    of = catalog_or_404(request, catalog)
    return _name(request, of, _changeable(request, of, view))


@require_POST
def delete_run_view(request: PageRequest, catalog: str, view: int) -> HttpResponse:
    """Delete a view; the runs stay as they are."""
    of = catalog_or_404(request, catalog)
    one = _changeable(request, of, view)
    one.delete()
    messages.success(request, _("The view “%(name)s” is deleted.") % {"name": one.name})
    return redirect("dashboard:run_views", catalog=of.name)


def _name(request: PageRequest, catalog: Catalog, view: SavedView) -> HttpResponse:
    may_share = may(catalog, Action.SHARE_VIEWS)
    form = SavedViewForm(request.POST or None, instance=view, may_share=may_share)
    if request.method == "POST" and form.is_valid() and _keep(form):
        messages.success(request, _("The view “%(name)s” is saved.") % {"name": view.name})
        return redirect(f"{_runs_of(catalog)}?{view.query}")
    context = {"catalog": catalog, "form": form, **_filters(catalog, view.query)}
    status = 422 if request.method == "POST" else 200
    return render(request, "dashboard/run_view.html", context, status=status)


def _keep(form: SavedViewForm) -> bool:
    try:
        with transaction.atomic():
            one = SavedView.objects.select_for_update().filter(pk=form.instance.pk)
            if form.instance.pk is not None and not one.exists():
                raise Http404("deleted meanwhile")
            form.save()
    except IntegrityError:
        form.add_error("name", _("There is a view of this name already."))
        return False
    return True


def _filters(catalog: Catalog, query: str) -> dict[str, object]:
    """Return a view's query and its chips; it has none where a filter of it is no more."""
    filters = RunFilters(QueryDict(query), catalog=catalog)
    return {"query": query, "chips": list(chips_of(filters)) if filters.is_valid() else []}


def _changeable(request: PageRequest, catalog: Catalog, pk: int) -> SavedView:
    """Return a view that the person may change: their own, or as an editor a shared one."""
    seen = SavedView.objects.seen_by(person=request.user.pk, catalog=catalog.pk)
    view = get_object_or_404(seen.select_related("catalog", "owner"), pk=pk)
    if view.shared:
        require(catalog, NEEDS[Action.SHARE_VIEWS])
    return view


def _may_change(catalog: Catalog, view: SavedView) -> bool:
    return not view.shared or may(catalog, Action.SHARE_VIEWS)


def _runs_of(catalog: Catalog) -> str:
    return reverse("dashboard:runs", kwargs={"catalog": catalog.name})
