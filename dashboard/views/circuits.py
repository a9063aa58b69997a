"""Circuits: what is switched off at once, by whom or by failures, and switching it off and on."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from catalog.access import NEEDS, Action
from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404, role_to_send
from dashboard.circuit_rows import history_of, names_of, rows_of
from dashboard.forms.circuits import CircuitForm
from routing.circuits import close, open_by_hand
from routing.models import Circuit

HISTORY = 20
# So many names are offered while one is typed; any other can be typed out.
OFFERED = 1000


@require_http_methods(["GET", "HEAD", "POST"])
def circuits(request: PageRequest, catalog: str) -> HttpResponse:
    """Show what is switched off and what was; switch something off."""
    of = catalog_or_404(request, catalog, role=role_to_send(request, Action.SWITCH_CIRCUITS))
    names = names_of(of)
    if request.method != "POST":
        asked = {name: request.GET.get(name, "") for name in ("kind", "target")}
        form = CircuitForm(names=names, initial={k: v for k, v in asked.items() if v})
        return _page(request, of, form, names)
    form = CircuitForm(request.POST, names=names)
    if not form.is_valid():
        return _page(request, of, form, names, status=422)
    now = timezone.now()
    opened = open_by_hand(catalog=of, by=request.user, now=now, **form.opening(now=now))
    said = _("“%(name)s” is switched off. Every process knows within a second.")
    messages.success(request, said % {"name": opened.target})
    return redirect("dashboard:circuits", catalog=of.name)


@require_POST
def close_circuit(request: PageRequest, catalog: str, circuit: int) -> HttpResponse:
    """Let everything through again; closing twice is no error."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.SWITCH_CIRCUITS])
    found = get_object_or_404(Circuit, catalog=of, pk=circuit)
    if close(catalog=of, pk=found.pk, by=request.user, now=timezone.now()):
        said = _("The circuit of “%(name)s” is closed: calls go through again.")
        messages.success(request, said % {"name": found.target})
    return redirect("dashboard:circuits", catalog=of.name)


def _page(
    request: PageRequest,
    catalog: Catalog,
    form: CircuitForm,
    names: dict[str, list[str]],
    *,
    status: int = 200,
) -> HttpResponse:
    now = timezone.now()
    history = history_of(catalog, now=now)
    context = {
        "catalog": catalog,
        "rows": rows_of(catalog, now=now),
        "form": form,
        "has_names": any(names.values()),
        "offered": list(dict.fromkeys(name for kind in names.values() for name in kind))[:OFFERED],
        "page": Paginator(history, HISTORY).get_page(request.GET.get("page")),
    }
    return render(request, "dashboard/circuits.html", context, status=status)
