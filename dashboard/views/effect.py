"""See the effect of a form before it is saved: which tasks would lose, gain, or go elsewhere."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from catalog.access import NEEDS, Action
from catalog.forms import GroupForm, ToolForm
from catalog.forms.watched import WatchedForm
from catalog.models import Catalog, Group, Tool
from catalog.publishing import DraftHasProblems
from catalog.views.requests import PageRequest, catalog_or_404, render_page
from catalog.views.supposing import draft_with
from dashboard.gate_rows import lay_out
from routing.encoding import EncoderFailed
from routing.gate_checks.effect import TooMuch, effect_of

WAYS, LOST = 8, 8


@require_POST
def effect(request: PageRequest, catalog: str) -> HttpResponse:
    """Try tasks on the draft with and without what a form says; nothing is saved."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    kind, name = request.GET.get("kind", "tools"), request.GET.get("name", "").replace("\0", "")
    form, about = _form(request, of, kind=kind, name=name)
    context: dict[str, Any] = {"catalog": of, "kind": kind, "name": name}
    if form.is_valid():
        context |= _tried(of, form, about)
    else:
        context["refusal"] = _("The form has faults: mend them first. Saving it says which.")
    return render_page(request, "dashboard/effect.html", context, fragment="effect")


def _form(
    request: PageRequest, catalog: Catalog, *, kind: str, name: str
) -> tuple[WatchedForm, list[str]]:
    """Return the form of a part, new where it has no name, and the tools that it is about."""
    if kind == "groups":
        group = catalog.groups.filter(name=name).first() if name else Group(catalog=catalog)
        if group is None:
            raise Http404
        members = catalog.tools.filter(memberships__group=group) if name else ()
        return GroupForm(request.POST, instance=group, catalog=catalog), [t.name for t in members]
    tool = catalog.tools.filter(name=name).first() if name else Tool(catalog=catalog)
    if tool is None:
        raise Http404
    return ToolForm(request.POST, instance=tool, catalog=catalog), [name]


def _tried(catalog: Catalog, form: WatchedForm, about: list[str]) -> dict[str, Any]:
    try:
        found = effect_of(
            catalog, draft_with(form, catalog=catalog), about=about, now=timezone.now()
        )
    except DraftHasProblems:
        return {"refusal": _("The draft has problems: mend them first, Versions lists them.")}
    except (EncoderFailed, TooMuch):
        return {"refusal": _("The vectors of this draft cannot be made while you wait.")}
    shown = lay_out(
        catalog=catalog,
        report=found.report | {"asked": len(found.rows)},
        rows=found.rows,
        ways=WAYS,
        lost=LOST,
    )
    return {"shown": shown, "count": len(found.rows)}
