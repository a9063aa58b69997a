"""One tool: its form, the check of what is being typed, and its end."""

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from catalog.access import NEEDS, Action
from catalog.editing import append
from catalog.forms import ToolForm
from catalog.models import Tool
from catalog.preview import preview_tool
from catalog.uses import tool_uses
from catalog.views.requests import PageRequest, catalog_or_404, role_to_send, tool_or_404

TEMPLATE = "catalog/tool.html"
EDITOR = NEEDS[Action.EDIT]


@require_http_methods(["GET", "HEAD", "POST"])
def tool(request: PageRequest, catalog: str, tool: str) -> HttpResponse:
    """Show the form of a tool, or save it."""
    row = tool_or_404(request, catalog, tool, role=role_to_send(request, Action.EDIT))
    form = ToolForm(_typed(request), instance=row, catalog=row.catalog)
    if form.is_valid():
        saved = form.save()
        messages.success(request, _("“%(name)s” is saved.") % {"name": saved.name})
        return redirect(saved)
    # A refused form has put its values on the row; the page around it shows what is stored.
    stored = tool_or_404(request, catalog, tool) if form.is_bound else row
    return _render(request, form, stored)


@require_http_methods(["GET", "HEAD", "POST"])
def new_tool(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the form of a new tool, or add it as the last one."""
    owner = catalog_or_404(request, catalog, role=EDITOR)
    form = ToolForm(_typed(request), instance=Tool(catalog=owner), catalog=owner)
    if form.is_valid():
        made = form.save(commit=False)
        append(made)
        messages.success(request, _("“%(name)s” is added.") % {"name": made.name})
        return redirect(made)
    return _render(request, form, Tool(catalog=owner))


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


def _typed(request: PageRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _render(request: PageRequest, form: ToolForm, stored: Tool) -> HttpResponse:
    context = {
        "catalog": form.instance.catalog,
        "form": form,
        "tool": stored if stored.pk else None,
        "preview": preview_tool(form),
        "groups": stored.groups.all() if stored.pk else (),
        "revision": _revision(stored),
    }
    return render(request, TEMPLATE, context, status=422 if form.is_bound else 200)


def _revision(tool: Tool) -> int | None:
    revisions = tool.catalog.tool_revisions.filter(name=tool.name).order_by("-revision")
    return revisions.values_list("revision", flat=True).first()
