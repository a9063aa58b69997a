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
    fits_of,
    measures_of,
    parts_of,
    reliability_chart,
    standing_of,
    supply_of,
)
from dashboard.views.gate import gate_context, let_pass_if_said
from routing import jobs
from routing.gate.standing import GateClosed, Standing, standing_of_release
from routing.learned import asking
from routing.learned.asking import LearningAlready
from routing.learned.moving import back_to, put_live
from routing.models import Fit, GateCheck, LabelMove, Release
from routing.models.release import LIVE
from routing.moves import NothingLive, StaleBase, UnknownVersion, current_move
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
        "fits": fits_of(of)[:FITS],
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
            start=jobs.FITS.start,
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
    return _fit_page(request, one, context)


def _fit_page(
    request: PageRequest, one: Fit, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    if one.report:
        context |= {
            "parts": list(parts_of(one.report)),
            "measures": list(measures_of(one.report)),
            "chart": reliability_chart(one.report),
        }
    if one.release is not None:
        context |= _ready_context(request, one, one.release)
    return render(request, "dashboard/fit.html", context, status=status)


def _ready_context(request: PageRequest, one: Fit, release: Release) -> dict[str, Any]:
    """Return what the page of a fit says of its release: whether it is live, or what keeps it."""
    of, live = one.catalog, current_move(one.catalog)
    at = live.release if live else None
    was_live = LabelMove.objects.filter(label=LIVE, release=release).exists()
    context = {
        "is_live": at is not None and at.pk == release.pk,
        "was_live": was_live,
        "ready": at is not None and at.pk != release.pk and at.version_id == release.version_id,
        "base": live.pk if live else None,
        "gate_fit": one,
        "last_check": GateCheck.objects.done().filter(release=release).first(),
    }
    if context["ready"] and not was_live:
        context |= gate_context(request, of, _standing(one, release, live), None)
    return context


def _standing(one: Fit, release: Release, live: LabelMove | None) -> Standing:
    now = timezone.now()
    return standing_of_release(catalog=one.catalog, release=release, live=live, now=now)


@require_POST
def put_fit_live(request: PageRequest, catalog: str, fit: int) -> HttpResponse:
    """Put live what a fit learned and the gate kept, or what was rolled back."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.LEARN])
    one = _fit_or_404(of, fit)
    if one.release is None:  # nothing was better
        return redirect("dashboard:fit", catalog=of.name, fit=one.number)
    let_pass_if_said(request, of, _standing(one, one.release, current_move(of)))
    try:
        put_live(
            catalog=of,
            release=one.release,
            base=number_of(request.POST.get("base", "")),
            by=request.user,
            reason=_("What fit %(n)s learned.") % {"n": one.number},
            now=timezone.now(),
        )
    except GateClosed:
        context = {"catalog": of, "fit": one, "working": is_working(now=timezone.now())}
        return _fit_page(request, one, context, status=422)
    except StaleBase:
        messages.error(request, _("Somebody moved live meanwhile: look at it again."))
        return redirect("dashboard:fit", catalog=of.name, fit=one.number)
    said = _("Release %(number)s is live. The next selection follows it.")
    messages.success(request, said % {"number": one.release.number})
    return redirect("dashboard:learning", catalog=of.name)


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
