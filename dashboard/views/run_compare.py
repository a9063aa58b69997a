"""Two runs of a catalog beside each other."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.comparing import aligned, facts_of
from dashboard.forms.runs import RunFilters
from dashboard.timeline import steps_of
from dashboard.views.runs import number_of_run, run_or_404
from routing.browsing import story_of
from routing.exploring.searching import search
from routing.models import Run

# So many runs are shown to choose the second from.
CHOICES = 20
# So many steps of each are compared.
STEPS = 200


@require_safe
def compare_runs(request: PageRequest, catalog: str) -> HttpResponse:
    """Compare the runs ``a`` and ``b``, or the two that were ticked in the list."""
    of = catalog_or_404(request, catalog)
    asked = [request.GET[name] for name in ("a", "b") if request.GET.get(name)]
    ticked = request.GET.getlist("run")
    chosen = [run_or_404(of, number_of_run(said)) for said in [*asked, *ticked][:2]]
    if len(chosen) < 2 or len(ticked) > 2:
        context = {"catalog": of, "chosen": chosen[:1], "runs": _others(of, chosen[:1])}
        return render(request, "dashboard/compare_choose.html", context)
    left, right = (story_of(run, steps=STEPS) for run in chosen)
    rows = aligned(steps_of(left), steps_of(right))
    context = {
        "catalog": of,
        "left": left,
        "right": right,
        "facts": facts_of(left, right),
        "rows": rows,
        "differing": sum(row.differs for row in rows),
    }
    return render(request, "dashboard/compare.html", context)


def _others(catalog: Catalog, chosen: list[Run]) -> list[Run]:
    filters = RunFilters({}, catalog=catalog)
    filters.is_valid()
    found = search(filters.wanted(now=timezone.now()), page=CHOICES + 1).runs
    return [run for run in found if run not in chosen][:CHOICES]
