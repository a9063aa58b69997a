"""Take a version in from a file: read it, look at what it would change, write it into the draft."""

from datetime import datetime

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from catalog.access import NEEDS, Action
from catalog.models import Catalog, PendingImport
from catalog.publishing import freeze_and_check
from catalog.views.requests import PageRequest, catalog_or_404
from catalog.whole_versions import (
    DraftMoved,
    NotAVersion,
    ReadVersion,
    read_version,
    renumbered,
    take_in,
)
from dashboard.forms.catalogs import RewriteForm, VersionFileForm
from dashboard.imports import make_room
from dashboard.rewriting import preview_of, rewrite_context

MOST_RENUMBERED = 50
# What marks a pending import as a whole version: no format of tools is called so.
WHOLE = "version"


@require_http_methods(["GET", "HEAD", "POST"])
def version_file(request: PageRequest, catalog: str) -> HttpResponse:
    """Take a file, check it, and go on to what it would change."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    form = VersionFileForm(request.POST or None, request.FILES or None)
    status = 422 if request.method == "POST" else 200
    faults: tuple[object, ...] = ()
    if request.method == "POST" and form.is_valid():
        upload = form.cleaned_data["document"]
        try:
            read = read_version(upload.read(), sha256=form.cleaned_data["sha256"])
        except NotAVersion as refused:
            faults = refused.faults
        else:
            pending = _keep(request, of, read, name=upload.name, now=timezone.now())
            return redirect("dashboard:take_in", catalog=catalog, file=pending.uid)
    context = {"catalog": of, "form": form, "faults": faults}
    return render(request, "dashboard/version_file.html", context, status=status)


def _keep(
    request: PageRequest, catalog: Catalog, read: ReadVersion, *, name: str, now: datetime
) -> PendingImport:
    make_room(_waiting(request, catalog), now=now)
    mark = "" if read.as_exported else " *"
    return PendingImport.objects.create(
        catalog=catalog,
        by=request.user,
        source=name[:190] + mark,
        format_name=WHOLE,
        content=read.content,
        created_at=now,
    )


def _waiting(request: PageRequest, catalog: Catalog) -> QuerySet[PendingImport]:
    return PendingImport.objects.filter(catalog=catalog, by=request.user, format_name=WHOLE)


@require_http_methods(["GET", "HEAD", "POST"])
def take_in_version(request: PageRequest, catalog: str, file: str) -> HttpResponse:
    """Show what a version that was read would change of the draft, and write it into the draft."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    one = get_object_or_404(_waiting(request, of), uid=file)
    read = read_version(bytes(one.content))
    form = RewriteForm(request.POST or None)
    if request.method != "POST":
        return _page(request, of, one, read)
    if not form.is_valid():
        return _page(request, of, one, read, status=422)
    try:
        take_in(
            catalog=of,
            version=read,
            reviewed_sha256=form.cleaned_data["reviewed"],
            note=form.cleaned_data["reason"] or one.source,
            now=timezone.now(),
        )
    except DraftMoved:
        return _page(request, of, one, read, status=409)
    one.delete()
    _tell(request, of, read)
    return redirect("dashboard:versions", catalog=catalog)


def _tell(request: PageRequest, catalog: Catalog, read: ReadVersion) -> None:
    """Say whether publishing the draft unchanged makes the very version that was taken in."""
    if freeze_and_check(Catalog.objects.get(pk=catalog.pk)).sha256 == read.sha256:
        said = _(
            "The draft is the version that was taken in: published unchanged, it has the SHA-256 "
            "%(sha256)s."
        )
    else:
        said = _("The draft says what the version says, but is not the same byte for byte.")
    messages.success(request, said % {"sha256": read.sha256})


def _page(
    request: PageRequest,
    catalog: Catalog,
    pending: PendingImport,
    read: ReadVersion,
    *,
    status: int = 200,
) -> HttpResponse:
    preview = preview_of(catalog, document=read.value)
    others = renumbered(catalog=catalog, version=read)
    context = {
        "catalog": catalog,
        "pending": pending,
        "version": read,
        "twin": catalog.versions.filter(sha256=read.sha256).order_by("-number").first(),
        "other_name": read.value["catalog"] != catalog.name,
        "renumbered": others[:MOST_RENUMBERED],
        "renumbered_left": max(0, len(others) - MOST_RENUMBERED),
        **rewrite_context(request, preview),
        "draft_changed": status == 409,
    }
    return render(request, "dashboard/take_in.html", context, status=status)
