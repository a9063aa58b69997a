"""Whose traffic a page is asked to show, and when: `?catalog=…&period=30d&simulated=0`."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest
from django.utils import timezone

from catalog.models import Catalog
from dashboard.context import current_catalog
from dashboard.metrics.hourly import Scope
from dashboard.metrics.periods import DAYS, DEFAULT, Comparison, comparison

# Stands for every catalog in `?catalog=`, and can be the name of none.
ALL = "*"


@dataclass(frozen=True, slots=True)
class AskedTraffic:
    """The traffic of ``catalog``, or of all that the person may see where it is ``None``."""

    catalog: Catalog | None
    scope: Scope
    periods: Comparison

    @property
    def context(self) -> dict[str, object]:
        """Return what the partials of a page with a period need."""
        return {
            "catalog": self.catalog,
            "scope": self.scope,
            "periods": self.periods,
            "period_names": DAYS,
        }


def asked_traffic(request: HttpRequest) -> AskedTraffic | None:
    """Return what a request asks for; ``None`` where the person sees no catalog.

    Raises ``Http404`` for a catalog or a period that is none.
    """
    catalogs = _catalogs(request)
    if not catalogs:
        return None
    return AskedTraffic(
        catalog=catalogs[0] if request.GET.get("catalog") != ALL else None,
        scope=Scope(
            catalogs=tuple(catalog.pk for catalog in catalogs),
            simulated=request.GET.get("simulated") != "0",
        ),
        periods=_periods(request),
    )


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
