"""Import: bring tools in from a text, a file, an address or a live MCP server, looking first."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from catalog.access import NEEDS, Action
from catalog.importing import Outcome, Preview, PreviewStale, apply_import
from catalog.models import Catalog, PendingImport
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.forms.imports import ImportForm
from dashboard.import_rows import sections_of
from dashboard.imports import Unreadable, choices_of, preview_of, take_in, waiting_in
from dashboard.templatetags.words import said
from routing.sources import SourceFailed

EDITOR = NEEDS[Action.EDIT]


@sensitive_post_parameters("header", "url")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def import_tools(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the ways in, or take a document in and go on to what it would do."""
    of = catalog_or_404(request, catalog, role=EDITOR)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ImportForm(*sent, catalog=of)
    if form.is_valid():
        try:
            pending = take_in(
                catalog=of, by=request.user, asked=form.cleaned_data, now=timezone.now()
            )
        except SourceFailed as error:
            form.add_error("url", _("Nothing came: %(reason)s") % {"reason": error})
        except Unreadable as error:
            form.add_error(None, [said(fault) for fault in error.faults])
        else:
            return redirect("dashboard:pending_import", catalog=of.name, pending=pending.uid)
    status = 422 if form.is_bound else 200
    waiting = waiting_in(of).filter(by=request.user).defer("content")
    context = {"catalog": of, "form": form, "waiting": waiting}
    return render(request, "dashboard/import.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def pending_import(request: PageRequest, catalog: str, pending: str) -> HttpResponse:
    """Show what importing a document would do, or do it."""
    of = catalog_or_404(request, catalog, role=EDITOR)
    one = get_object_or_404(waiting_in(of), uid=pending)
    one.catalog = of
    preview = preview_of(one)
    if request.method != "POST":
        return _page(request, of, one, preview)
    if "discard" in request.POST:
        one.delete()
        return redirect("dashboard:import_tools", catalog=of.name)
    if request.POST.get("reviewed") != preview.fingerprint:
        return _page(request, of, one, preview, status=409)
    try:
        outcome = apply_import(
            catalog=of,
            preview=preview,
            now=timezone.now(),
            choices=choices_of(request.POST, group=one.group),
        )
    except PreviewStale as stale:
        return _page(request, of, one, stale.preview, status=409)
    one.delete()
    messages.success(request, summary(outcome))
    # Tools come first on the way to a first version, and groups next.
    return redirect("catalog:tools" if of.groups.exists() else "dashboard:start", catalog=of.name)


def _page(
    request: PageRequest,
    catalog: Catalog,
    pending: PendingImport,
    preview: Preview,
    *,
    status: int = 200,
) -> HttpResponse:
    counts = preview.counts
    sent = request.POST
    context = {
        "catalog": catalog,
        "pending": pending,
        "preview": preview,
        "sections": sections_of(catalog, preview),
        "counts": {kind.value: count for kind, count in counts.items()},
        "ticked": {value for name in sent for value in sent.getlist(name)} if sent else set(),
        "moved_on": status == 409,
    }
    return render(request, "dashboard/pending_import.html", context, status=status)


def summary(outcome: Outcome) -> str:
    """Return what an import did, in one sentence."""
    out = len(outcome.refused) + len(outcome.faulty)
    told = (
        (len(outcome.added), ngettext("%(n)d added", "%(n)d added", len(outcome.added))),
        (
            len(outcome.brought_back),
            ngettext("%(n)d brought back", "%(n)d brought back", len(outcome.brought_back)),
        ),
        (len(outcome.changed), ngettext("%(n)d changed", "%(n)d changed", len(outcome.changed))),
        (len(outcome.removed), ngettext("%(n)d removed", "%(n)d removed", len(outcome.removed))),
        (
            len(outcome.kept),
            ngettext("%(n)d kept as edited here", "%(n)d kept as edited here", len(outcome.kept)),
        ),
        (
            outcome.unchanged,
            ngettext("%(n)d unchanged", "%(n)d unchanged", outcome.unchanged),
        ),
        (
            len(outcome.left),
            ngettext("%(n)d left as it was", "%(n)d left as they were", len(outcome.left)),
        ),
        (out, ngettext("%(n)d could not go in", "%(n)d could not go in", out)),
    )
    parts = ", ".join(words % {"n": count} for count, words in told if count)
    return _("Import of “%(source)s”: %(parts)s.") % {"source": outcome.source, "parts": parts}
