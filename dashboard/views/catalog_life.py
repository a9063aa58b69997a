"""The life of a catalog: copied, taken out of use, brought back, deleted."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from catalog.access import NEEDS, Action, may_make_catalogs
from catalog.cloning import clone_catalog
from catalog.freezing import freeze
from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.forms.catalogs import DRAFT, ArchiveForm, CloneForm, DeleteCatalogForm
from dashboard.what_goes import what_goes
from routing import ending, jobs
from routing.working import is_working

# Marks a message without a button to undo: what has no pages cannot be undone there.
SETTLED = "settled"


@require_http_methods(["GET", "HEAD", "POST"])
def clone(request: PageRequest, catalog: str) -> HttpResponse:
    """Ask for the name of a copy and what it begins with, and make it."""
    of = catalog_or_404(request, catalog)
    if not may_make_catalogs(request.user):
        raise PermissionDenied(
            _("Whoever edits a catalog may make another: you need the role “editor” in one first.")
        )
    first = {"title": of.title, "begins_with": request.GET.get("from", DRAFT)}
    sent = request.POST if request.method == "POST" else None
    form = CloneForm(sent, catalog=of, initial=first)
    if form.is_valid() and (made := _clone_or_say(request, of, form)):
        said = _("“%(name)s” is made from “%(of)s”. Nothing of it is published yet.")
        messages.success(request, said % {"name": made.name, "of": of.name})
        return redirect("catalog:tools", catalog=made.name)
    status = 422 if form.is_bound else 200
    return render(request, "dashboard/clone.html", {"catalog": of, "form": form}, status=status)


def _clone_or_say(request: PageRequest, of: Catalog, form: CloneForm) -> Catalog | None:
    try:
        return _clone(request, of, **form.cleaned_data)
    except ValidationError as taken:
        form.add_error(None, taken)
        return None


def _clone(
    request: PageRequest, of: Catalog, *, name: str, title: str, begins_with: str
) -> Catalog:
    if begins_with == DRAFT:
        document: Any = freeze(of)
    else:
        document = of.versions.get(number=int(begins_with)).parsed()
    return clone_catalog(
        document=document,
        of=of,
        name=name,
        title=title,
        by=request.user,
        note=f"{of.name}@{begins_with}",
    )


@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: PageRequest, catalog: str) -> HttpResponse:
    """Say what archiving a catalog means, and do it."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ARCHIVE])
    form = ArchiveForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        ending.archive(catalog=of, note=form.cleaned_data["reason"], now=timezone.now())
        said = _("“%(name)s” is archived.") % {"name": of.name}
        messages.success(request, said, extra_tags=SETTLED)
        return redirect("catalog:catalogs")
    status = 422 if request.method == "POST" else 200
    return render(request, "dashboard/archive.html", {"catalog": of, "form": form}, status=status)


@require_POST
def unarchive(request: PageRequest, catalog: str) -> HttpResponse:
    """Bring an archived catalog back."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ARCHIVE], archived=True)
    ending.unarchive(catalog=of, now=timezone.now())
    said = _("“%(name)s” is back: agents are answered as before.")
    messages.success(request, said % {"name": of.name})
    return redirect("dashboard:versions", catalog=catalog)


@require_http_methods(["GET", "HEAD", "POST"])
def delete_catalog(request: PageRequest, catalog: str) -> HttpResponse:
    """Say what goes and what stays, ask for the name, and delete the catalog."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.DELETE_CATALOG], archived=None)
    at_once = ending.can_delete_at_once(of)
    form = DeleteCatalogForm(request.POST or None, catalog=of)
    if request.method == "POST" and form.is_valid():
        _delete(request, of, at_once=at_once)
        return redirect("catalog:catalogs")
    context = {
        "catalog": of,
        "form": form,
        "goes": what_goes(of),
        "at_once": at_once,
        "working": is_working(now=timezone.now()),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "dashboard/delete_catalog.html", context, status=status)


def _delete(request: PageRequest, catalog: Catalog, *, at_once: bool) -> None:
    ending.note_deletion(catalog=catalog, now=timezone.now())
    if at_once:
        ending.delete_catalog(catalog=catalog)
        said = _("“%(name)s” is deleted.")
    else:
        jobs.end_catalog.enqueue(catalog.pk)
        said = _("“%(name)s” is archived, and the worker deletes it: that takes some minutes.")
    messages.success(request, said % {"name": catalog.name}, extra_tags=SETTLED)
