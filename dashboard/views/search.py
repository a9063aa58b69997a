"""Search over everything: a page, and what the dialog of every page asks for."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from catalog.models import Catalog
from catalog.views.requests import PageRequest
from dashboard.context import Navigation, navigation, visible_catalogs
from dashboard.searching import LONGEST, NAMED, Found, Hit, find_everything, find_named, own_pages

DIALOG = "search-results"
# Hits of each kind: in the dialog, on the page, and on the page of one kind.
FEW, SOME, MANY = 5, 15, 50


@require_safe
def search(request: PageRequest) -> HttpResponse:
    """Show what ``?q=`` finds; with ``?of=`` of one kind, from ``?after=`` a hit on."""
    query = request.GET.get("q", "").replace("\0", " ").strip()[:LONGEST]
    in_dialog = bool(request.htmx) and request.htmx.target == DIALOG
    if request.GET.get("of"):
        found = [_of_one_kind(request, query)]
    else:
        found = _everything(request, query, most=FEW if in_dialog else SOME)
    template = "dashboard/search.html"
    context = {"query": query, "found": found, "of": request.GET.get("of", "")}
    response = render(request, f"{template}#{DIALOG}" if in_dialog else template, context)
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


def _everything(request: PageRequest, query: str, *, most: int) -> list[Found]:
    frame = navigation(request)["navigation"]
    assert isinstance(frame, Navigation)  # noqa: S101 - what is read only when it is asked for
    pages = [Hit(entry.label, entry.url) for entry in frame.entries]
    pages += own_pages(is_superuser=request.user.is_superuser, catalog=frame.catalog)
    return find_everything(
        query,
        user=request.user,
        catalogs=visible_catalogs(request=request),
        here=frame.catalog,
        pages=pages,
        most=most,
    )


def _of_one_kind(request: PageRequest, query: str) -> Found:
    kind, after = request.GET["of"], request.GET.get("after", "0")
    if kind not in NAMED or not (after.isascii() and after.isdecimal() and len(after) < 19):
        raise Http404(f"no search of {kind} after {after}")
    within = Catalog.objects.visible_to(request.user)
    return find_named(kind, query, within=within, here=None, most=MANY, after=int(after))
