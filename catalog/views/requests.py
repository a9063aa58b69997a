"""What every page of the draft does first and last: find its catalog, render whole or in part."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

from catalog.access import NEEDS, Action, Role, require
from catalog.models import Catalog, Group, Tool

_IS_ID = re.compile("[0-9]{1,18}")  # what fits a column of 64 bits


class PageRequest(HttpRequest):
    """A request of a person who signed in, perhaps made by htmx."""

    user: User
    htmx: HtmxDetails


def catalog_or_404(
    request: PageRequest, name: str, *, role: Role = Role.VIEWER, archived: bool | None = False
) -> Catalog:
    """Return the catalog of a page; everything else of the page starts from it.

    One that is archived is not there, unless ``archived`` asks for it as ``visible_to`` does.

    Raises ``Http404`` where the person may not see it, ``RoleTooLow`` where they may see it and
    have not ``role`` in it.
    """
    seen = Catalog.objects.visible_to(request.user, archived=archived)
    catalog = get_object_or_404(seen, name=name)
    require(catalog, role)
    return catalog


def role_to_send(request: PageRequest, action: Action) -> Role:
    """Return the role of a page that every member may read, and that ``action`` is sent from."""
    return NEEDS[Action.READ if request.method in ("GET", "HEAD") else action]


def group_or_404(
    request: PageRequest, catalog: str, group: str, *, role: Role = Role.VIEWER
) -> Group:
    """Return a group of a catalog, which is found as ``catalog_or_404`` does."""
    return get_object_or_404(catalog_or_404(request, catalog, role=role).groups, name=group)


def tool_or_404(request: PageRequest, catalog: str, tool: str, *, role: Role = Role.VIEWER) -> Tool:
    """Return a tool of a catalog, which is found as ``catalog_or_404`` does."""
    return get_object_or_404(catalog_or_404(request, catalog, role=role).tools, name=tool)


def ids(values: Iterable[str]) -> list[int]:
    """Return row ids from a form. Raises ``BadRequest`` for anything else."""
    found = list(values)
    if not all(_IS_ID.fullmatch(value) for value in found):
        raise BadRequest("not an id")
    return [int(value) for value in found]


def render_page(
    request: PageRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    fragment: str,
    status: int = 200,
) -> HttpResponse:
    """Render a page, or of it the partial ``fragment`` where htmx asks for that element."""
    is_part = bool(request.htmx) and request.htmx.target == fragment
    name = f"{template}#{fragment}" if is_part else template
    response = render(request, name, dict(context), status=status)
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


def back(request: PageRequest, otherwise: str) -> HttpResponse:
    """Go back to the page that a plain form names in ``next``, if that is one of this site."""
    target = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    # Not by redirect(): to that, a word without a slash is the name of a view.
    return HttpResponseRedirect(target if is_ours and target.startswith("/") else otherwise)
