"""Keys: who may ask the API. A key's token is shown once, in the answer that made it."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import F, Prefetch
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from catalog.access import Action, may
from catalog.models import Catalog
from catalog.views.requests import PageRequest
from dashboard.context import current_catalog, visible_catalogs
from dashboard.curl import curl, first_selection
from dashboard.forms.keys import KeyForm
from routing.keys import MadeKey, catalogs_of, make_key, revoke_key, rotate_key
from routing.models import ApiKey
from routing.moves import current_move

KEYS = 50


@require_safe
def keys(request: PageRequest) -> HttpResponse:
    """List the keys, those that work first."""
    rows = (
        ApiKey.objects.managed_by(request.user)
        .select_related("created_by")
        .prefetch_related(Prefetch("catalogs", Catalog.objects.visible_to(request.user)))
        .order_by(F("revoked_at").asc(nulls_first=True), "name", "pk")
    )
    page = Paginator(rows, KEYS).get_page(request.GET.get("page"))
    context = {"page": page, "now": timezone.now(), "may_make": _may_make(request)}
    return render(request, "dashboard/keys.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_key(request: PageRequest) -> HttpResponse:
    """Show the form; make a key and show its token, this once."""
    if not _may_make(request):
        raise PermissionDenied(
            _("Keys are made by the administrators of a catalog, and you are one of none.")
        )
    now = timezone.now()
    if request.method != "POST":
        here = current_catalog(request=request)
        initial = {"actions": ["select", "propose", "read"], "catalogs": [here.pk] if here else []}
        form = KeyForm(initial=initial, user=request.user, now=now)
        return render(request, "dashboard/new_key.html", {"form": form})
    form = KeyForm(request.POST, user=request.user, now=now)
    if not form.is_valid():
        return render(request, "dashboard/new_key.html", {"form": form}, status=422)
    return _show(request, make_key(now=now, created_by=request.user, **form.rights()))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def rotate(request: PageRequest, key: int) -> HttpResponse:
    """Ask first; then give a key a new token and show it, this once.

    The form carries the prefix that was seen, so that sending it twice does not end the token that
    was just copied.
    """
    now = timezone.now()
    usable = ApiKey.objects.managed_by(request.user).usable(now=now)
    if request.method != "POST":
        found = get_object_or_404(usable, pk=key)
        return render(request, "dashboard/rotate_key.html", {"key": found})
    with transaction.atomic():
        found = get_object_or_404(usable.select_for_update(), pk=key)
        if request.POST.get("prefix") != found.prefix:
            context = {"key": found, "rotated_meanwhile": True}
            return render(request, "dashboard/rotate_key.html", context, status=409)
        made = rotate_key(key=found)
    return _show(request, made, is_rotated=True)


@require_http_methods(["GET", "HEAD", "POST"])
def revoke(request: PageRequest, key: int) -> HttpResponse:
    """Ask first; then end a key for good."""
    found = get_object_or_404(ApiKey.objects.managed_by(request.user), pk=key, revoked_at=None)
    if request.method != "POST":
        return render(request, "dashboard/revoke_key.html", {"key": found})
    revoke_key(key=found, now=timezone.now())
    messages.success(
        request, _("“%(name)s” is revoked. Requests with it get 401.") % {"name": found.name}
    )
    return redirect("dashboard:keys")


def _may_make(request: PageRequest) -> bool:
    administered = (may(one, Action.KEYS) for one in visible_catalogs(request=request))
    return request.user.is_superuser or any(administered)


@sensitive_variables("made", "context")
def _show(request: PageRequest, made: MadeKey, *, is_rotated: bool = False) -> HttpResponse:
    """Show a token in the answer itself, so that it is kept nowhere."""
    context = {
        "key": made.key,
        "token": made.token,
        "is_rotated": is_rotated,
        "commands": _commands(request, made),
    }
    return render(request, "dashboard/key_token.html", context)


@sensitive_variables("made")
def _commands(request: PageRequest, made: MadeKey) -> list[str]:
    """Return what to try the key with, as far as it may: a list of catalogs, a selection."""
    key, commands = made.key, []
    if ApiKey.Action.READ in key.actions:
        url = request.build_absolute_uri("/api/v1/catalogs")
        commands.append(curl(url=url, key=made.token))
    moves = (current_move(catalog) for catalog in catalogs_of(key).order_by("name"))
    live = next((move for move in moves if move), None)
    if ApiKey.Action.SELECT in key.actions and live:
        url = request.build_absolute_uri("/api/v1/selections")
        document, route = live.release.version.parsed(), next(iter(key.routes), None)
        commands.append(first_selection(document=document, url=url, key=made.token, route=route))
    return commands
