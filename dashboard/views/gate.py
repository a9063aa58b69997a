"""The gate: have a document checked, follow the check, read it, and say what the catalog asks."""

from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from catalog.access import NEEDS, Action, may
from catalog.models import Catalog, CatalogVersion
from catalog.publishing import DraftHasProblems, FrozenDraft, freeze_and_check
from catalog.views.requests import PageRequest, back, catalog_or_404, role_to_send
from dashboard.forms.gate import AnywayForm, GatePolicyForm
from dashboard.gate_rows import lay_out_check
from dashboard.history import number_of
from routing import background, jobs
from routing.gate.rules import keep_policy, policy_of
from routing.gate.standing import NotLetPass, Standing, let_pass, standing_of, standing_of_release
from routing.gate_checks import asking
from routing.gate_checks.asking import Subject
from routing.models import EvalCase, Fit, GateCheck, Release
from routing.moves import NothingLive, current_move
from routing.working import is_working

SHORT = 3
"""Ways that are shown beside a publish; the page of the check has all."""


@require_POST
def ask_check(request: PageRequest, catalog: str) -> HttpResponse:
    """Have the draft, a ``version`` or what a ``fit`` learned checked against what is live."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    try:
        asking.ask(
            catalog=of,
            subject=_subject(request, of),
            by=request.user,
            now=timezone.now(),
            note=request.POST.get("note", "").strip(),
            start=jobs.CHECKS.start,
        )
    except NothingLive:
        messages.error(request, _("Nothing is live, so there is nothing to compare with."))
    except DraftHasProblems:
        messages.error(request, _("Mend the problems of the draft first."))
    return back(request, _versions(of))


def _subject(request: PageRequest, catalog: Catalog) -> Subject:
    if version := request.POST.get("version"):
        found: CatalogVersion = get_object_or_404(catalog.versions, number=number_of(version))
        return found
    if number := request.POST.get("fit"):
        fits = catalog.fits.select_related("release__version").exclude(release=None)
        fit: Fit = get_object_or_404(fits, number=number_of(number))
        return cast("Release", fit.release)
    return freeze_and_check(catalog)


@require_safe
def gate_check(request: PageRequest, catalog: str, check: int) -> HttpResponse:
    """Show how far a check is, and then what it says: what is lost first."""
    of = catalog_or_404(request, catalog)
    one = _check_or_404(of, check)
    if request.htmx:
        if one.finished_at is not None:
            return HttpResponseClientRefresh()
        context = {"catalog": of, "check": one, "working": is_working(now=timezone.now())}
        return render(request, "dashboard/_gate.html#gate-progress", context)
    frozen = freeze_and_check(of)
    standing = _standing(one)
    counts = standing.check is not None and standing.check.pk == one.pk
    context = {
        "catalog": of,
        "check": one,
        "standing": standing if counts else None,
        "working": is_working(now=timezone.now()),
    }
    if one.report:
        context["shown"] = lay_out_check(one, frozen)
    return render(request, "dashboard/gate_check.html", context)


@require_POST
def cancel_check(request: PageRequest, catalog: str, check: int) -> HttpResponse:
    """End a check; nothing goes live by it."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.EDIT])
    one = _check_or_404(of, check)
    background.cancel(one, now=timezone.now())
    messages.success(request, _("The check is cancelled."))
    fit = Fit.objects.filter(release=one.release_id).first() if one.release_id else None
    return redirect("dashboard:fit", of.name, fit.number) if fit else back(request, _versions(of))


@require_http_methods(["GET", "HEAD", "POST"])
def gate_policy(request: PageRequest, catalog: str) -> HttpResponse:
    """Show what the catalog asks before a version goes live; change it."""
    of = catalog_or_404(request, catalog, role=role_to_send(request, Action.GATE))
    policy = policy_of(of)
    sent = request.method == "POST"
    form = GatePolicyForm(request.POST if sent else None, instance=policy)
    if sent and form.is_valid():
        datasets = form.cleaned_data.get("datasets", ())
        keep_policy(form.save(commit=False), datasets=datasets, by=request.user, now=timezone.now())
        messages.success(request, _("Saved. It counts for the next version that goes live."))
        return redirect("dashboard:gate_policy", catalog=of.name)
    context = {
        "catalog": of,
        "form": form,
        "cases": EvalCase.objects.accepted().filter(dataset__catalog=of).count(),
    }
    return render(
        request, "dashboard/gate_policy.html", context, status=422 if form.errors else 200
    )


def gate_context(
    request: PageRequest, catalog: Catalog, standing: Standing, frozen: FrozenDraft | None
) -> dict[str, Any]:
    """Return what a page that something goes live from says of the gate."""
    check = standing.check
    context: dict[str, Any] = {"standing": standing, "check": check}
    if check is None:
        return context
    context["working"] = check.finished_at is not None or is_working(now=timezone.now())
    if check.report:
        check.catalog = catalog
        context["shown"] = lay_out_check(
            check, frozen or freeze_and_check(catalog), ways=SHORT, lost=SHORT
        )
    if (standing.asks or standing.blocks) and may_let_pass(catalog, standing):
        typed = "gate_reason" in request.POST
        context["anyway"] = AnywayForm(request.POST) if typed else AnywayForm()
    return context


def may_let_pass(catalog: Catalog, standing: Standing) -> bool:
    """Tell whether the person of a catalog may say why something goes live although it fell."""
    return may(catalog, Action.GATE if standing.blocks else Action.PUBLISH)


def let_pass_if_said(request: PageRequest, catalog: Catalog, standing: Standing) -> bool:
    """Let pass what fell, where a reason was given by who may; tell whether it is open then."""
    if standing.is_open:
        return True
    form = AnywayForm(request.POST)
    check = standing.check
    if check is None or not (standing.asks or standing.blocks):
        return False
    if not may_let_pass(catalog, standing) or not form.is_valid():
        return False
    try:
        let_pass(
            check,
            reason=form.cleaned_data["gate_reason"],
            by=request.user,
            overrule=may(catalog, Action.GATE),
            now=timezone.now(),
        )
    except NotLetPass:
        return False
    return True


def _check_or_404(catalog: Catalog, pk: int) -> GateCheck:
    checks = GateCheck.objects.select_related(
        "version", "release", "against__version", "asked_by", "let_by"
    )
    one = checks.filter(catalog=catalog, pk=pk).first()
    if one is None:
        raise Http404
    one.catalog = catalog
    return one


def _standing(one: GateCheck) -> Standing:
    asked: dict[str, Any] = {"catalog": one.catalog, "now": timezone.now()}
    asked["live"] = current_move(one.catalog)
    if one.release is not None:
        return standing_of_release(release=one.release, **asked)
    return standing_of(sha256=one.sha256, **asked)


def _versions(catalog: Catalog) -> str:
    return reverse("dashboard:versions", kwargs={"catalog": catalog.name}) + "#gate"
