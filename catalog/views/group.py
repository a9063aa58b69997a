"""One group: its words, its tools in order, and its end."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalog.access import NEEDS, Action
from catalog.editing import (
    EditRefused,
    move_part,
    move_tool_in_group,
    set_memberships,
)
from catalog.forms import GroupForm
from catalog.models import Group
from catalog.uses import group_uses
from catalog.views.part import Answer, edit_part, say_saved
from catalog.views.requests import PageRequest, catalog_or_404, group_or_404, role_to_send
from catalog.wording import description_hint

TEMPLATE = "catalog/group.html"
EDITOR = NEEDS[Action.EDIT]


@require_http_methods(["GET", "HEAD", "POST"])
def group(request: PageRequest, catalog: str, group: str) -> HttpResponse:
    """Show a group, or save its name, description and examples."""
    row = group_or_404(request, catalog, group, role=role_to_send(request, Action.EDIT))
    answer = edit_part(request, row, GroupForm)
    if answer.saved:
        say_saved(request, answer)
        return redirect(answer.saved)
    # A refused form has put its values on the row; the page around it shows what is stored.
    stored = group_or_404(request, catalog, group)
    context = _words(answer) | _tools_of(stored)
    return render(request, TEMPLATE, context, status=answer.status)


@require_http_methods(["GET", "HEAD", "POST"])
def new_group(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the form of a new group, or add it as the last one."""
    owner = catalog_or_404(request, catalog, role=EDITOR)
    answer = edit_part(request, Group(catalog=owner), GroupForm)
    if answer.saved:
        name = answer.saved.name
        messages.success(request, _("“%(name)s” is added. Now tick its tools.") % {"name": name})
        groups = reverse("catalog:groups", kwargs={"catalog": owner.name})
        return redirect(f"{groups}?group_q={name}")
    context = {"catalog": owner} | _words(answer)
    return render(request, "catalog/new_group.html", context, status=answer.status)


@require_safe
def hint(request: PageRequest, catalog: str) -> HttpResponse:
    """Answer what would make the description better that is being typed."""
    catalog_or_404(request, catalog, role=EDITOR)
    context = {"hint": description_hint(request.GET.get("description", ""))}
    return render(request, "catalog/_description_hint.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def delete_group(request: PageRequest, catalog: str, group: str) -> HttpResponse:
    """Ask before a group is deleted, saying what refers to it; then delete it."""
    row = group_or_404(request, catalog, group, role=EDITOR)
    if request.method == "POST":
        row.delete()
        messages.success(request, _("“%(name)s” is deleted.") % {"name": group})
        return redirect("catalog:groups", catalog=catalog)
    context = {"catalog": row.catalog, "part": row, "uses": group_uses(row)}
    context |= {"question": _("Delete the group “%(name)s”?") % {"name": row.name}}
    context |= {"note": _("Its tools stay in the catalog.")}
    return render(request, "catalog/delete.html", context)


@require_POST
def move(request: PageRequest, catalog: str, group: str) -> HttpResponse:
    """Move a group one place back or forth in the catalog."""
    row = group_or_404(request, catalog, group, role=EDITOR)
    move_part(part=row, steps=_steps(request))
    return redirect(row)


@require_POST
def move_tool(request: PageRequest, catalog: str, group: str, tool: str) -> HttpResponse:
    """Move a tool one place up or down in a group."""
    row = group_or_404(request, catalog, group, role=EDITOR)
    moved = get_object_or_404(row.catalog.tools, name=tool)
    try:
        move_tool_in_group(group=row, tool=moved, steps=_steps(request))
    except EditRefused as refusal:
        return _answer(request, row, refusal=refusal.reason)
    return _answer(request, row, done=_("“%(name)s” is moved.") % {"name": tool})


@require_POST
def remove_tool(request: PageRequest, catalog: str, group: str, tool: str) -> HttpResponse:
    """Take a tool out of a group."""
    row = group_or_404(request, catalog, group, role=EDITOR)
    gone = get_object_or_404(row.catalog.tools, name=tool)
    set_memberships(catalog=row.catalog, removed=[(row.pk, gone.pk)])
    return _answer(request, row, done=_("“%(name)s” is out of the group.") % {"name": tool})


def _words(answer: Answer) -> dict[str, object]:
    """Return the form with the hint on its description."""
    hint = description_hint(answer.form["description"].value() or "")
    return {"form": answer.form, "overtaken": answer.overtaken, "hint": hint}


def _steps(request: PageRequest) -> int:
    return -1 if request.POST.get("to") == "up" else 1


def _tools_of(row: Group) -> dict[str, object]:
    in_order = ("memberships__position", "memberships__id")
    figures = row.catalog.groups.with_figures().get(pk=row.pk)
    siblings = list(row.catalog.groups.order_by("position", "id").values_list("pk", flat=True))
    return {
        "catalog": row.catalog,
        "group": figures,
        "tools": list(row.catalog.tools.filter(memberships__group=row).order_by(*in_order)),
        "place": siblings.index(row.pk) + 1,
        "group_count": len(siblings),
    }


def _answer(request: PageRequest, row: Group, *, done: str = "", refusal: str = "") -> HttpResponse:
    """Answer htmx with the list as it now is; a plain form goes back to the page."""
    if not request.htmx:
        messages.add_message(
            request, messages.ERROR if refusal else messages.SUCCESS, refusal or done
        )
        return redirect(row)
    context = _tools_of(row) | {"done": done, "refusal": refusal}
    return render(request, f"{TEMPLATE}#group-tools", context, status=422 if refusal else 200)
