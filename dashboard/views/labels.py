"""Labels: where one is, what a move of it would change, and its history."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from catalog.access import NEEDS, Action, may, require
from catalog.models import Catalog, CatalogVersion
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.forms.labels import MoveLabelForm, NewLabelForm, RemoveLabelForm
from dashboard.history import moves_of, number_of
from dashboard.reviews import shown_parts, version_changes
from dashboard.views.gate import gate_context, let_pass_if_said
from routing.gate.standing import GateClosed, Standing, standing_of_version
from routing.labels import UnknownLabel, is_protected, protect
from routing.labels import remove_label as take_away
from routing.models import LabelMove
from routing.models.release import LIVE
from routing.moves import StaleBase, UnknownVersion, current_move, last_move
from routing.releases import move_label

MOVES = 20


@require_http_methods(["GET", "HEAD", "POST"])
def label(request: PageRequest, catalog: str, label: str) -> HttpResponse:
    """Show where a label is and what moving it to ``?to=`` would change; move it."""
    of = catalog_or_404(request, catalog)
    if last_move(of, label=label) is None:
        raise Http404  # the page of new labels makes one, and holds it to what labels are called
    if request.method == "POST":
        require(of, NEEDS[_needed(of, label)])
    return _move(request, of, label) if request.method == "POST" else _page(request, of, label)


def _needed(catalog: Catalog, name: str) -> Action:
    return Action.PROTECT_LABEL if is_protected(catalog, name) else Action.MOVE_LABEL


def _move(request: PageRequest, catalog: Catalog, name: str) -> HttpResponse:
    form = MoveLabelForm(request.POST)
    if not form.is_valid():
        return _page(request, catalog, name, status=422)
    if name == LIVE:
        let_pass_if_said(request, catalog, _standing(catalog, _version(request, catalog)))
    try:
        moved = move_label(
            catalog=catalog,
            label=name,
            by=request.user,
            now=timezone.now(),
            **form.cleaned_data,
        )
    except StaleBase as stale:
        return _page(request, catalog, name, status=409, overtaken_by=stale.current)
    except GateClosed:
        return _page(request, catalog, name, status=422)
    except UnknownVersion as unknown:
        raise Http404(str(unknown)) from unknown
    said = _("“%(label)s” is at version %(number)s now. The next selection follows it.")
    messages.success(request, said % {"label": name, "number": moved.release.version.number})
    return redirect("dashboard:versions", catalog=catalog.name)


def _standing(catalog: Catalog, version: CatalogVersion) -> Standing:
    live = current_move(catalog)
    return standing_of_version(catalog=catalog, version=version, live=live, now=timezone.now())


def _page(
    request: PageRequest,
    catalog: Catalog,
    name: str,
    *,
    status: int = 200,
    overtaken_by: LabelMove | None = None,
) -> HttpResponse:
    """Show the page as things are now; what was written as a reason stays in it."""
    last = last_move(catalog, label=name)
    at = None if last is None or last.removed else last.release.version
    to = _version(request, catalog)
    base = last.pk if last else None
    reason = request.POST.get("reason", "")
    context = {
        "catalog": catalog,
        "label": name,
        "is_live": name == LIVE,
        "last": last,
        "at": at,
        "to": to,
        "protected": is_protected(catalog, name),
        "may_move": may(catalog, _needed(catalog, name)),
        "numbers": catalog.versions.values_list("number", flat=True),
        **shown_parts(version_changes(at, to)),
        "form": MoveLabelForm(initial={"base": base, "version": to.number, "reason": reason}),
        "remove_form": RemoveLabelForm(
            initial={"base": base, "reason": reason}, auto_id="remove_%s"
        ),
        "overtaken_by": overtaken_by,
        "page": Paginator(moves_of(catalog, label=name), MOVES).get_page(request.GET.get("page")),
    }
    if name == LIVE:
        context |= gate_context(request, catalog, _standing(catalog, to), None)
        context["gate_version"] = to
    if status == 422:
        context["form"] = MoveLabelForm(request.POST)
    return render(request, "dashboard/label.html", context, status=status)


def _version(request: PageRequest, catalog: Catalog) -> CatalogVersion:
    """Return the version that is asked for, the newest unless one is."""
    if asked := request.GET.get("to"):
        return get_object_or_404(catalog.versions, number=number_of(asked))
    sent = catalog.versions.filter(number=number_of(request.POST.get("version", ""))).first()
    version = sent or catalog.versions.first()
    if version is None:
        raise Http404
    return version


@require_http_methods(["GET", "HEAD", "POST"])
def new_label(request: PageRequest, catalog: str) -> HttpResponse:
    """Make a label, or bring one back."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.MOVE_LABEL])
    may_protect = may(of, Action.PROTECT_LABEL)
    form = NewLabelForm(request.POST or None, catalog=of, may_protect=may_protect)
    if request.method == "POST" and form.is_valid() and _make(request, of, form):
        return redirect("dashboard:versions", catalog=catalog)
    status = 422 if request.method == "POST" else 200
    return render(request, "dashboard/new_label.html", {"catalog": of, "form": form}, status=status)


def _make(request: PageRequest, catalog: Catalog, form: NewLabelForm) -> bool:
    values = form.cleaned_data
    name = values["name"]
    if current_move(catalog, label=name) is not None:
        form.add_error("name", _("There is a label “%(name)s” already.") % {"name": name})
        return False
    last = last_move(catalog, label=name)
    try:
        with transaction.atomic():  # it is there unprotected for nobody
            move_label(
                catalog=catalog,
                label=name,
                version=values["version"],
                by=request.user,
                reason=values["reason"],
                base=last.pk if last else None,
                now=timezone.now(),
            )
            if may(catalog, Action.PROTECT_LABEL):
                protect(catalog=catalog, label=name, protected=values["protected"])
    except StaleBase:
        form.add_error("name", _("Somebody made this label just now."))
        return False
    said = _("“%(label)s” is at version %(number)s. Agents can ask for %(ref)s.")
    messages.success(
        request,
        said % {"label": name, "number": values["version"], "ref": f"{catalog.name}@{name}"},
    )
    return True


@require_POST
def remove_label(request: PageRequest, catalog: str, label: str) -> HttpResponse:
    """Take a label away; its history stays."""
    of = catalog_or_404(request, catalog)
    require(of, NEEDS[_needed(of, label)])
    form = RemoveLabelForm(request.POST)
    if not form.is_valid():
        return _page(request, of, label, status=422)
    try:
        take_away(catalog=of, label=label, by=request.user, now=timezone.now(), **form.cleaned_data)
    except StaleBase as stale:
        return _page(request, of, label, status=409, overtaken_by=stale.current)
    except UnknownLabel as unknown:
        raise Http404(str(unknown)) from unknown
    messages.success(request, _("“%(label)s” is taken away.") % {"label": label})
    return redirect("dashboard:versions", catalog=catalog)


@require_POST
def protect_label(request: PageRequest, catalog: str, label: str) -> HttpResponse:
    """Keep a label for publishers, or let editors move it too."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.PROTECT_LABEL])
    protected = request.POST.get("protected") == "on"
    try:
        protect(catalog=of, label=label, protected=protected)
    except UnknownLabel as unknown:
        raise Http404(str(unknown)) from unknown
    said = (
        _("Only publishers move “%(label)s” now.")
        if protected
        else _("Editors move “%(label)s” too now.")
    )
    messages.success(request, said % {"label": label})
    return redirect("dashboard:label", catalog=catalog, label=label)
