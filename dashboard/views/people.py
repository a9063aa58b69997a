"""Everybody who has an account, for superusers."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalog.models import AuditEntry, Membership
from catalog.people import (
    ACCOUNTS,
    may_get_link,
    only_administered_by,
    people_like,
    set_active,
)
from catalog.views.requests import PageRequest
from dashboard.audit_words import ACTIONS
from dashboard.forms.members import AccountForm
from dashboard.views.invitation import show_invitation
from dashboard.views.members import MOST
from routing.models import ApiKey

PEOPLE = 50
MOST_DEEDS = 20


def for_superusers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Refuse everybody else, and say why."""

    @wraps(view)
    def checked(request: PageRequest, **kwargs: Any) -> HttpResponse:
        if not request.user.is_superuser:
            raise PermissionDenied(_("Only superusers see everybody who has an account."))
        return view(request, **kwargs)

    return checked


@require_safe
@for_superusers
def people(request: PageRequest) -> HttpResponse:
    """List the accounts by name, those that ``?q=`` leaves."""
    query = request.GET.get("q", "").replace("\0", "").strip()[:150]
    rows = people_like(query).annotate(catalogs=Count("memberships"))
    page = Paginator(rows, PEOPLE).get_page(request.GET.get("page"))
    return render(request, "dashboard/people.html", {"page": page, "query": query})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@for_superusers
def new_person(request: PageRequest) -> HttpResponse:
    """Make an account without a role, and show its link, this once."""
    form = AccountForm(request.POST or None)
    if form.is_valid() and (person := form.make()):
        return show_invitation(request, person, back=_url(person), is_new=True)
    status = 422 if form.is_bound else 200
    return render(request, "dashboard/new_person.html", {"form": form}, status=status)


@require_safe
@for_superusers
def person(request: PageRequest, person: int) -> HttpResponse:
    """Show an account, its roles, and what can be done with it."""
    one = _person_or_404(person)
    roles = Membership.objects.filter(user=one).select_related("catalog")
    context = {
        "person": one,
        "roles": roles.order_by("catalog__name"),
        "is_self": one == request.user,
        "may_get_link": may_get_link(one, by=request.user),
        "deeds": [(ACTIONS.get(entry.action, entry.action), entry) for entry in _done_to(one)],
    }
    return render(request, "dashboard/person.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_superusers
def deactivate(request: PageRequest, person: int) -> HttpResponse:
    """Ask first; then switch an account off."""
    one = _person_or_404(person)
    if request.method == "POST" or one == request.user:
        return _set_active(request, one, active=False)
    context = {
        "person": one,
        "alone": only_administered_by(one),
        "keys": ApiKey.objects.filter(created_by=one, revoked_at=None).count(),
    }
    return render(request, "dashboard/deactivate.html", context)


@require_POST
@for_superusers
def activate(request: PageRequest, person: int) -> HttpResponse:
    """Switch an account on again, with the roles that it had."""
    return _set_active(request, _person_or_404(person), active=True)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@for_superusers
def person_link(request: PageRequest, person: int) -> HttpResponse:
    """Ask first; then make a link that sets a new password, and end the old one."""
    one = _person_or_404(person)
    if not may_get_link(one, by=request.user):
        raise PermissionDenied(_("A link is for somebody else, and for an account that is active."))
    if request.method != "POST":
        return render(request, "dashboard/new_link.html", {"person": one, "back": _url(one)})
    return show_invitation(request, one, back=_url(one))


def _done_to(person: User) -> QuerySet[AuditEntry]:
    """Return the newest of what was done to an account; that of catalogs stands in theirs."""
    done = AuditEntry.objects.filter(catalog_name="", kind=ACCOUNTS, subject=person.username)
    return done[:MOST_DEEDS]


def _set_active(request: PageRequest, person: User, *, active: bool) -> HttpResponse:
    set_active(person=person, active=active, by=request.user)
    said = _("%(person)s is active.") if active else _("%(person)s is deactivated.")
    messages.success(request, said % {"person": person})
    return redirect(_url(person))


def _person_or_404(pk: int) -> User:
    return get_object_or_404(User, pk=pk if pk <= MOST else None)


def _url(person: User) -> str:
    return reverse("dashboard:person", kwargs={"person": person.pk})
