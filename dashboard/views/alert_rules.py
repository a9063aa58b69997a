"""The rules of alerts: one rule and how it stands, its form, its switch, its silence."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from catalog.access import NEEDS, Action
from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404, role_to_send
from dashboard.alerts.editing import (
    Enough,
    NotFiring,
    Overtaken,
    acknowledge,
    drop_rule,
    end_silence,
    new_key,
    save_rule,
    silence,
    switch_rule,
)
from dashboard.alerts.rows import Row, past_of, rows_of
from dashboard.alerts.ruled import mark_of
from dashboard.alerts.rules import DEFAULT_OF
from dashboard.alerts.words import name_of
from dashboard.forms.alerts import AcknowledgeForm, RuleForm, SilenceForm

SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
def new_alert_rule(request: PageRequest, catalog: str) -> HttpResponse:
    """Add a rule of the catalog's own."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ALERTS])
    form = RuleForm(request.POST) if request.method == "POST" else RuleForm()
    if form.is_valid():
        rule = form.rule(key=new_key())
        try:
            save_rule(catalog=of, rule=rule, now=timezone.now())
        except Enough:
            form.add_error(None, _("There are enough rules: remove one first."))
        else:
            said = _("“%(name)s” is judged from now on.") % {"name": name_of(rule)}
            messages.success(request, said)
            return redirect("dashboard:alert_rule", catalog=of.name, alert=rule.key)
    context = {"catalog": of, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "dashboard/new_alert_rule.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def alert_rule(request: PageRequest, catalog: str, alert: str) -> HttpResponse:
    """Show a rule and how it stands; change it."""
    of = catalog_or_404(request, catalog, role=role_to_send(request, Action.ALERTS))
    row = _row_or_404(of, alert)
    if request.method != "POST":
        return _page(request, of, row, form=RuleForm.of(row.rule))
    form = RuleForm(request.POST)
    if not form.is_valid():
        return _page(request, of, row, form=form, status=422)
    rule, seen = form.rule(key=alert, enabled=row.rule.enabled), form.cleaned_data["seen"]
    try:
        save_rule(catalog=of, rule=rule, now=timezone.now(), seen=seen)
    except Overtaken:
        return _overtaken(request, of, alert)
    messages.success(request, _("Saved. The rule is judged anew within a minute."))
    return redirect("dashboard:alert_rule", catalog=of.name, alert=alert)


@require_POST
def switch_alert_rule(request: PageRequest, catalog: str, alert: str) -> HttpResponse:
    """Switch a rule off, or on again."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ALERTS])
    enabled = request.POST.get("on") == "1"
    with _found():
        switch_rule(catalog=of, key=alert, enabled=enabled, now=timezone.now())
    messages.success(request, _("It is switched on.") if enabled else _("It is switched off."))
    return redirect("dashboard:alert_rule", catalog=of.name, alert=alert)


@require_POST
def drop_alert_rule(request: PageRequest, catalog: str, alert: str) -> HttpResponse:
    """Remove a rule of the catalog's own, or restore a default."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ALERTS])
    with _found():
        drop_rule(catalog=of, key=alert, now=timezone.now())
    if alert in DEFAULT_OF:
        messages.success(request, _("The rule is as it came."))
        return redirect("dashboard:alert_rule", catalog=of.name, alert=alert)
    messages.success(request, _("The rule is removed. What it told stays in the history."))
    return redirect("dashboard:alerts", catalog=of.name)


@require_POST
def silence_alert(request: PageRequest, catalog: str, alert: str) -> HttpResponse:
    """Tell nobody of a rule for a while."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ALERTS])
    row, form, now = _row_or_404(of, alert), SilenceForm(request.POST), timezone.now()
    if not form.is_valid():
        return _page(request, of, row, silencing=form, form=RuleForm.of(row.rule), status=422)
    until, reason = form.until(now=now), form.cleaned_data["reason"]
    with _found():
        silence(catalog=of, key=alert, until=until, reason=reason, by=request.user, now=now)
    messages.success(request, _("Nobody is told of it until then. It is judged as ever."))
    return redirect("dashboard:alert_rule", catalog=of.name, alert=alert)


@require_POST
def end_alert_silence(request: PageRequest, catalog: str, alert: str) -> HttpResponse:
    """Tell of a rule again."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ALERTS])
    end_silence(catalog=of, key=alert, now=timezone.now())
    messages.success(request, _("It is told again."))
    return redirect("dashboard:alert_rule", catalog=of.name, alert=alert)


@require_POST
def acknowledge_alert(request: PageRequest, catalog: str, alert: str) -> HttpResponse:
    """Look after an alert that fires."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ALERTS])
    row, form, now = _row_or_404(of, alert), AcknowledgeForm(request.POST), timezone.now()
    if not form.is_valid():
        return _page(request, of, row, taking=form, form=RuleForm.of(row.rule), status=422)
    try:
        with _found():
            note = form.cleaned_data["note"]
            acknowledge(catalog=of, key=alert, note=note, by=request.user, now=now)
    except NotFiring:
        messages.info(request, _("It is over already."))
    else:
        messages.success(request, _("Everybody sees that you look after it, until it is over."))
    return redirect("dashboard:alert_rule", catalog=of.name, alert=alert)


@contextmanager
def _found() -> Iterator[None]:
    """Answer 404 where there is no such rule."""
    try:
        yield
    except KeyError as error:
        raise Http404("no such rule") from error


def _overtaken(request: PageRequest, catalog: Catalog, alert: str) -> HttpResponse:
    """Show what was typed once more, this time over what somebody else saved meanwhile."""
    row, sent = _row_or_404(catalog, alert), request.POST.copy()
    sent["seen"] = mark_of(row.rule)
    form = RuleForm(sent)
    form.is_valid()
    return _page(request, catalog, row, form=form, overtaken=True, status=409)


def _row_or_404(catalog: Catalog, key: str) -> Row:
    zone = timezone.get_current_timezone()
    rows = rows_of(catalog, now=timezone.now(), zone=zone, only=key)
    if not rows:
        raise Http404(f"no rule {key}")
    return rows[0]


def _page(
    request: PageRequest,
    catalog: Catalog,
    row: Row,
    *,
    form: RuleForm,
    silencing: SilenceForm | None = None,
    taking: AcknowledgeForm | None = None,
    overtaken: bool = False,
    status: int = 200,
) -> HttpResponse:
    changes = catalog.alert_changes.filter(key=row.rule.key)
    changes = changes.select_related("acknowledgement__by")[:SHOWN]
    context = {
        "catalog": catalog,
        "row": row,
        "form": form,
        "silencing": silencing or SilenceForm(),
        "taking": taking or AcknowledgeForm(),
        "overtaken": overtaken,
        "past": past_of(list(changes)),
    }
    return render(request, "dashboard/alert_rule.html", context, status=status)
