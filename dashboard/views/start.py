"""Start: from a list of tools to the first selection, led step by step.

Where an owner is at is read from the catalog: leaving and coming back loses nothing.
"""

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalog.access import NEEDS, Action, may_make_catalogs
from catalog.forms import NewCatalogForm
from catalog.members import make_catalog
from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.context import visible_catalogs
from dashboard.curl import first_selection
from dashboard.forms.imports import ImportForm
from dashboard.forms.versions import PublishForm
from dashboard.history import newest_move
from dashboard.imports import waiting_in
from dashboard.start_steps import Standing, first_selection_of
from routing.keys import MadeKey, make_key
from routing.models import ApiKey
from routing.moves import current_move

TEMPLATE = "dashboard/start.html"
_RIGHTS = (ApiKey.Action.SELECT, ApiKey.Action.PROPOSE, ApiKey.Action.READ)


@require_http_methods(["GET", "HEAD", "POST"])
def start_new(request: PageRequest) -> HttpResponse:
    """Show the way to a first selection, and the catalogs on that way; make a catalog."""
    may_make = may_make_catalogs(request.user)
    form = NewCatalogForm(request.POST if request.method == "POST" else None)
    if form.is_bound and not may_make:
        raise PermissionDenied(
            _("Whoever edits a catalog may make another: you need the role “editor” in one first.")
        )
    if form.is_valid() and (made := _make(request, form)):
        messages.success(request, _("“%(name)s” is made. Now add its tools.") % {"name": made.name})
        return redirect("dashboard:start", catalog=made.name)
    context = {
        "may_make": may_make,
        "form": form,
        "begun": [one for one in visible_catalogs(request=request) if not one.is_live],  # type: ignore[attr-defined]
    }
    status = 422 if form.is_bound else 200
    return render(request, "dashboard/start_new.html", context, status=status)


def _make(request: PageRequest, form: NewCatalogForm) -> Catalog | None:
    try:
        return make_catalog(catalog=form.save(commit=False), by=request.user)
    except ValidationError as taken:
        form.add_error(None, taken)
        return None


@require_safe
def start(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the steps, those that are done and the one that is next."""
    of = catalog_or_404(request, catalog)
    standing = Standing(of, now=timezone.now())
    context = {"catalog": of, "standing": standing, "done": standing.done}
    if standing.current == "tools":
        context["import_form"] = ImportForm(catalog=of)
        own = waiting_in(of).filter(by=request.user)
        context["pending"] = own.defer("content").first()
    if standing.current == "publish":
        context["publish_form"] = _publish_form(standing)
    if standing.document:
        context["command"] = first_selection(document=standing.document, url=_url(request))
    return render(request, TEMPLATE, context)


@require_POST
@never_cache
def start_key(request: PageRequest, catalog: str) -> HttpResponse:
    """Make a key for an agent of this catalog, and show its token and the first command, once."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.KEYS])
    name = _("First agent of %(catalog)s") % {"catalog": of.title}
    made = make_key(
        name=name[:100],
        now=timezone.now(),
        created_by=request.user,
        catalogs=[of],
        actions=_RIGHTS,
    )
    return _show(request, of, made)


@require_safe
def start_waiting(request: PageRequest, catalog: str) -> HttpResponse:
    """Tell whether an agent has asked by now; htmx looks again until one has."""
    of = catalog_or_404(request, catalog)
    context = {"catalog": of, "first": first_selection_of(of)}
    return render(request, "dashboard/_start_waiting.html", context)


@sensitive_variables("made", "context")
def _show(request: PageRequest, catalog: Catalog, made: MadeKey) -> HttpResponse:
    context = {"catalog": catalog, "key": made.key, "token": made.token}
    if live := current_move(catalog):
        document = live.release.version.parsed()
        url = _url(request)
        context["command"] = first_selection(document=document, url=url, key=made.token)
    return render(request, "dashboard/start_key.html", context)


def _publish_form(standing: Standing) -> PublishForm:
    """Return the form that the page Versions takes; new warnings ask for a reason here too."""
    warned = bool(standing.to_explain)
    initial = {
        "base": newest_move(standing.catalog),
        "reviewed": standing.frozen.sha256,
        "note": "" if warned else _("First version"),
    }
    return PublishForm(initial=initial, warned=warned)


def _url(request: PageRequest) -> str:
    return request.build_absolute_uri("/api/v1/selections")
