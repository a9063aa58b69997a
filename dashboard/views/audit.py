"""The audit log of a catalog: read, taken along as a file, and one operation of it taken back."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from catalog.access import NEEDS, Action, require
from catalog.recording import CannotUndo, undo
from catalog.views.requests import PageRequest, back, catalog_or_404
from dashboard.audit_export import WRITERS
from dashboard.audit_log import AuditQuery, entries_of, read_log
from dashboard.audit_words import ACTIONS, KINDS
from dashboard.streaming import file_of
from dashboard.undoing import action_to_undo, lost_page

READER = NEEDS[Action.AUDIT]


@require_safe
def audit(request: PageRequest, catalog: str) -> HttpResponse:
    """Show what was done in a catalog, newest first."""
    of = catalog_or_404(request, catalog, role=READER)
    query = AuditQuery.read(request.GET)
    context = {
        "catalog": of,
        "query": query,
        "log": read_log(catalog=of, query=query),
        "actions": ACTIONS.items(),
        "kinds": KINDS.items(),
    }
    return render(request, "dashboard/audit.html", context)


@require_safe
def export_audit(
    request: PageRequest, catalog: str, ending: str
) -> HttpResponse | StreamingHttpResponse:
    """Send the entries that the filters leave as a file, oldest first, while they are read."""
    of = catalog_or_404(request, catalog, role=READER)
    if ending not in WRITERS:
        raise Http404(ending)
    kind, write = WRITERS[ending]
    entries = entries_of(of, AuditQuery.read(request.GET))
    return file_of(write(entries), name=f"{of.name}-audit.{ending}", content_type=kind)


@require_POST
def undo_operation(request: PageRequest, catalog: str, operation: UUID) -> HttpResponse:
    """Take an operation back, and go back to the page that asked for it, if it still is one."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    require(of, NEEDS[action_to_undo(of.audit_entries.filter(operation=operation))])
    log = reverse("dashboard:audit", kwargs={"catalog": of.name})
    try:
        done = undo(catalog=of, operation=operation)
    except CannotUndo as refused:
        messages.error(request, refused.reason)
        return back(request, log)
    messages.success(request, _("It is undone."))
    lost = "" if request.POST.get("next", "").startswith(log) else lost_page(of, done.entries)
    return redirect(lost) if lost else back(request, log)
