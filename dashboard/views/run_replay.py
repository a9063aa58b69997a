"""A selection of a run made again: on its own release, on another version or on the draft."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from catalog.models import Catalog
from catalog.publishing import DraftHasProblems
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.history import number_of
from dashboard.replays import OBSTACLES, lay_out_replay
from dashboard.reviews import mendings
from routing.compiled import CompiledRelease, compiled_release
from routing.exploring.replaying import NotKept, replay
from routing.models import Span
from routing.moves import NothingLive
from routing.preview import compiled_draft, compiled_version

DRAFT = "draft"
# So many versions can be chosen from.
VERSIONS = 100


@require_safe
def replay_selection(request: PageRequest, catalog: str, run: int, span: int) -> HttpResponse:
    """Show what was answered then beside what the release of ``?on=`` answers now."""
    of = catalog_or_404(request, catalog)
    selections = Span.objects.filter(catalog=of, run=run, name=Span.Name.ROUTE)
    selection = get_object_or_404(selections.select_related("run", "text"), pk=span)
    on = request.GET.get("on", "")
    context = {
        "catalog": of,
        "run": selection.run,
        "selection": selection,
        "text": getattr(selection, "text", None),
        "own": compiled_release(selection.release_id),
        "on": on,
        "numbers": of.versions.values_list("number", flat=True)[:VERSIONS],
        **_replayed(of, selection, on),
    }
    return render(request, "dashboard/replay.html", context)


def _replayed(catalog: Catalog, selection: Span, on: str) -> dict[str, Any]:
    """Return the replay as the page shows it, or the ``obstacle`` that there is."""
    try:
        release = _release(catalog, selection, on)
        return {"shown": lay_out_replay(replay(selection, on=release))}
    except DraftHasProblems as faulty:
        said = _("The draft cannot be tried before its problems are mended.")
        return {"obstacle": said, "problems": mendings(catalog, faulty.problems)}
    except NothingLive:
        return {"obstacle": _("This version cannot be tried: it has no release.")}
    except NotKept as lacking:
        erased = _("The text of the run was erased, so that the selection cannot be made again.")
        never = _("No text of it was kept, so that the selection cannot be made again.")
        return {"obstacle": erased if lacking.erased else never, "for_good": True}
    except tuple(OBSTACLES) as stands_against:
        return {"obstacle": OBSTACLES[type(stands_against)]}


def _release(catalog: Catalog, selection: Span, on: str) -> CompiledRelease:
    if not on:
        return compiled_release(selection.release_id)
    if on == DRAFT:
        return compiled_draft(catalog, now=timezone.now())
    version = catalog.versions.filter(number=number_of(on)).first()
    if version is None:
        raise Http404(f"no version {on}")
    return compiled_version(version)
