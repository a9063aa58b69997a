"""Edit many tools at once: say what, look at exactly what that changes, then do it or not."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from catalog.access import NEEDS, Action
from catalog.bulk import (
    Chosen,
    PlanMoved,
    PlanRefused,
    apply_plan,
    delete_tools,
    plan_change,
    plan_removal,
)
from catalog.forms.bulk import BulkForm
from catalog.models import Catalog, Tool
from catalog.views.requests import PageRequest, catalog_or_404

NAMED = 20  # of the chosen tools, above the form
IN_ADDRESS = 300  # ids that the way back to the list may carry in its address


@require_http_methods(["GET", "HEAD", "POST"])
def bulk_edit(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the form for the chosen tools, then what it would change; ``step`` says how far it is.

    Which tools is said as ``Chosen.read`` reads it, by a form or by the address.
    """
    owner = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    sent = request.POST if request.method == "POST" else request.GET
    chosen = Chosen.read(sent)
    steps = {"again": _again, "change": _change, "apply": _apply}
    steps |= {"remove": _show_removal, "delete": _delete}
    step = steps.get(request.POST.get("step", ""))
    if step:
        return step(request, owner, chosen)
    return _ask(request, owner, chosen, BulkForm(catalog=owner))


def _ask(
    request: PageRequest, catalog: Catalog, chosen: Chosen, form: BulkForm, *, status: int = 200
) -> HttpResponse:
    """Show the form, or that nothing is chosen."""
    tools = chosen.tools(catalog)
    context = _choice(catalog, chosen, tools) | {"form": form, "named": tools[:NAMED]}
    context |= {"more": max(0, len(tools) - NAMED)}
    return render(request, "catalog/bulk_edit.html", context, status=status)


def _again(request: PageRequest, catalog: Catalog, chosen: Chosen) -> HttpResponse:
    """Show the form as it was sent, with what was searched for in it."""
    form = BulkForm(request.POST, catalog=catalog)
    again = BulkForm(catalog=catalog, initial=form.typed())
    again.look_again(form)
    return _ask(request, catalog, chosen, again)


def _change(request: PageRequest, catalog: Catalog, chosen: Chosen) -> HttpResponse:
    """Show what the form would change, tool by tool."""
    form = BulkForm(request.POST, catalog=catalog)
    if form.searches:
        return _again(request, catalog, chosen)
    if not form.is_valid():
        return _ask(request, catalog, chosen, form, status=422)
    return _show_plan(request, catalog, chosen, form)


def _apply(request: PageRequest, catalog: Catalog, chosen: Chosen) -> HttpResponse:
    """Do what was shown, unless the draft has moved on or a tool refuses it."""
    form = BulkForm(request.POST, catalog=catalog)
    if not form.is_valid():
        return _ask(request, catalog, chosen, form, status=422)
    shown = request.POST.get("shown", "")
    try:
        plan = apply_plan(catalog=catalog, chosen=chosen, change=form.change, fingerprint=shown)
    except PlanMoved:
        return _show_plan(request, catalog, chosen, form, status=409)
    except PlanRefused:
        return _show_plan(request, catalog, chosen, form, status=422)
    said = ngettext("%(count)d tool is changed.", "%(count)d tools are changed.", plan.changed)
    messages.success(request, said % {"count": plan.changed})
    return redirect(_list_address(catalog, chosen))


def _delete(request: PageRequest, catalog: Catalog, chosen: Chosen) -> HttpResponse:
    """Delete what was shown, unless the draft has moved on."""
    shown = request.POST.get("shown", "")
    try:
        removal = delete_tools(catalog=catalog, chosen=chosen, fingerprint=shown)
    except PlanMoved:
        return _show_removal(request, catalog, chosen, status=409)
    count = len(removal.tools)
    said = ngettext("%(count)d tool is deleted.", "%(count)d tools are deleted.", count)
    messages.success(request, said % {"count": count})
    return redirect(_list_address(catalog, chosen))


def _show_plan(
    request: PageRequest, catalog: Catalog, chosen: Chosen, form: BulkForm, *, status: int = 200
) -> HttpResponse:
    plan = plan_change(tools=chosen.tools(catalog), change=form.change)
    typed = form.fields_sent()
    refused = [one.tool.pk for one in plan.refused]
    context = _choice(catalog, chosen, plan.tools) | {"plan": plan, "typed": typed}
    context |= {"moved": status == 409, "carried": [*chosen.fields(), *typed]}
    context |= {"without_refused": [*chosen.fields(without=refused), *typed]}
    return render(request, "catalog/bulk_change.html", context, status=status)


def _show_removal(
    request: PageRequest, catalog: Catalog, chosen: Chosen, *, status: int = 200
) -> HttpResponse:
    """Ask before the chosen tools are deleted, saying what uses them."""
    removal = plan_removal(catalog=catalog, tools=chosen.tools(catalog))
    context = _choice(catalog, chosen, removal.tools) | {"removal": removal}
    context |= {"moved": status == 409, "carried": chosen.fields()}
    return render(request, "catalog/bulk_delete.html", context, status=status)


def _choice(catalog: Catalog, chosen: Chosen, tools: Sequence[Tool]) -> dict[str, object]:
    """Return what each of the pages says of the choice."""
    gone = 0 if chosen.every is not None else len(set(chosen.ids) - {t.pk for t in tools})
    return {
        "catalog": catalog,
        "count": len(tools),
        "gone": max(0, gone - len(chosen.without)),
        "choice": chosen.fields(),
        "list_url": _list_address(catalog, chosen, keep=True),
    }


def _list_address(catalog: Catalog, chosen: Chosen, *, keep: bool = False) -> str:
    """Return the address of the list, with the ticks where they are kept and are few enough.

    An empty ``chosen`` tells the page that what it still has ticked is done.
    """
    address = reverse("catalog:tools", kwargs={"catalog": catalog.name})
    if chosen.every is not None:
        query = QueryDict(chosen.every).urlencode()
        return f"{address}?{query}" if query else address
    ids: Sequence[int] = chosen.ids if keep else ()
    if keep and not 0 < len(ids) <= IN_ADDRESS:
        return address
    return f"{address}?chosen={','.join(map(str, ids))}"
