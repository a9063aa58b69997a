"""Alerts: which rules fire, how every rule stands, what happened, and where it is sent."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.alerts.judging import State
from dashboard.alerts.rows import Sent, past_of, rows_of, sent_to
from dashboard.alerts.sending import OVERTAKEN
from dashboard.metrics.hourly import Scope, has_traffic
from dashboard.models import AlertDelivery
from routing.rollups.folding import catch_up
from routing.working import is_working

HISTORY = 20
# So many messages that were not taken are shown, the newest, for so long.
FAILED = 10
RECENT = timedelta(days=7)


@require_safe
def alerts(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the rules, firing first, and the history."""
    of, now = catalog_or_404(request, catalog), timezone.now()
    catch_up(now=now)
    rows = rows_of(of, now=now, zone=timezone.get_current_timezone())
    # That a rule is judged for the first time is no news.
    history = of.alert_changes.filter(Q(before=State.FIRING) | Q(after=State.FIRING))
    history = history.select_related("acknowledgement__by")
    page = Paginator(history, HISTORY).get_page(request.GET.get("page"))
    context = {
        "catalog": of,
        "now": now,
        "rows": rows,
        "firing": [row for row in rows if row.standing == State.FIRING],
        "judged_at": max((row.judged_at for row in rows if row.judged_at), default=None),
        "has_traffic": has_traffic(scope=Scope(catalogs=(of.pk,))),
        "is_working": is_working(now=now),
        "page": page,
        "past": past_of(list(page)),
        "targets": of.alert_targets.count(),
        "failed": failed_messages(of, now=now),
    }
    return render(request, "dashboard/alerts.html", context)


def failed_messages(catalog: Catalog, *, now: datetime) -> Sequence[Sent]:
    """Return the newest messages that were not taken, those that are tried again among them.

    One that a newer message overtook is none: whoever is told knows how it stands.
    """
    found = AlertDelivery.objects.filter(
        target__catalog=catalog, taken_at=None, last_at__gte=now - RECENT
    )
    found = found.exclude(last_error__in=["", OVERTAKEN])
    return sent_to(found.select_related("target", "change")[:FAILED])
