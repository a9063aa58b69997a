"""The members of a catalog and their roles, for its administrators."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from catalog.access import NEEDS, Action, role_in
from catalog.members import LastAdministrator, RoleMoved, SuperuserOnly, change_role
from catalog.models import Catalog, Membership
from catalog.people import may_get_link
from catalog.roles import Role
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.forms.members import AddMemberForm, MemberAccountForm, RoleForm, refusal
from dashboard.views.invitation import show_invitation

MEMBERS = 50
MOST = 2**31 - 1  # what fits an account's number on every database


@require_http_methods(["GET", "HEAD", "POST"])
def members(request: PageRequest, catalog: str) -> HttpResponse:
    """List who has which role, or give one to somebody who has an account."""
    of = _administered(request, catalog)
    form = AddMemberForm(request.POST or None)
    if form.is_valid():
        person, role = form.cleaned_data["person"], form.cleaned_data["role"]
        _change(request, of, person, was=None, role=role)
        return redirect(_url(of))
    rows = of.memberships.select_related("user").order_by("-role", "user__username")
    page = Paginator(rows, MEMBERS).get_page(request.GET.get("page"))
    context = {"catalog": of, "page": page, "form": form, "nobody": form.names_nobody()}
    status = 422 if form.is_bound else 200
    return render(request, "dashboard/members.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_member(request: PageRequest, catalog: str) -> HttpResponse:
    """Make an account with a role in the catalog, and show its link, this once."""
    of = _administered(request, catalog)
    form = MemberAccountForm(request.POST or None, initial={"username": request.GET.get("name")})
    if form.is_valid() and (person := _make_member(form, of, by=request.user)):
        return show_invitation(request, person, back=_url(of), is_new=True)
    context = {"catalog": of, "form": form}
    status = 422 if form.is_bound else 200
    return render(request, "dashboard/new_member.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def member(request: PageRequest, catalog: str, person: int) -> HttpResponse:
    """Show what a member may do, or give them another role."""
    row = _member_or_404(request, catalog, person)
    role = Role(row.role)
    # A superuser loses nothing by it.
    own = role if row.user == request.user and not request.user.is_superuser else None
    form = RoleForm(request.POST or None, initial={"role": role, "was": role}, own=own)
    if form.is_valid():
        given = form.cleaned_data["role"]
        if _change(request, row.catalog, row.user, was=form.was_role(), role=given):
            return redirect(_after(request, row))
        return redirect("dashboard:member", catalog=catalog, person=person)
    context = _about(request, row) | {"form": form}
    return render(request, "dashboard/member.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def remove_member(request: PageRequest, catalog: str, person: int) -> HttpResponse:
    """Ask first; then take a person's role in the catalog."""
    row = _member_or_404(request, catalog, person)
    if request.method != "POST":
        return render(request, "dashboard/remove_member.html", _about(request, row))
    if _change(request, row.catalog, row.user, was=Role(row.role), role=None):
        return redirect(_after(request, row))
    return redirect("dashboard:member", catalog=catalog, person=person)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def member_link(request: PageRequest, catalog: str, person: int) -> HttpResponse:
    """Ask first; then make another link for an account that was never used."""
    row = _member_or_404(request, catalog, person)
    if not may_get_link(row.user, by=request.user):
        raise PermissionDenied(
            _("Only superusers make a link for an account that was used or has a role elsewhere.")
        )
    if request.method != "POST":
        return render(
            request, "dashboard/new_link.html", _about(request, row) | {"back": _url(row.catalog)}
        )
    return show_invitation(request, row.user, back=_url(row.catalog))


def _administered(request: PageRequest, catalog: str) -> Catalog:
    return catalog_or_404(request, catalog, role=NEEDS[Action.MEMBERS])


def _member_or_404(request: PageRequest, catalog: str, person: int) -> Membership:
    of = _administered(request, catalog)
    rows = of.memberships.select_related("user")
    row = get_object_or_404(rows, user=person if person <= MOST else None)
    row.catalog = of  # with the role of who asks
    return row


@transaction.atomic
def _make_member(form: MemberAccountForm, catalog: Catalog, *, by: User) -> User | None:
    person = form.make()
    if person is not None:
        role = form.cleaned_data["role"]
        change_role(catalog=catalog, person=person, was=None, role=role, by=by)
    return person


def _change(
    request: PageRequest, catalog: Catalog, person: User, *, was: Role | None, role: Role | None
) -> bool:
    """Change a role and say so, or say why not."""
    try:
        change_role(catalog=catalog, person=person, was=was, role=role, by=request.user)
    except (SuperuserOnly, RoleMoved, LastAdministrator) as problem:
        messages.error(request, refusal(problem, catalog=catalog.name))
        return False
    if role is None:
        said = _("%(person)s has no role in %(catalog)s any more.")
    else:
        said = _("%(person)s has the role “%(role)s” in %(catalog)s.")
    words = {"person": person, "catalog": catalog.name, "role": role and role.label}
    messages.success(request, said % words)
    return True


def _about(request: PageRequest, row: Membership) -> dict[str, object]:
    """Return what the pages about one member show."""
    return {
        "catalog": row.catalog,
        "person": row.user,
        "role": Role(row.role),
        "is_self": row.user == request.user,
        "may_change": request.user.is_superuser or not row.user.is_superuser,
        "may_get_link": may_get_link(row.user, by=request.user),
    }


def _after(request: PageRequest, row: Membership) -> str:
    """Return where to go on: who gave up their own role may not see the members any more."""
    own = role_in(request.user, row.catalog)
    if own is None:
        return reverse("catalog:catalogs")
    return _url(row.catalog) if own >= NEEDS[Action.MEMBERS] else row.catalog.get_absolute_url()


def _url(catalog: Catalog) -> str:
    return reverse("dashboard:members", kwargs={"catalog": catalog.name})
