"""Learning: what a catalog learned from its reviewed cases, what it would need, and fits."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from catalog.access import NEEDS, Action
from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.forms.learning import LearningForm
from dashboard.history import number_of
from dashboard.learning_rows import (
    measures_of,
    parts_of,
    reliability_chart,
    standing_of,
    supply_of,
)
from routing import jobs
from routing.learned import asking
from routing.learned.asking import LearningAlready, NothingLive
from routing.learned.moving import back_to
from routing.models import Fit, Release
from routing.moves import StaleBase, UnknownVersion, current_move
from routing.working import is_working

FITS = 20


@require_safe
def learning(request: PageRequest, catalog: str) -> HttpResponse:
    """Show what is live, what there is to learn from, and the fits so far."""
    of = catalog_or_404(request, catalog)
    return _page(request, of)


def _page(
    request: PageRequest, of: Catalog, *, form: LearningForm | None = None, status: int = 200
) -> HttpResponse:
    setting = asking.setting_of(of)
    standing = standing_of(current_move(of))
    context = {
        "catalog": of,
        "standing": standing,
        "measures": list(measures_of(standing.fit.report)) if standing and standing.fit else [],
        "supply": supply_of(of, setting),
        "form": form or LearningForm(catalog=of, setting=setting),
        "open": Fit.objects.open().filter(catalog=of).first(),
        "fits": of.fits.select_related("asked_by", "release__version")[:FITS],
    }
    return render(request, "dashboard/learning.html", context, status=status)


@require_POST
def start_fit(request: PageRequest, catalog: str) -> HttpResponse:
    """Have the catalog learn from what it is set to learn from."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.LEARN])
    try:
        one = asking.ask(
            catalog=of,
            datasets=asking.setting_of(of).datasets,
            by=request.user,
            now=timezone.now(),
            start=jobs.start_fit,
        )
    except NothingLive:
        messages.error(request, _("Nothing is live that could learn: publish a version first."))
        return redirect("dashboard:learning", catalog=of.name)
    except LearningAlready as already:
        one = already.fit
    return redirect("dashboard:fit", catalog=of.name, fit=one.number)


@require_POST
def set_learning(request: PageRequest, catalog: str) -> HttpResponse:
    """Set what the catalog learns from, and whether publishing does."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.LEARN])
    form = LearningForm(request.POST, catalog=of, setting=asking.setting_of(of))
    if not form.is_valid():
        return _page(request, of, form=form, status=422)
    asking.set_learning(catalog=of, now=timezone.now(), **form.cleaned_data)
    messages.success(request, _("The setting is kept."))
    return redirect("dashboard:learning", catalog=of.name)


@require_safe
def fit(request: PageRequest, catalog: str, fit: int) -> HttpResponse:
    """Show how far a fit is, and then what it says."""
    of = catalog_or_404(request, catalog)
    one = _fit_or_404(of, fit)
    context: dict[str, Any] = {
        "catalog": of,
        "fit": one,
        "working": is_working(now=timezone.now()),
    }
    if request.htmx and request.htmx.target == "progress":
        if one.finished_at is not None:
            return HttpResponseClientRefresh()
        return render(request, "dashboard/fit.html#progress", context)
    if one.report:
        context |= {
            "parts": list(parts_of(one.report)),
            "measures": list(measures_of(one.report)),
            "chart": reliability_chart(one.report),
        }
    return render(request, "dashboard/fit.html", context)


@require_POST
def cancel_fit(request: PageRequest, catalog: str, fit: int) -> HttpResponse:
    """Cancel a fit: nothing comes of it."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.LEARN])
    one = _fit_or_404(of, fit)
    asking.cancel(one, now=timezone.now())
    messages.success(request, _("It is cancelled. What is live stays."))
    return redirect("dashboard:fit", catalog=of.name, fit=one.number)


@require_POST
def unlearn(request: PageRequest, catalog: str, release: int) -> HttpResponse:
    """Put the release live again that was before what was learned."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ROLL_BACK])
    to = get_object_or_404(Release.objects.select_related("version"), catalog=of, number=release)
    try:
        back_to(
            catalog=of,
            release=to,
            by=request.user,
            reason=_("Back to before what was learned."),
            base=number_of(request.POST.get("base", "")),
            now=timezone.now(),
        )
    except (StaleBase, UnknownVersion):
        messages.error(request, _("Somebody moved live meanwhile: look at it again."))
    else:
        said = _("Release %(number)s is live again.")
        messages.success(request, said % {"number": to.number})
    return redirect("dashboard:learning", catalog=of.name)


def _fit_or_404(catalog: Catalog, number: int) -> Fit:
    fits = Fit.objects.select_related("asked_by", "release__version__catalog")
    one: Fit = get_object_or_404(fits, catalog=catalog, number=number)
    one.catalog = catalog
    return one
