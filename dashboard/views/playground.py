"""Playground: try a task on a version or on the draft, and see what an agent would get and why."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from catalog.access import Action, may
from catalog.freezing import freeze
from catalog.models import Catalog, CatalogVersion
from catalog.publishing import DraftHasProblems
from catalog.views.requests import PageRequest, render_page
from dashboard.accounts import AccountShown, no_such_tool, show_account
from dashboard.advice import advice_for
from dashboard.context import current_catalog
from dashboard.forms.playground import DRAFT, LIVE, PlaygroundForm
from dashboard.reviews import mendings
from dashboard.trials import lay_out, same_by_curl
from routing.compiled import CompiledRelease
from routing.moves import NothingLive, current_move
from routing.preview import (
    Preview,
    accounts_of,
    compiled_draft,
    compiled_label,
    compiled_version,
    preview_selection,
)
from routing.selection import UnknownPhase, UnknownRoute
from routing.selection.whynot import UnknownTool

# So many versions can be chosen from.
VERSIONS = 100
TEMPLATE = "dashboard/playground.html"


@require_http_methods(["GET", "HEAD", "POST"])
def playground(request: PageRequest) -> HttpResponse:
    """Show the form; choose tools for what was typed. Nothing of it is kept."""
    catalog = current_catalog(request=request)
    if catalog is None:
        return render(request, TEMPLATE, {"catalog": None})
    form = _form(request, catalog)
    context: dict[str, Any] = {
        "catalog": catalog,
        "form": form,
        # Read only where the page shows it: not for a fragment.
        "advice": SimpleLazyObject(lambda: advice_for(catalog, now=timezone.now())),
        "may_keep": may(catalog, Action.EVALS),
        "router_model": settings.LLM_ROUTER,
        "router_in_auto": settings.LLM_ROUTER_IN_AUTO,
    }
    if form.is_bound and form.is_valid():
        context |= _try(request, catalog, form)
    status = 422 if form.errors else 200
    fragment = "names" if request.htmx.target == "names" else "playground"
    return render_page(request, TEMPLATE, context, fragment=fragment, status=status)


def _form(request: PageRequest, catalog: Catalog) -> PlaygroundForm:
    """Return the form with the choices of the version that is asked for."""
    move = current_move(catalog)
    live = move.release.version if move else None
    asked = request.POST if request.method == "POST" else request.GET
    ref = asked.get("ref") or (LIVE if live else DRAFT)
    numbers = catalog.versions.values_list("number", flat=True)[:VERSIONS]
    shape: dict[str, Any] = {
        "document": _document(catalog, ref, live=live),
        "numbers": list(numbers),
        "live": live.number if live else None,
        "url": f"{request.path}?catalog={catalog.name}",
    }
    if request.method == "POST":
        return PlaygroundForm(request.POST, **shape)
    return PlaygroundForm(initial={**asked.dict(), "ref": ref}, **shape)


def _document(catalog: Catalog, ref: str, *, live: CatalogVersion | None) -> Mapping[str, Any]:
    """Return the document whose phases and routes can be chosen; the draft's for nonsense."""
    if ref == LIVE and live:
        return live.parsed()
    version = catalog.versions.filter(number=int(ref)).first() if _is_number(ref) else None
    return version.parsed() if version else freeze(catalog)


def _is_number(ref: str) -> bool:
    return ref.isascii() and ref.isdigit() and len(ref) < 10


def _try(request: PageRequest, catalog: Catalog, form: PlaygroundForm) -> dict[str, Any]:
    """Return what the page shows of a trial; what stands against one becomes the form's error."""
    ref, format_name = form.cleaned_data["ref"], form.cleaned_data["format"]
    query, tool_search = form.query(), form.cleaned_data["tool_search"]
    try:
        preview = preview_selection(
            release=_compiled(catalog, ref),
            query=query,
            now=timezone.now(),
            tool_search=tool_search,
        )
    except DraftHasProblems as faulty:
        form.add_error("ref", _("The draft cannot be tried before its problems are mended."))
        return {"problems": mendings(catalog, faulty.problems)}
    except NothingLive:
        form.add_error("ref", _("This version cannot be tried: it has no release."))
        return {}
    except UnknownPhase:
        form.add_error(None, _("This version has no such phase."))
        return {}
    except UnknownRoute:
        form.add_error(None, _("This version has no such route."))
        return {}
    account = _account(form, preview)
    reference = {LIVE: catalog.name, DRAFT: None}.get(ref, f"{catalog.name}@{ref}")
    return {
        "trial": lay_out(preview, format_name=format_name),
        "account": account,
        "reference": reference,
        "curl": reference
        and same_by_curl(
            url=request.build_absolute_uri("/api/v1/selections"),
            reference=reference,
            query=query,
            format_name=format_name,
            tool_search=tool_search,
        ),
        "editable": set(catalog.tools.values_list("name", flat=True)),
    }


def _account(form: PlaygroundForm, preview: Preview) -> AccountShown | None:
    """Return why the tool that is asked about is served or not; an unknown one is an error."""
    name = form.cleaned_data["why_tool"]
    try:
        return next(map(show_account, accounts_of(preview, [name] if name else [])), None)
    except UnknownTool as unknown:
        form.add_error("why_tool", no_such_tool(unknown.similar))
        return None


def _compiled(catalog: Catalog, ref: str) -> CompiledRelease:
    if ref == DRAFT:
        return compiled_draft(catalog, now=timezone.now())
    if ref == LIVE:
        return compiled_label(catalog)
    return compiled_version(catalog.versions.get(number=ref))
