"""The first page: the health of routing at a glance, of a catalog or of all, over a period."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from catalog.access import may_make_catalogs
from dashboard.advice import advice_about
from dashboard.alerts.opened import open_alerts
from dashboard.asked_traffic import AskedTraffic, asked_traffic
from dashboard.curl import first_selection
from dashboard.metrics.hourly import has_traffic
from dashboard.metrics.moves import moves_in
from dashboard.metrics.overview import overview as measured
from dashboard.overview_cards import cards
from dashboard.overview_charts import readings
from routing.compiled import compiled_release
from routing.moves import current_move
from routing.rollups.folding import catch_up

TEMPLATE = "dashboard/overview.html"


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Show the figures and charts of `?catalog=…&period=30d&simulated=0`."""
    asked = asked_traffic(request)
    if asked is None:
        makes = may_make_catalogs(request.user)
        return redirect("dashboard:start_new") if makes else render(request, TEMPLATE)
    moves = moves_in(scope=asked.scope, period=asked.periods.now)
    context = {
        **asked.context,
        "moves": moves,
        "open_alerts": open_alerts(catalogs=asked.scope.catalogs, now=timezone.now()),
        **_traffic(request, asked),
    }
    return render(request, TEMPLATE, context)


def _traffic(request: HttpRequest, asked: AskedTraffic) -> dict[str, Any]:
    """Return the figures, or what to do where there is nothing to count."""
    catalog, scope = asked.catalog, asked.scope
    live = current_move(catalog) if catalog else None
    document = live.release.version.parsed() if live else None
    counted = catch_up(now=timezone.now())
    found = measured(scope=scope, periods=asked.periods)
    context: dict[str, Any] = {"overview": found, "behind": not counted}
    if live:
        context["advice"] = advice_about(compiled_release(live.release_id), now=timezone.now())
    if found.now.tally.selections or found.before.tally.selections:
        context["cards"] = cards(found)
    if found.now.tally.selections:
        threshold = document["settings"]["threshold"] if document else None
        context["readings"] = readings(found, threshold=threshold)
        context["may_advise"] = live is not None
    elif not has_traffic(scope=scope):
        url = request.build_absolute_uri("/api/v1/selections")
        context["never"] = True
        context["without_tools"] = catalog and not live and not catalog.tools.exists()
        context["command"] = document and first_selection(document=document, url=url)
    return context
