"""The phases of a catalog: the states of an agent's work, as a table and as a drawing."""

from typing import cast

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalog.access import NEEDS, Action, Role
from catalog.editing import move_part
from catalog.forms.phase import PhaseForm
from catalog.forms.watched import WatchedForm
from catalog.models import Phase
from catalog.models.part import Part
from catalog.phasing import phase_table
from catalog.state_drawing import draw
from catalog.views.part import edit_part, save_form, say_saved, steps
from catalog.views.requests import PageRequest, catalog_or_404, role_to_send

TEMPLATE = "catalog/phase.html"
EDITOR = NEEDS[Action.EDIT]


@require_safe
def phases(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the phases as a table and as a drawn state machine."""
    owner = catalog_or_404(request, catalog)
    lines = phase_table(owner)
    states = {line.phase.name: line.following for line in lines}
    initial = next((line.phase.name for line in lines if line.phase.initial), None)
    context = {"catalog": owner, "lines": lines, "drawing": draw(states, initial=initial)}
    return render(request, "catalog/phases.html", context | {"initial": initial})


@require_http_methods(["GET", "HEAD", "POST"])
def phase(request: PageRequest, catalog: str, phase: str) -> HttpResponse:
    """Show a phase, or save it."""
    row = _phase(request, catalog, phase, role=role_to_send(request, Action.EDIT))
    answer = edit_part(request, row, PhaseForm, save=_save)
    if answer.saved:
        say_saved(request, answer)
        return redirect("catalog:phases", catalog=catalog)
    stored = _phase(request, catalog, phase)
    context = {"catalog": stored.catalog, "part": stored, "form": answer.form}
    context |= {"overtaken": answer.overtaken}
    return render(request, TEMPLATE, context, status=answer.status)


@require_http_methods(["GET", "HEAD", "POST"])
def new_phase(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the form of a new phase, or add it as the last one."""
    owner = catalog_or_404(request, catalog, role=EDITOR)
    answer = edit_part(request, Phase(catalog=owner), PhaseForm, save=_save)
    if answer.saved:
        messages.success(request, _("“%(name)s” is added.") % {"name": answer.saved})
        return redirect("catalog:phases", catalog=catalog)
    context = {"catalog": owner, "part": None, "form": answer.form}
    return render(request, TEMPLATE, context, status=answer.status)


@require_http_methods(["GET", "HEAD", "POST"])
def delete_phase(request: PageRequest, catalog: str, phase: str) -> HttpResponse:
    """Ask before a phase is deleted; then delete it."""
    row = _phase(request, catalog, phase, role=EDITOR)
    if request.method == "POST":
        row.delete()
        messages.success(request, _("“%(name)s” is deleted.") % {"name": phase})
        return redirect("catalog:phases", catalog=catalog)
    context = {"catalog": row.catalog, "part": row, "uses": ()}
    context |= {"question": _("Delete the phase “%(name)s”?") % {"name": row.name}}
    context |= {"note": _("No other phase leads to it any more.")}
    return render(request, "catalog/delete.html", context)


@require_POST
def move_phase(request: PageRequest, catalog: str, phase: str) -> HttpResponse:
    """Move a phase one place up or down in the catalog."""
    move_part(part=_phase(request, catalog, phase, role=EDITOR), steps=steps(request))
    return redirect("catalog:phases", catalog=catalog)


def _save(form: WatchedForm) -> Part:
    """Save a phase; where a run begins here, it begins nowhere else."""
    row = cast("Phase", form.instance)
    row.initial = form.cleaned_data["initial"]
    if row.initial:
        row.catalog.phases.exclude(pk=row.pk).filter(initial=True).update(initial=False)
    saved: Part = save_form(form)
    return saved


def _phase(request: PageRequest, catalog: str, name: str, *, role: Role = Role.VIEWER) -> Phase:
    return get_object_or_404(catalog_or_404(request, catalog, role=role).phases, name=name)
