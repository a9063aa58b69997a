"""The rules of alerts: one rule and how it stands, its form, its switch, its silence."""

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
    drop_rule,
    end_silence,
    new_key,
    save_rule,
    silence,
    switch_rule,
)
from dashboard.alerts.rows import Row, past_of, rows_of
from dashboard.alerts.rules import DEFAULT_OF, MOST_RULES
from dashboard.alerts.words import name_of
from dashboard.forms.alerts import RuleForm, SilenceForm

SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
def new_alert_rule(request: PageRequest, catalog: str) -> HttpResponse:
    """Add a rule of the catalog's own."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ALERTS])
    form = RuleForm(request.POST) if request.method == "POST" else RuleForm()
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return render(
            request, "dashboard/new_alert_rule.html", {"catalog": of, "form": form}, status=status
        )
    if of.alert_rules.count() >= MOST_RULES:
        messages.error(request, _("There are enough rules: remove one first."))
        return redirect("dashboard:alerts", catalog=of.name)
    rule = form.rule(key=new_key())
    save_rule(catalog=of, rule=rule, now=timezone.now())
    messages.success(request, _("“%(name)s” is judged from now on.") % {"name": name_of(rule)})
    return redirect("dashboard:alert_rule", catalog=of.name, alert=rule.key)


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
    save_rule(catalog=of, rule=form.rule(key=alert, enabled=row.rule.enabled), now=timezone.now())
    messages.success(request, _("Saved. The rule is judged anew within a minute."))
    return redirect("dashboard:alert_rule", catalog=of.name, alert=alert)


@require_POST
def switch_alert_rule(request: PageRequest, catalog: str, alert: str) -> HttpResponse:
    """Switch a rule off, or on again."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ALERTS])
    enabled = request.POST.get("on") == "1"
    try:
        switch_rule(catalog=of, key=alert, enabled=enabled, now=timezone.now())
    except KeyError as error:
        raise Http404 from error
    messages.success(request, _("It is switched on.") if enabled else _("It is switched off."))
    return redirect("dashboard:alert_rule", catalog=of.name, alert=alert)


@require_POST
def drop_alert_rule(request: PageRequest, catalog: str, alert: str) -> HttpResponse:
    """Remove a rule of the catalog's own, or restore a default."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ALERTS])
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
    silence(
        catalog=of,
        key=alert,
        until=form.until(now=now),
        reason=form.cleaned_data["reason"],
        by=request.user,
        now=now,
    )
    messages.success(request, _("Nobody is told of it until then. It is judged as ever."))
    return redirect("dashboard:alert_rule", catalog=of.name, alert=alert)


@require_POST
def end_alert_silence(request: PageRequest, catalog: str, alert: str) -> HttpResponse:
    """Tell of a rule again."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.ALERTS])
    end_silence(catalog=of, key=alert, now=timezone.now())
    messages.success(request, _("It is told again."))
    return redirect("dashboard:alert_rule", catalog=of.name, alert=alert)


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
    status: int = 200,
) -> HttpResponse:
    changes = catalog.alert_changes.filter(key=row.rule.key)[:SHOWN]
    context = {
        "catalog": catalog,
        "row": row,
        "form": form,
        "silencing": silencing or SilenceForm(),
        "past": past_of(list(changes)),
    }
    return render(request, "dashboard/alert_rule.html", context, status=status)
