"""The first page: the health of routing at a glance, of a catalog or of all, over a period."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from catalog.access import may_make_catalogs
from catalog.models import Catalog
from dashboard.advice import advice_about
from dashboard.context import current_catalog
from dashboard.curl import first_selection
from dashboard.metrics.hourly import Scope, has_traffic
from dashboard.metrics.moves import moves_in
from dashboard.metrics.overview import overview as measured
from dashboard.metrics.periods import DAYS, DEFAULT, Comparison, comparison
from dashboard.overview_cards import cards
from dashboard.overview_charts import readings
from routing.compiled import compiled_release
from routing.releases import current_move
from routing.rollups.folding import catch_up

TEMPLATE = "dashboard/overview.html"
# Stands for every catalog in `?catalog=`, and can be the name of none.
ALL = "*"


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Show the figures and charts of `?catalog=…&period=30d&simulated=0`."""
    catalogs = _catalogs(request)
    if not catalogs:
        makes = may_make_catalogs(request.user)
        return redirect("dashboard:start_new") if makes else render(request, TEMPLATE)
    one = catalogs[0] if request.GET.get("catalog") != ALL else None
    scope = Scope(
        catalogs=tuple(catalog.pk for catalog in catalogs),
        simulated=request.GET.get("simulated") != "0",
    )
    periods = _periods(request)
    context = {
        "catalog": one,
        "scope": scope,
        "periods": periods,
        "period_names": DAYS,
        "moves": moves_in(scope=scope, period=periods.now),
    }
    return render(request, TEMPLATE, context | _traffic(request, scope, periods, one))


def _catalogs(request: HttpRequest) -> list[Catalog]:
    if request.GET.get("catalog") == ALL:
        return list(Catalog.objects.visible_to(request.user))
    catalog = current_catalog(request=request)
    return [catalog] if catalog else []


def _periods(request: HttpRequest) -> Comparison:
    name = request.GET.get("period", DEFAULT)
    if name not in DAYS:
        raise Http404(f"no period {name}")
    zone = timezone.get_current_timezone()
    return comparison(name=name, now=timezone.now(), zone=zone)


def _traffic(
    request: HttpRequest, scope: Scope, periods: Comparison, catalog: Catalog | None
) -> dict[str, Any]:
    """Return the figures, or what to do where there is nothing to count."""
    live = current_move(catalog) if catalog else None
    document = live.release.version.parsed() if live else None
    counted = catch_up(now=timezone.now())
    found = measured(scope=scope, periods=periods)
    context: dict[str, Any] = {"overview": found, "behind": not counted}
    if live:
        context["advice"] = advice_about(compiled_release(live.release_id), now=timezone.now())
    if found.now.tally.selections or found.before.tally.selections:
        context["cards"] = cards(found)
    if found.now.tally.selections:
        threshold = document["settings"]["threshold"] if document else None
        context["readings"] = readings(found, threshold=threshold)
    elif not has_traffic(scope=scope):
        url = request.build_absolute_uri("/api/v1/selections")
        context["never"] = True
        context["without_tools"] = catalog and not live and not catalog.tools.exists()
        context["command"] = document and first_selection(document=document, url=url)
    return context
