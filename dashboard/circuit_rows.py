"""What the page of circuits shows: those that are not closed, those that were, and what may be."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Q, QuerySet

from catalog.models import Catalog
from routing.circuit_board import opening_of
from routing.llm.configuring import BadRouterSetting, read_settings
from routing.models import Circuit
from routing.moves import current_move
from routing.policy.circuits import Opening, State


@dataclass(frozen=True, slots=True)
class CircuitRow:
    """A circuit that is open or half open. ``until`` is when it is tried, or closes by itself."""

    circuit: Circuit
    opening: Opening
    half_open: bool
    probing: bool
    until: datetime | None


def rows_of(catalog: Catalog, *, now: datetime) -> list[CircuitRow]:
    """Return the circuits of a catalog that are open or half open, newest first. One read."""
    unclosed = Circuit.objects.unclosed().filter(catalog=catalog).select_related("opened_by")
    rows = []
    for circuit in unclosed:
        opening = opening_of(circuit)
        state = opening.state(now=now)
        if state is not State.CLOSED:
            rows.append(
                CircuitRow(
                    circuit=circuit,
                    opening=opening,
                    half_open=state is State.HALF_OPEN,
                    probing=opening.awaits_probe(now=now),
                    until=opening.open_until(now=now),
                )
            )
    return rows


def history_of(catalog: Catalog, *, now: datetime) -> "QuerySet[Circuit]":
    """Return the circuits that were closed, or whose time is over, newest first."""
    over = Q(closed_at__isnull=False) | Q(by_hand=True, until__lte=now)
    return Circuit.objects.filter(over, catalog=catalog).select_related("opened_by", "closed_by")


def names_of(catalog: Catalog) -> dict[str, list[str]]:
    """Return what can be switched off, by kind: what the draft has, and what is live.

    Three reads, and the live document's. A router model is there where the environment names one.
    """
    tools = list(catalog.tools.values_list("name", "capability"))
    routes = list(catalog.routes.values_list("name", flat=True))
    move = current_move(catalog)
    if move is not None:
        document = move.release.version.parsed()
        tools += [(tool["name"], tool["capability"]) for tool in document["tools"]]
        routes += [route["name"] for route in document["routes"]]
    return {
        Circuit.Kind.TOOL: sorted({name for name, _ in tools}),
        Circuit.Kind.CAPABILITY: sorted({capability for _, capability in tools if capability}),
        Circuit.Kind.ROUTE: sorted(set(routes)),
        Circuit.Kind.ROUTER: _router_models(),
    }


def _router_models() -> list[str]:
    try:
        router = read_settings(settings)
    except BadRouterSetting:
        return []
    return [router.name] if router else []
