"""Metrics: charts and tables over a period beside the one before, topic by topic."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard.asked_traffic import AskedTraffic, asked_traffic
from dashboard.metrics.both import Both
from dashboard.metrics.hourly import has_traffic
from dashboard.topics import FIRST, TOPICS
from dashboard.topics.viewed import Viewed
from routing.compiled import compiled_release
from routing.moves import current_move
from routing.rollups.folding import catch_up
from routing.rollups.sections import Section

TEMPLATE = "dashboard/metrics.html"


@require_safe
def metrics(request: HttpRequest, topic: str = FIRST) -> HttpResponse:
    """Show a topic over `?catalog=…&period=30d&simulated=0`."""
    if topic not in TOPICS:
        raise Http404(f"no topic {topic}")
    asked = asked_traffic(request)
    if asked is None:
        return render(request, TEMPLATE)
    counted = catch_up(now=timezone.now())
    selections = Both(Section.SELECTIONS, scope=asked.scope, periods=asked.periods)
    count = selections.now["n"]
    context = {
        **asked.context,
        "topic": topic,
        "topics": TOPICS,
        "behind": not counted,
        "selections": count,
        "selections_before": selections.before["n"],
        "simulated_count": selections.simulated("n"),
    }
    if count:
        context["shown"] = TOPICS[topic].show(_viewed(request, asked, selections))
    else:
        context["never"] = not has_traffic(scope=asked.scope)
    return render(request, TEMPLATE, context)


def _viewed(request: HttpRequest, asked: AskedTraffic, selections: Both) -> Viewed:
    move = current_move(asked.catalog) if asked.catalog else None
    index = compiled_release(move.release_id).index if move else None
    return Viewed(
        asked=asked,
        selections=selections,
        threshold=index.settings.threshold if index else None,
        tools=index.tools if index else (),
        query=request.GET.dict(),
    )
