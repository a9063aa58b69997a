"""Restore: make the draft say again what a version says, after a look at what it would lose."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from catalog.access import NEEDS, Action
from catalog.documents import document_of
from catalog.models import Catalog, CatalogVersion
from catalog.views.requests import PageRequest, catalog_or_404
from catalog.whole_versions import DraftMoved
from catalog.whole_versions import restore as restore_version
from dashboard.forms.catalogs import RewriteForm
from dashboard.rewriting import preview_of, rewrite_context


@require_http_methods(["GET", "HEAD", "POST"])
def restore(request: PageRequest, catalog: str, number: int) -> HttpResponse:
    """Show what restoring a version would change of the draft, and do it."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    version = get_object_or_404(of.versions, number=number)
    form = RewriteForm(request.POST or None)
    if request.method != "POST":
        return _page(request, of, version)
    if not form.is_valid():
        return _page(request, of, version, status=422)
    try:
        done = restore_version(
            version=version,
            reviewed_sha256=form.cleaned_data["reviewed"],
            note=form.cleaned_data["reason"],
            now=timezone.now(),
        )
    except DraftMoved:
        return _page(request, of, version, status=409)
    said = _("The draft says what version %(number)s says. Nothing changed for agents.")
    if not done.entries:
        said = _("The draft says what version %(number)s says already.")
    messages.success(request, said % {"number": number})
    return redirect("dashboard:versions", catalog=catalog)


def _page(
    request: PageRequest, catalog: Catalog, version: CatalogVersion, *, status: int = 200
) -> HttpResponse:
    preview = preview_of(catalog, document=document_of(version))
    context = {
        "catalog": catalog,
        "version": version,
        **rewrite_context(request, preview),
        "draft_changed": status == 409,
    }
    return render(request, "dashboard/restore.html", context, status=status)
