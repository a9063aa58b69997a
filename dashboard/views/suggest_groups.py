"""Suggested groups for the tools of a draft that are in none: looked at, mended, then made."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh

from catalog.access import NEEDS, Action
from catalog.editing import EditRefused
from catalog.grouping import DraftMoved, make_groups
from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404, render_page
from dashboard.group_plans import NEW, SHOWN, Plan, rows_of
from routing.draft_groups import AT_ONCE, Loose, loose_tools
from routing.suggesting import MOST_TOOLS

TEMPLATE = "dashboard/suggest_groups.html"
# A plain form is sent by hand, and so makes more vectors each time.
BY_HAND = 4 * AT_ONCE


@require_http_methods(["GET", "HEAD", "POST"])
def suggest_groups(request: PageRequest, catalog: str) -> HttpResponse:
    """Show groups for the tools that are in none; change the plan, or make what it says."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    if request.method != "POST":
        return _propose(request, of)
    act = request.POST.get("do", "")
    if act == "encode":
        return _encode(request, of)
    if act == "all":
        suggestion, _words = loose_tools(of).suggestion(of)
        return _make(request, of, Plan.of(suggestion, shown=None, has_defaults=_has_defaults(of)))
    plan = Plan.read(request.POST)
    return _make(request, of, plan) if act == "make" else _change(request, of, plan, act)


def _propose(request: PageRequest, catalog: Catalog) -> HttpResponse:
    loose = loose_tools(catalog)
    words_only = "words" in request.GET
    if not loose:
        return render(request, TEMPLATE, {"catalog": catalog, "has_tools": catalog.tools.exists()})
    missing = 0 if words_only else loose.missing()
    if missing > AT_ONCE:
        return render(request, TEMPLATE, _progress(catalog, loose, missing))
    if missing:
        loose.make_vectors()
    suggestion, by_words = loose.suggestion(catalog)
    plan = Plan.of(suggestion, shown=SHOWN, has_defaults=_has_defaults(catalog))
    more = {
        "by_words": by_words,
        "all_groups": len(suggestion.groups),
        "all_tools": len(loose),
        "more_groups": max(0, len(suggestion.groups) - SHOWN),
    }
    return _show(request, catalog, plan, **more)


def _progress(catalog: Catalog, loose: Loose, missing: int) -> dict[str, Any]:
    total = len(loose.texts)
    return {"catalog": catalog, "preparing": {"made": total - missing, "total": total}}


def _encode(request: PageRequest, catalog: Catalog) -> HttpResponse:
    """Make some of the vectors, and say how far that is; the page itself once they are all made."""
    loose = loose_tools(catalog)
    here = request.path
    if not loose.make_vectors(most=AT_ONCE if request.htmx else BY_HAND):
        here += "?words=1"
        return HttpResponseClientRedirect(here) if request.htmx else redirect(here)
    missing = loose.missing()
    if not request.htmx:
        return redirect(here)
    if missing <= AT_ONCE:
        return HttpResponseClientRefresh()
    return render(request, f"{TEMPLATE}#preparing", _progress(catalog, loose, missing))


def _change(request: PageRequest, catalog: Catalog, plan: Plan, act: str) -> HttpResponse:
    """Change the plan as a button says, and show it again; nothing is written."""
    if act == "keep":
        fits = plan.check(catalog)
        said = _("The names fit. Nothing is made yet.") if fits else _("See what is marked.")
        return _show(request, catalog, plan, said=said, wrong=not fits)
    changes: dict[str, Callable[[PageRequest, Plan], str]] = {
        "move": _move,
        "merge": _merge,
        "leave": _leave,
        "back": _bring_back,
    }
    if act not in changes:
        raise BadRequest("nothing that a plan can do")
    said = changes[act](request, plan)
    return _show(request, catalog, plan, said=said)


def _move(request: PageRequest, plan: Plan) -> str:
    tools, to = request.POST.getlist("tool"), request.POST.get("to", "")
    if to != NEW and to not in map(str, range(len(plan.groups))):
        return _("Choose the group that the ticked tools go to.")
    if not tools:
        return _("Tick the tools to be moved first.")
    name = "" if to == NEW else plan.groups[int(to)].name
    plan.move(tools, to=to)
    said = ngettext(
        "%(n)d tool is now in %(name)s.", "%(n)d tools are now in %(name)s.", len(tools)
    )
    return said % {"n": len(tools), "name": name or plan.groups[-1].name}


def _merge(request: PageRequest, plan: Plan) -> str:
    numbers = _numbers(request, plan)
    if len(numbers) < 2:
        return _("Tick the groups to be merged first: two or more.")
    name = plan.groups[numbers[0]].name
    plan.merge(numbers)
    return _("%(n)d groups are one now: %(name)s.") % {"n": len(numbers), "name": name}


def _leave(request: PageRequest, plan: Plan) -> str:
    tools, numbers = request.POST.getlist("tool"), _numbers(request, plan)
    if not tools and not numbers:
        return _("Tick the tools or groups to be left out first.")
    plan.leave_out(tools, numbers)
    said = ngettext(
        "%(n)d tool stays in no group.", "%(n)d tools stay in no group.", len(plan.left)
    )
    return said % {"n": len(plan.left)}


def _bring_back(request: PageRequest, plan: Plan) -> str:
    if not plan.left:
        return _("No tool was left out.")
    plan.bring_back()
    return _("What was left out is in a group of its own now.")


def _numbers(request: PageRequest, plan: Plan) -> list[int]:
    known = {str(number) for number in range(len(plan.groups))}
    return sorted(int(one) for one in set(request.POST.getlist("group")) & known)


def _make(request: PageRequest, catalog: Catalog, plan: Plan) -> HttpResponse:
    if not plan.groups or not plan.check(catalog):
        fault = _("No group was made yet: see what is marked.") if plan.groups else _("No group.")
        return _show(request, catalog, plan, status=422, said=fault, wrong=True)
    try:
        make_groups(
            catalog=catalog,
            groups=plan.new_groups(),
            defaults=plan.wanted_defaults(),
            always_on=plan.wanted_always_on(),
        )
    except EditRefused as refusal:
        return _show(request, catalog, plan, status=422, said=refusal.reason, wrong=True)
    except DraftMoved as moved:
        plan.drop(moved.tools)
        plan.check(catalog)
        said = _(
            "The draft was changed meanwhile, and nothing was made. Look again, then make them."
        )
        return _show(request, catalog, plan, status=409, said=said, wrong=True)
    made = len(plan.groups)
    said = ngettext("%(n)d group is made.", "%(n)d groups are made.", made) % {"n": made}
    messages.success(request, said)
    return _go_on(request, catalog, left=plan.left)


def _go_on(request: PageRequest, catalog: Catalog, *, left: list[str]) -> HttpResponse:
    """Lead to the next groups where tools wait for them, else to the next step."""
    view = "suggest_groups" if len(loose_tools(catalog)) > len(left) else "start"
    url = reverse(f"dashboard:{view}", kwargs={"catalog": catalog.name})
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def _show(
    request: PageRequest, catalog: Catalog, plan: Plan, *, status: int = 200, **more: Any
) -> HttpResponse:
    context = {
        "catalog": catalog,
        "plan": plan,
        "rows": rows_of(plan, catalog, most=MOST_TOOLS),
        "most": MOST_TOOLS,
        **more,
    }
    return render_page(request, TEMPLATE, context, fragment="plan", status=status)


def _has_defaults(catalog: Catalog) -> bool:
    return catalog.tools.filter(is_default=True).exists()
