"""The policy tester: may this route call this tool with these arguments? Nothing is recorded."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404, render_page
from dashboard.call_words import CHECKS
from dashboard.forms.policy import LIVE, PolicyForm
from routing.compiled import CompiledRelease
from routing.moves import NothingLive
from routing.policy.types import ApprovalState
from routing.preview import compiled_label, compiled_version
from routing.trying import TriedCall, try_call

# So many versions can be chosen from.
VERSIONS = 100
TEMPLATE = "dashboard/policy.html"


@require_http_methods(["GET", "HEAD", "POST"])
def policy(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the form; decide on what was typed, and say what each check said."""
    of = catalog_or_404(request, catalog)
    asked = request.POST if request.method == "POST" else request.GET
    numbers = list(of.versions.values_list("number", flat=True)[:VERSIONS])
    release, live = _release(of, asked.get("ref") or LIVE)
    if release is None:
        return render_page(request, TEMPLATE, {"catalog": of}, fragment="policy")
    shape: dict[str, Any] = {
        "document": release.document,
        "numbers": numbers,
        "live": live,
        "url": request.path,
    }
    typed = request.method == "POST"
    form = PolicyForm(asked, **shape) if typed else PolicyForm(initial=_initial(asked), **shape)
    context: dict[str, Any] = {"catalog": of, "form": form, "release": release}
    if typed and form.is_valid():
        found = try_call(release=release, tried=_tried(form), now=timezone.now())
        context |= {"found": found, "checks": [(CHECKS[p.reason], p) for p in found.checkpoints]}
    fragment = "names" if request.htmx.target == "names" else "policy"
    status = 422 if form.errors else 200
    return render_page(request, TEMPLATE, context, fragment=fragment, status=status)


def _release(catalog: Catalog, ref: str) -> tuple[CompiledRelease | None, int | None]:
    """Return the release of a version, ``None`` where nothing is published, and the live number."""
    try:
        live = compiled_label(catalog)
    except NothingLive:
        return None, None
    number = int(live.ref.rpartition("@")[2])
    if ref == LIVE:
        return live, number
    is_number = ref.isascii() and ref.isdecimal() and len(ref) < 10
    found = get_object_or_404(catalog.versions, number=ref if is_number else 0)
    return compiled_version(found), number


def _initial(asked: Any) -> dict[str, Any]:
    """Return what a link or another version's form brings; boxes keep what they begin with."""
    names = ("ref", "route", "tool", "arguments", "approval")
    return {name: asked[name] for name in names if name in asked}


def _tried(form: PolicyForm) -> TriedCall:
    said = form.cleaned_data
    return TriedCall(
        tool=said["tool"],
        arguments=said["arguments"],
        route=said.get("route") or None,
        scopes=frozenset(said.get("scopes", ())),
        offered=said["offered"],
        has_key=said["has_key"],
        calls=said["calls"] or 0,
        approval=ApprovalState(said["approval"]) if said["approval"] else None,
    )
