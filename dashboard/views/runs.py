"""Runs: the newest of a catalog, and one as a timeline from its task to its outcome."""

from datetime import datetime

from django.contrib import messages
from django.db.models import Value
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from catalog.access import NEEDS, Action
from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.forms.runs import RunFilters
from dashboard.models import SavedView
from dashboard.run_chips import chips_of
from dashboard.run_export import WRITERS
from dashboard.streaming import file_of
from dashboard.timeline import steps_of
from routing.browsing import find_run, story_of
from routing.exploring.asking import Asked
from routing.exploring.searching import PAGE, Found, Mark, parse_mark, search
from routing.models import Run
from routing.retention.boundary import kept_since
from routing.rollups.folding import catch_up
from routing.services.erasing import erase_words

# Seconds after which a page shows what was found by then, and how far back it looked.
PATIENCE = 0.035
# So many saved views stand above the list; their own page has them all.
VIEWS = 12
# So many steps of a run are on a page, which is drawn in time.
STEPS = 60
# So many names are offered while one is typed: a page stays light.
NAMES = 500
_MOST = 2**63 - 1


@require_safe
def runs(request: PageRequest, catalog: str) -> HttpResponse:
    """List the runs, newest first, that the filters of the URL leave."""
    of, now = catalog_or_404(request, catalog), timezone.now()
    filters = RunFilters(request.GET, catalog=of)
    before = _mark(request)
    context: dict[str, object] = {"catalog": of, "filters": filters, "before": before}
    context["views"] = SavedView.objects.seen_by(person=request.user.pk, catalog=of.pk)[:VIEWS]
    context["known"] = _known_names(of)
    if not filters.is_valid():
        return render(request, "dashboard/runs.html", context, status=422)
    context |= {"chips": list(chips_of(filters)), "query": filters.query()}
    context["behind"] = not catch_up(now=now)
    wanted = filters.wanted(now=now)
    found = search(wanted, before=before, page=PAGE, patience=PATIENCE)
    context |= {"found": found, "dropped_before": _dropped_before(wanted, found)}
    return render(request, "dashboard/runs.html", context)


@require_safe
def export_runs(
    request: PageRequest, catalog: str, ending: str
) -> HttpResponse | StreamingHttpResponse:
    """Send the runs that the filters leave as a file, newest first, while they are read."""
    of, now = catalog_or_404(request, catalog), timezone.now()
    filters = RunFilters(request.GET, catalog=of)
    if ending not in WRITERS or not filters.is_valid():
        raise Http404(ending)
    catch_up(now=now)
    kind, write = WRITERS[ending]
    lines = write(filters.wanted(now=now))
    return file_of(lines, name=f"{of.name}-runs.{ending}", content_type=kind)


def _known_names(catalog: Catalog) -> dict[str, list[str]]:
    """Return the names of the draft's groups, routes and tools by kind. One query.

    What does not go into so many is left out, tools first.
    """
    groups = catalog.groups.annotate(kind=Value("groups")).order_by()
    routes = catalog.routes.annotate(kind=Value("routes")).order_by()
    tools = catalog.tools.annotate(kind=Value("tools")).order_by()
    rows = groups.values_list("kind", "name").union(
        routes.values_list("kind", "name"), tools.values_list("kind", "name"), all=True
    )
    found = list(rows.order_by("kind", "name")[: NAMES + 1])
    cut = found.pop()[0] if len(found) > NAMES else ""
    # Each kind has its list, though empty: a field names it.
    known: dict[str, list[str]] = {kind: [] for kind in ("groups", "routes", "tools")}
    for kind, name in found:
        if kind != cut:
            known[kind].append(name)
    return known


def _dropped_before(asked: Asked, found: Found) -> datetime | None:
    """Return before when runs were dropped, if those that were found would go on there."""
    kept = kept_since() if found.next is None else None
    return kept if kept is not None and asked.since < kept else None


def _mark(request: PageRequest) -> Mark | None:
    said = request.GET.get("before", "")
    try:
        return parse_mark(said) if said else None
    except ValueError as error:
        raise Http404("no place in the list") from error


@require_safe
def run(request: PageRequest, catalog: str, run: int) -> HttpResponse:
    """Show what happened in a run, some steps a page."""
    of = catalog_or_404(request, catalog)
    after = number_of_run(request.GET.get("after", "0"))
    try:
        found = run_or_404(of, run)
    except Http404:
        if (since := kept_since()) is None:
            raise
        # Whether there ever was one cannot be told: others' runs have numbers of the same row.
        context = {"catalog": of, "since": since}
        return render(request, "dashboard/no_run.html", context, status=404)
    story = story_of(found, after=after, steps=STEPS)
    context = {
        "catalog": of,
        "now": timezone.now(),
        "story": story,
        "run": story.run,
        "steps": steps_of(story),
        "after": after,
    }
    return render(request, "dashboard/run.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def erase_run(request: PageRequest, catalog: str, run: int) -> HttpResponse:
    """Ask first; then erase the words of a run for good."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.KEEP_TEXT])
    one = run_or_404(of, run)
    if request.method != "POST":
        return render(request, "dashboard/erase_run.html", {"catalog": of, "run": one})
    erase_words(run=one, now=timezone.now())
    messages.success(request, _("The text of the run is erased."))
    return redirect("dashboard:run", catalog=of.name, run=one.pk)


def run_or_404(catalog: Catalog, pk: int) -> Run:
    """Return a run of a catalog as ``find_run`` reads it; raises ``Http404``."""
    found = find_run(catalog=catalog, pk=pk) if pk <= _MOST else None
    if found is None:
        raise Http404(f"no run {pk}")
    return found


def number_of_run(said: str) -> int:
    """Return a number of a query; raises ``Http404`` for no number."""
    if not (said.isascii() and said.isdecimal() and len(said) < len(str(_MOST))):
        raise Http404("no number")
    return int(said)
