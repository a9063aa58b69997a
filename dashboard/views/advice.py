"""Advice by itself: the surest, as the overview shows it, and following a piece of it."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from catalog.access import NEEDS, Action
from catalog.editing import EditRefused
from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.advising.carrying_out import carry_out
from dashboard.advising.pieces import Piece, State, advice_for
from dashboard.advising.words import change_words, found_words
from dashboard.asked_traffic import asked_traffic
from dashboard.run_links import RunLinks
from dashboard.topics.advice import shown_pieces
from routing.moves import current_move
from routing.rollups.folding import catch_up

SHOWN = 3


@require_safe
def part_advice(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the surest advice that is not followed yet, and how much more there is.

    The overview loads it when it is there itself: what counts say at a glance does not wait for it.
    """
    of = catalog_or_404(request, catalog)
    asked, move = asked_traffic(request), current_move(of)
    if not request.htmx or asked is None or move is None:
        return redirect(_page(request, of))
    catch_up(now=timezone.now())
    advice = advice_for(asked, catalog=of, live=move.release)
    pieces = [one for one in advice.pieces if one.state != State.LIVE]
    links = RunLinks(catalog=of.name, period=asked.periods.now, simulated=asked.scope.simulated)
    context = {
        "catalog": of,
        "pieces": shown_pieces(pieces[:SHOWN], links),
        "more_pieces": max(len(pieces) - SHOWN, 0),
        "all_url": _page(request, of),
    }
    return render(request, "dashboard/part_advice.html", context)


@require_POST
def follow_advice(request: PageRequest, catalog: str) -> HttpResponse:
    """Draft the change of the ``advice`` that is named by its key, of the period of the URL."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    piece = _piece(request, of, request.POST.get("advice", ""))
    if piece is None or piece.change is None:
        messages.error(request, _("Nothing was changed: this advice is no longer given."))
    else:
        try:
            carry_out(catalog=of, change=piece.change, note=found_words(piece.finding))
        except EditRefused:
            messages.error(
                request, _("Nothing was changed: the draft no longer has what it is about.")
            )
        else:
            said = _("Drafted: %(change)s Review it, then publish.")
            messages.success(request, said % {"change": change_words(piece)})
    return redirect(_page(request, of))


def _page(request: PageRequest, of: Catalog) -> str:
    """Return where all advice of the period of the URL is."""
    query = {"catalog": of.name, **request.GET.dict()}
    page = reverse("dashboard:metrics_topic", kwargs={"topic": "advice"})
    return f"{page}?{urlencode(query)}"


def _piece(request: PageRequest, of: Catalog, key: str) -> Piece | None:
    asked, move = asked_traffic(request), current_move(of)
    if asked is None or asked.catalog != of or move is None:
        return None
    catch_up(now=timezone.now())
    pieces = advice_for(asked, catalog=of, live=move.release).pieces
    return next((one for one in pieces if one.finding.key == key), None)
