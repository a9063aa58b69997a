"""Look-alikes: have them searched for, follow the search, and show those of one tool or group."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from catalog.access import NEEDS, Action
from catalog.models import Catalog
from catalog.publishing import FrozenDraft, freeze_and_check
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.look_alike_rows import look_alikes_of
from routing import jobs
from routing.look_alike_findings import CODE
from routing.look_alikes import known_look_alikes, newest_search
from routing.look_alikes import search as search_draft
from routing.models import LookAlikeSearch
from routing.working import is_working


@require_POST
def search_look_alikes(request: PageRequest, catalog: str) -> HttpResponse:
    """Search the draft at once, or have the worker do it."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    one = search_draft(
        catalog=of,
        frozen=freeze_and_check(of),
        by=request.user,
        now=timezone.now(),
        start=jobs.SEARCHES.start,
    )
    if one is None:
        messages.error(request, _("Without an encoder nothing tells how alike two texts are."))
    elif one.finished_at is not None:
        messages.success(request, _found(one))
    return redirect("dashboard:health", catalog=of.name)


@require_safe
def look_alike_search(request: PageRequest, catalog: str, search: int) -> HttpResponse:
    """Show how far a search is; the whole page again once it has ended."""
    of = catalog_or_404(request, catalog)
    one = get_object_or_404(LookAlikeSearch, catalog=of, pk=search)
    if request.htmx and one.finished_at is None:
        working = is_working(now=timezone.now())
        context = {"catalog": of, "search": one, "working": working}
        return render(request, "dashboard/_look_alikes.html#search", context)
    if one.finished_at is not None and not one.problem:
        messages.success(request, _found(one))
    if request.htmx:
        return HttpResponseClientRefresh()
    return redirect("dashboard:health", catalog=of.name)


@require_safe
def part_look_alikes(request: PageRequest, catalog: str) -> HttpResponse:
    """Show what a tool or a group (``kind`` and ``name``) could be taken for, inside its form."""
    of = catalog_or_404(request, catalog)
    if not request.htmx:
        return redirect(reverse("dashboard:health", args=[of.name]) + f"?code={CODE}")
    kind, name = request.GET.get("kind", ""), request.GET.get("name", "")
    found = look_alikes_of(of, freeze_and_check(of), kind=kind, name=name)
    return render(request, "dashboard/part_look_alikes.html", {"catalog": of, "found": found})


def search_context(catalog: Catalog, frozen: FrozenDraft) -> dict[str, object]:
    """Return what the page of a draft's health says of the search for look-alikes."""
    known = known_look_alikes(sha256=frozen.sha256, value=frozen.value)
    newest = newest_search(catalog)
    return {
        "known": known,
        "search": None if known.exact or newest is None or _was_done(newest) else newest,
        "working": is_working(now=timezone.now()),
    }


def _was_done(one: LookAlikeSearch) -> bool:
    return one.finished_at is not None and not one.problem


def _found(one: LookAlikeSearch) -> str:
    count = len(one.found)
    said = ngettext(
        "%(count)s pair of look-alikes found.", "%(count)s pairs of look-alikes found.", count
    )
    return said % {"count": count} if count else _("No look-alikes found.")
