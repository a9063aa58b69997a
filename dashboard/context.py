"""What every page's frame needs: the catalog at hand, the other catalogs, the pages.

The catalog is, in this order, the one in the page's path, in `?catalog=`, the one looked at last
(in the session), and the first by name.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from catalog.access import Action, may
from catalog.models import Catalog
from dashboard.models import AlertState
from routing.models import Approval, LabelMove
from routing.models.release import LIVE


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the sidebar. `of_catalog` tells that the catalog's name is part of its path.

    Where `needs` is given, only those see the page who may do it in the catalog.
    """

    view_name: str
    label: Promise
    icon: str
    of_catalog: bool
    needs: Action | None = None


# The way to a first selection; nobody looks for it once a version is live, but who is on it.
START = Place("dashboard:start", _("Start"), "rocket", of_catalog=True)
PLACES = (
    Place("dashboard:overview", _("Overview"), "layout-dashboard", of_catalog=False),
    Place("dashboard:metrics", _("Metrics"), "chart-bar", of_catalog=False),
    Place("dashboard:alerts", _("Alerts"), "bell", of_catalog=True),
    Place("dashboard:playground", _("Playground"), "flask", of_catalog=False),
    Place("catalog:tools", _("Tools"), "tool", of_catalog=True),
    Place("catalog:groups", _("Groups"), "stack-2", of_catalog=True),
    Place("catalog:phases", _("Phases"), "git-branch", of_catalog=True),
    Place("catalog:rules", _("Rules"), "list-numbers", of_catalog=True),
    Place("catalog:routes", _("Routes"), "route", of_catalog=True),
    Place("dashboard:health", _("Health"), "activity-heartbeat", of_catalog=True),
    Place("dashboard:versions", _("Versions"), "versions", of_catalog=True),
    Place("dashboard:evals", _("Evals"), "clipboard-check", of_catalog=True),
    Place("dashboard:learning", _("Learning"), "school", of_catalog=True),
    Place("dashboard:runs", _("Runs"), "list-details", of_catalog=True),
    Place("dashboard:approvals", _("Approvals"), "user-check", of_catalog=True),
    Place("dashboard:policy", _("Policy tester"), "shield-check", of_catalog=True),
    Place("dashboard:circuits", _("Circuits"), "circuit-switch-open", of_catalog=True),
    Place("dashboard:audit", _("Audit"), "history", of_catalog=True, needs=Action.AUDIT),
    Place("dashboard:keys", _("Keys"), "key", of_catalog=False),
    Place("dashboard:members", _("Members"), "users", of_catalog=True, needs=Action.MEMBERS),
)
# The pages whose entries say how many there are of what, as `visible_catalogs` counts them.
COUNTED = {
    "dashboard:approvals": ("waiting", _("waiting")),
    "dashboard:alerts": ("firing", _("firing")),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the sidebar as a link; ``count`` is how many wait or fire there: ``counted``."""

    label: str
    icon: str
    url: str
    is_current: bool
    count: int = 0
    counted: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A catalog of the picker, and the same page of it."""

    catalog: Catalog
    url: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Navigation:
    """The frame of a page."""

    catalog: Catalog | None
    choices: Sequence[Choice]
    entries: Sequence[Entry]


def navigation(request: HttpRequest) -> dict[str, object]:
    """Give templates `navigation`; nothing is read until one asks, so fragments cost no query."""
    return {"navigation": SimpleLazyObject(lambda: _navigation_of(request))}


def current_catalog(*, request: HttpRequest) -> Catalog | None:
    """Return the catalog that a page without one in its path is about; None where there is none.

    Shares its one query with the frame. Raises Http404 for a `?catalog=` that the person may not
    see: a page must not quietly show another.
    """
    asked = request.GET.get("catalog")
    if asked and asked not in {catalog.name for catalog in visible_catalogs(request=request)}:
        raise Http404(f"no catalog {asked}")
    return _catalog_at_hand(request)


def visible_catalogs(*, request: HttpRequest) -> list[Catalog]:
    """Return the catalogs of the frame, each with the person's role; they are read once."""
    user = getattr(request, "user", None)  # a program's request has none
    if user is None or not user.is_authenticated:
        return []
    visible: list[Catalog] | None = getattr(request, "visible_catalogs", None)
    if visible is None:
        seen = Catalog.objects.visible_to(user)
        visible = list(seen.annotate(waiting=_waiting(), firing=_firing(), is_live=_is_live()))
        request.visible_catalogs = visible  # type: ignore[attr-defined]
    return visible


def _catalog_at_hand(request: HttpRequest) -> Catalog | None:
    catalogs = {catalog.name: catalog for catalog in visible_catalogs(request=request)}
    match = request.resolver_match
    in_path = str(match.kwargs.get("catalog", "")) if match else ""
    for name in (in_path, request.GET.get("catalog", ""), request.session.get("catalog", "")):
        if name in catalogs:
            return catalogs[name]
    return next(iter(catalogs.values()), None)


def _navigation_of(request: HttpRequest) -> Navigation:
    if not visible_catalogs(request=request):
        return Navigation(catalog=None, choices=(), entries=_entries(request, catalog=None))
    at_hand = _catalog_at_hand(request)
    if at_hand and request.session.get("catalog") != at_hand.name:
        request.session["catalog"] = at_hand.name
    return Navigation(
        catalog=at_hand,
        choices=[
            Choice(catalog=choice, url=_same_page(request, choice), is_current=choice == at_hand)
            for choice in visible_catalogs(request=request)
        ],
        entries=_entries(request, catalog=at_hand),
    )


def _entries(request: HttpRequest, *, catalog: Catalog | None) -> list[Entry]:
    entries = []
    is_live = catalog is None or catalog.is_live  # type: ignore[attr-defined]
    match = request.resolver_match
    is_start = match is not None and match.view_name == START.view_name
    for place in (START, *PLACES) if is_start or not is_live else PLACES:
        if place.of_catalog and catalog is None:
            continue
        if place.needs and not (catalog and may(catalog, place.needs)):
            continue
        kwargs = {"catalog": catalog.name} if catalog and place.of_catalog else {}
        try:
            path = reverse(place.view_name, kwargs=kwargs)
        except NoReverseMatch:
            continue  # a page may be missing from the frame, never break it; a test finds it
        is_current = request.path == path or (path != "/" and request.path.startswith(path + "/"))
        query = f"?catalog={catalog.name}" if catalog and not place.of_catalog else ""
        name, counted = COUNTED.get(place.view_name, ("", ""))
        count = getattr(catalog, name) if catalog and name else 0
        entry = Entry(str(place.label), place.icon, path + query, is_current, count, str(counted))
        entries.append(entry)
    return entries


def _waiting() -> Coalesce:
    """Count what waits for a person in a catalog, in the query that reads the catalogs."""
    rows = Approval.objects.waiting(now=timezone.now()).of_traffic()
    rows = rows.filter(catalog=OuterRef("pk"))
    counted = rows.order_by().values("catalog").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted), 0)


def _firing() -> Coalesce:
    """Count the alerts of a catalog that fire and that nobody silenced, in the same query."""
    rows = AlertState.objects.open(now=timezone.now()).filter(catalog=OuterRef("pk"))
    counted = rows.order_by().values("catalog").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted), 0)


def _is_live() -> Exists:
    """Tell whether a version of a catalog is live, in the query that reads the catalogs."""
    return Exists(LabelMove.objects.filter(catalog=OuterRef("pk"), label=LIVE))


def _same_page(request: HttpRequest, catalog: Catalog) -> str:
    match = request.resolver_match
    if match is None or "catalog" not in match.kwargs:
        query = request.GET.copy()
        query["catalog"] = catalog.name
        query.pop("page", None)
        return f"{request.path}?{query.urlencode()}"
    if set(match.kwargs) == {"catalog"}:
        return reverse(match.view_name, kwargs={"catalog": catalog.name})
    return catalog.get_absolute_url()  # what the path names may not exist in another catalog
