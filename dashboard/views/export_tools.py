"""Export: the tools of the draft or of a version in a provider's format, as a file."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from catalog.exporting import export_tools as exported
from catalog.formats import STRICT
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.exports import tools_of
from dashboard.forms.exports import ExportForm
from dashboard.import_rows import field_label
from routing.labels import labels_of


@require_safe
def export_tools(request: PageRequest, catalog: str) -> HttpResponse:
    """Show what a format carries of the tools that are asked for, or hand them out as a file."""
    of = catalog_or_404(request, catalog)
    form = ExportForm(request.GET, catalog=of, labels=labels_of(of))
    if not form.is_valid():
        context = {"catalog": of, "form": form, "strict_formats": STRICT}
        return render(request, "dashboard/export.html", context, status=422)
    asked = form.cleaned_data
    name, tools = tools_of(of, of=asked["of"])
    made = exported(tools=tools, format_name=asked["format_name"], strict=asked["strict"])
    if "download" in request.GET:
        file = f"{name}.{asked['format_name']}.{made.ending}"
        disposition = f'attachment; filename="{file}"'
        headers = {"Content-Disposition": disposition}
        return HttpResponse(made.content, content_type=made.media_type, headers=headers)
    lost = [(field_label(field), count) for field, count in made.lost.items()]
    shown = ExportForm(initial=asked, catalog=of, labels=labels_of(of))
    context = {"catalog": of, "form": shown, "made": made, "lost": lost, "name": name}
    return render(request, "dashboard/export.html", context)
