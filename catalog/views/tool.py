"""One tool: its form, the check of what is being typed, and its end."""

from typing import cast

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from catalog.access import NEEDS, Action
from catalog.forms import ToolForm
from catalog.models import Tool
from catalog.preview import preview_tool
from catalog.uses import tool_uses
from catalog.views.part import Answer, edit_part, say_saved
from catalog.views.requests import PageRequest, catalog_or_404, role_to_send, tool_or_404

TEMPLATE = "catalog/tool.html"
EDITOR = NEEDS[Action.EDIT]


@require_http_methods(["GET", "HEAD", "POST"])
def tool(request: PageRequest, catalog: str, tool: str) -> HttpResponse:
    """Show the form of a tool, or save it."""
    row = tool_or_404(request, catalog, tool, role=role_to_send(request, Action.EDIT))
    answer = edit_part(request, row, ToolForm)
    if answer.saved:
        say_saved(request, answer)
        return redirect(answer.saved)
    # A refused form has put its values on the row; the page around it shows what is stored.
    return _render(request, answer, tool_or_404(request, catalog, tool))


@require_http_methods(["GET", "HEAD", "POST"])
def new_tool(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the form of a new tool, or add it as the last one."""
    owner = catalog_or_404(request, catalog, role=EDITOR)
    answer = edit_part(request, Tool(catalog=owner), ToolForm)
    if answer.saved:
        messages.success(request, _("“%(name)s” is added.") % {"name": answer.saved})
        return redirect(answer.saved)
    return _render(request, answer, Tool(catalog=owner))


@require_POST
def check_tool(request: PageRequest, catalog: str) -> HttpResponse:
    """Answer a form that is being typed: the faults of its schemas, its tokens, its previews."""
    owner = catalog_or_404(request, catalog, role=EDITOR)
    edited = owner.tools.filter(name=request.GET.get("tool", "").replace("\0", "")).first()
    form = ToolForm(request.POST, instance=edited or Tool(catalog=owner), catalog=owner)
    context = {"form": form, "preview": preview_tool(form), "live": True}
    return render(request, f"{TEMPLATE}#check", context)


@require_http_methods(["GET", "HEAD", "POST"])
def delete_tool(request: PageRequest, catalog: str, tool: str) -> HttpResponse:
    """Ask before a tool is deleted, saying what refers to it; then delete it."""
    row = tool_or_404(request, catalog, tool, role=EDITOR)
    if request.method == "POST":
        row.delete()
        messages.success(request, _("“%(name)s” is deleted.") % {"name": tool})
        return redirect("catalog:tools", catalog=catalog)
    context = {"catalog": row.catalog, "part": row, "uses": tool_uses(row)}
    context |= {"question": _("Delete the tool “%(name)s”?") % {"name": row.name}}
    context |= {"note": _("Versions that were published keep it.")}
    return render(request, "catalog/delete.html", context)


def _render(request: PageRequest, answer: Answer, stored: Tool) -> HttpResponse:
    form = cast("ToolForm", answer.form)
    context = {
        "catalog": stored.catalog,
        "form": form,
        "overtaken": answer.overtaken,
        "tool": stored if stored.pk else None,
        "preview": preview_tool(form),
        "groups": stored.groups.all() if stored.pk else (),
        "revision": _revision(stored),
    }
    return render(request, TEMPLATE, context, status=answer.status)


def _revision(tool: Tool) -> int | None:
    revisions = tool.catalog.tool_revisions.filter(name=tool.name).order_by("-revision")
    return revisions.values_list("revision", flat=True).first()
