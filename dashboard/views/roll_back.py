"""Roll back: put an earlier version before agents again, after a look at what that changes."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from catalog.access import NEEDS, Action
from catalog.models import Catalog, CatalogVersion
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.forms.versions import RollBackForm
from dashboard.history import versions_of
from dashboard.reviews import shown_parts, version_changes
from routing.gate.standing import GateClosed
from routing.models import LabelMove, Preparation
from routing.models.release import LIVE
from routing.moves import StaleBase, UnknownVersion, current_move
from routing.releases import roll_back as move_back


@require_http_methods(["GET", "HEAD", "POST"])
def roll_back(request: PageRequest, catalog: str, number: int) -> HttpResponse:
    """Ask whether a version shall go live again, and why; move the label."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ROLL_BACK])
    to = get_object_or_404(versions_of(of).defer(None), number=number)
    if request.method == "POST":
        return _move(request, of, to)
    return _page(request, of, to)


def _move(request: PageRequest, catalog: Catalog, to: CatalogVersion) -> HttpResponse:
    form = RollBackForm(request.POST)
    if not form.is_valid():
        return _page(request, catalog, to, status=422)
    try:
        move_back(
            catalog=catalog,
            version=to.number,
            by=request.user,
            now=timezone.now(),
            **form.cleaned_data,
        )
    except StaleBase as stale:
        return _page(request, catalog, to, status=409, overtaken_by=stale.current)
    except GateClosed:
        # It was never live: where labels are moved the gate has its say.
        messages.error(request, Preparation.Problem.GATE.label)
        page = reverse("dashboard:label", kwargs={"catalog": catalog.name, "label": LIVE})
        return redirect(f"{page}?to={to.number}")
    except UnknownVersion as unknown:
        raise Http404(str(unknown)) from unknown
    said = _("Version %(version)s is live again. The draft is as it was.")
    messages.success(request, said % {"version": to.number})
    return redirect("dashboard:versions", catalog=catalog.name)


def _page(
    request: PageRequest,
    catalog: Catalog,
    to: CatalogVersion,
    *,
    status: int = 200,
    overtaken_by: LabelMove | None = None,
) -> HttpResponse:
    live = current_move(catalog)
    base = live.pk if live else None
    form = RollBackForm(initial={"base": base})
    if request.method == "POST":
        form = RollBackForm({"base": base, "reason": request.POST.get("reason", "")})
    context = {
        "catalog": catalog,
        "version": to,
        "live": live,
        "form": form,
        **shown_parts(version_changes(live.release.version if live else None, to)),
        "overtaken_by": overtaken_by,
    }
    return render(request, "dashboard/roll_back.html", context, status=status)
