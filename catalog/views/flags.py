"""The switches of a tool: one click each, also without JavaScript."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from catalog.access import NEEDS, Action
from catalog.editing import EditRefused, set_flag
from catalog.switches import KINDS, switch_of
from catalog.views.requests import PageRequest, back, tool_or_404


@require_POST
def set_tool_flag(request: PageRequest, catalog: str, tool: str, flag: str) -> HttpResponse:
    """Switch a flag on (``on=1``) or off; refused with the reason beside the switch."""
    row = tool_or_404(request, catalog, tool, role=NEEDS[Action.EDIT])
    if flag not in KINDS:
        raise Http404(flag)
    refusal = ""
    try:
        set_flag(tool=row, flag=KINDS[flag].field, on=request.POST.get("on") == "1")
    except EditRefused as refused:
        refusal = refused.reason
    if request.htmx:
        context = switch_of(row, flag, refusal=refusal)
        return render(request, "catalog/_switch.html", context, status=422 if refusal else 200)
    if refusal:
        messages.error(request, refusal)
    return back(request, row.get_absolute_url())
