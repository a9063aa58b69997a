"""Versions: what the draft would change, publishing it, and what was published before."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from catalog.access import Action
from catalog.documents import document_of
from catalog.models import Catalog
from catalog.publishing import DraftHasProblems, freeze_and_check
from catalog.views.requests import PageRequest, back, catalog_or_404, role_to_send
from dashboard.forms.versions import PublishForm
from dashboard.history import (
    moves_of,
    newest_move,
    number_of,
    shown_preparation,
    versions_of,
)
from dashboard.json_changes import json_changes
from dashboard.reviews import (
    count_parts,
    draft_changes,
    needs_reason,
    review_draft,
    shown_parts,
)
from dashboard.views.gate import gate_context, let_pass_if_said
from routing import jobs
from routing.gate.standing import GateClosed, Standing, standing_of
from routing.gate_checks import asking
from routing.labels import bases_at, labels_of
from routing.models import LabelMove, Preparation
from routing.models.release import LIVE
from routing.moves import StaleBase, current_move
from routing.preparing import publish_or_prepare
from routing.releases import Published, StaleDraft
from routing.working import is_working

# A page shows so many changed parts, versions, moves and new warnings.
PARTS = 50
VERSIONS = 20
MOVES = 10
WARNINGS = 10


@require_http_methods(["GET", "HEAD", "POST"])
def versions(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the draft against live, and what was published before; publish the draft."""
    of = catalog_or_404(request, catalog, role=role_to_send(request, Action.PUBLISH))
    return _publish(request, of) if request.method == "POST" else _page(request, of)


def _publish(request: PageRequest, catalog: Catalog) -> HttpResponse:
    unexplained = not request.POST.get("note", "").strip()
    names = [pointer.name for pointer in labels_of(catalog)]
    form = PublishForm(request.POST, labels=names, warned=unexplained and needs_reason(catalog))
    if not form.is_valid():
        return _page(request, catalog, status=422)
    label = form.cleaned_data["label"]
    if label == LIVE and (closed := _at_the_gate(request, catalog, form)) is not None:
        return closed
    try:
        outcome = publish_or_prepare(
            catalog=catalog,
            author=request.user,
            now=timezone.now(),
            note=form.cleaned_data["note"],
            base=bases_at(catalog, seen=form.cleaned_data["base"]).get(label),
            reviewed_sha256=form.cleaned_data["reviewed"],
            label=label,
            start=jobs.PREPARATIONS.start,
        )
    except (DraftHasProblems, GateClosed):
        return _page(request, catalog, status=422)
    except StaleBase as stale:
        return _page(request, catalog, status=409, overtaken_by=stale.current)
    except StaleDraft:
        return _page(request, catalog, status=409, draft_changed=True)
    if isinstance(outcome, Published):
        messages.success(request, _outcome(outcome, label=label))
    return back(request, reverse("dashboard:versions", kwargs={"catalog": catalog.name}))


def _standing(catalog: Catalog, sha256: str) -> Standing:
    live = current_move(catalog)
    return standing_of(catalog=catalog, sha256=sha256, live=live, now=timezone.now())


def _at_the_gate(request: PageRequest, catalog: Catalog, form: PublishForm) -> HttpResponse | None:
    """Return what is answered where the draft does not go live yet, ``None`` where it may."""
    standing = _standing(catalog, form.cleaned_data["reviewed"])
    may_skip = "unchecked" in request.POST and not standing.rules.enforces
    if standing.checks_first and not may_skip:
        return _check(request, catalog, form)
    if not let_pass_if_said(request, catalog, standing):
        return _page(request, catalog, status=422)
    return None


def _check(request: PageRequest, catalog: Catalog, form: PublishForm) -> HttpResponse:
    """Have the draft checked that was to be published; what was written is kept with the check."""
    frozen = freeze_and_check(catalog)
    if frozen.sha256 != form.cleaned_data["reviewed"]:
        return _page(request, catalog, status=409, draft_changed=True)
    try:
        asking.ask(
            catalog=catalog,
            subject=frozen,
            by=request.user,
            now=timezone.now(),
            note=form.cleaned_data["note"],
            start=jobs.CHECKS.start,
        )
    except DraftHasProblems:
        return _page(request, catalog, status=422)
    return redirect(reverse("dashboard:versions", kwargs={"catalog": catalog.name}) + "#gate")


def _outcome(published: Published, *, label: str) -> str:
    named = {"label": label, "version": published.version.number}
    if label != LIVE and published.made:
        return _("“%(label)s” is at version %(version)s now. What is live stays live.") % named
    if label != LIVE:
        return _("Nothing to publish: “%(label)s” is at this draft already.") % named
    if not published.made:
        return _("Nothing to publish: the draft is what is live.")
    return _(
        "Version %(version)s is live (release %(release)s). The next selection follows it."
    ) % {
        "version": published.version.number,
        "release": published.release.number,
    }


def _page(
    request: PageRequest,
    catalog: Catalog,
    *,
    status: int = 200,
    overtaken_by: LabelMove | None = None,
    draft_changed: bool = False,
) -> HttpResponse:
    """Show the page as things are now; what was written in the form stays in it."""
    review = review_draft(catalog)
    preparation = shown_preparation(catalog)
    labels = labels_of(catalog)
    standing = _standing(catalog, review.frozen.sha256)
    seen = {"base": newest_move(catalog), "reviewed": review.frozen.sha256}
    names, warned = [pointer.name for pointer in labels], bool(review.warnings)
    if request.method == "POST":
        kept = {name: request.POST.get(name, "") for name in ("note", "label")}
        form = PublishForm({**seen, **kept}, labels=names, warned=warned)
    else:
        # What was written about a draft that could not be published is not lost.
        note = preparation.note if preparation and preparation.finished_at else ""
        note = note or (standing.check.note if standing.check else "")
        form = PublishForm(initial={**seen, "note": note}, labels=names, warned=warned)
    context = {
        "catalog": catalog,
        "preparation": preparation,
        "publishing": bool(
            preparation and preparation.kind == "publish" and not preparation.finished_at
        ),
        "working": preparation is None or is_working(now=timezone.now()),
        "review": review,
        "labels": labels,
        "warnings": review.warnings[:WARNINGS],
        **shown_parts(review.parts),
        "form": form,
        "overtaken_by": overtaken_by,
        "draft_changed": draft_changed,
        **gate_context(request, catalog, standing, review.frozen),
        "checks_first": standing.checks_first,
        "page": Paginator(versions_of(catalog), VERSIONS).get_page(request.GET.get("page")),
        "moves": moves_of(catalog)[:MOVES],
    }
    return render(request, "dashboard/versions.html", context, status=status)


@require_safe
def preparation(request: PageRequest, catalog: str, job: int) -> HttpResponse:
    """Show how far the worker is; the whole page again once it has ended."""
    one = get_object_or_404(Preparation, catalog=catalog_or_404(request, catalog), pk=job)
    if request.htmx and one.finished_at is None:
        working = is_working(now=timezone.now())
        context = {"catalog": one.catalog, "preparation": one, "working": working}
        return render(request, "dashboard/versions.html#preparation", context)
    if one.release and one.kind == Preparation.Kind.PUBLISH:
        done = Published(version=one.release.version, release=one.release, made=True)
        messages.success(request, _outcome(done, label=one.label))
    if request.htmx:
        return HttpResponseClientRefresh()
    return redirect("dashboard:versions", catalog=catalog)


@require_safe
def draft(request: PageRequest, catalog: str) -> HttpResponse:
    """Show every change of the draft against a version, the live one unless another is named."""
    of = catalog_or_404(request, catalog)
    review = review_draft(of)
    against = review.live.release.version if review.live else None
    parts = review.parts
    if request.GET.get("against"):
        against = get_object_or_404(of.versions, number=number_of(request.GET["against"]))
        parts = draft_changes(catalog=of, before=against, frozen=review.frozen)
    page = Paginator(parts, PARTS).get_page(request.GET.get("page"))
    as_json = request.GET.get("as") == "json"
    context = {
        "catalog": of,
        "review": review,
        "against": against,
        "numbers": of.versions.values_list("number", flat=True),
        "counts": count_parts(parts),
        "page": page,
        "as_json": as_json,
        "json_parts": json_changes(
            document_of(against) if against else None, review.frozen.value, page
        )
        if as_json
        else (),
    }
    return render(request, "dashboard/draft.html", context)


@require_safe
def moves(request: PageRequest, catalog: str) -> HttpResponse:
    """List every move of the live label: what agents were given when, by whom and why."""
    of = catalog_or_404(request, catalog)
    page = Paginator(moves_of(of), PARTS).get_page(request.GET.get("page"))
    return render(request, "dashboard/moves.html", {"catalog": of, "page": page})
