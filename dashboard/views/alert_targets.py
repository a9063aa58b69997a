"""Where alerts are sent: webhooks, each with its secret, and addresses of e-mail."""

from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from catalog.access import NEEDS, Action
from catalog.models import Catalog
from catalog.views.requests import PageRequest, catalog_or_404
from dashboard.alerts import editing
from dashboard.alerts.rows import sent_to
from dashboard.forms.alerts import TargetForm
from dashboard.models import AlertDelivery, AlertTarget
from dashboard.views.alerts import failed_messages
from routing.working import is_working

SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def alert_targets(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the addresses and how messages went; add one."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.WEBHOOK])
    if request.method != "POST":
        return _page(request, of, TargetForm(catalog=of, initial=_usual()))
    form = TargetForm(request.POST, catalog=of)
    if not form.is_valid():
        return _page(request, of, form, status=422)
    try:
        target = editing.add_target(catalog=of, now=timezone.now(), **form.cleaned_data)
    except IntegrityError:
        form.add_error("address", _("Alerts are sent there already."))
        return _page(request, of, form, status=422)
    if target.secret:
        return _show(request, of, target.secret)
    messages.success(request, _("Alerts are sent to %(name)s.") % {"name": target.address})
    return redirect("dashboard:alert_targets", catalog=of.name)


@require_POST
def try_alert_target(request: PageRequest, catalog: str, target: int) -> HttpResponse:
    """Have the worker send a test."""
    one = _target_or_404(request, catalog, target)
    editing.try_target(target=one, now=timezone.now())
    if is_working(now=timezone.now()):
        messages.success(request, _("The worker sends a test now. Look again in a moment."))
    else:
        messages.warning(
            request, _("The test waits for the worker, which is not running: manage.py work")
        )
    return redirect("dashboard:alert_targets", catalog=catalog)


@require_POST
@never_cache
def alert_target_secret(request: PageRequest, catalog: str, target: int) -> HttpResponse:
    """Give a webhook another secret and show it, this once."""
    one = _target_or_404(request, catalog, target)
    if one.kind != AlertTarget.Kind.WEBHOOK:
        return redirect("dashboard:alert_targets", catalog=catalog)
    return _show(request, one.catalog, editing.rotate_secret(target=one, now=timezone.now()))


@require_POST
def remove_alert_target(request: PageRequest, catalog: str, target: int) -> HttpResponse:
    """Send nothing there from now on."""
    one = _target_or_404(request, catalog, target)
    editing.remove_target(target=one, now=timezone.now())
    messages.success(request, _("Nothing is sent there any more."))
    return redirect("dashboard:alert_targets", catalog=catalog)


def _target_or_404(request: PageRequest, catalog: str, target: int) -> AlertTarget:
    of = catalog_or_404(request, catalog, role=NEEDS[Action.WEBHOOK])
    return get_object_or_404(AlertTarget.objects.select_related("catalog"), catalog=of, pk=target)


def _usual() -> dict[str, str]:
    kind = AlertTarget.Kind.EMAIL if settings.EMAIL_IS_SET_UP else AlertTarget.Kind.WEBHOOK
    return {"kind": kind, "language": settings.LANGUAGE_CODE}


def _page(
    request: PageRequest, catalog: Catalog, form: TargetForm, *, status: int = 200
) -> HttpResponse:
    sent = AlertDelivery.objects.filter(target__catalog=catalog)
    context = {
        "catalog": catalog,
        "form": form,
        "targets": list(catalog.alert_targets.all()),
        "sent": sent_to(sent.select_related("target", "change")[:SHOWN]),
        "failed": failed_messages(catalog, now=timezone.now()),
        "mail_works": settings.EMAIL_IS_SET_UP,
    }
    return render(request, "dashboard/alert_targets.html", context, status=status)


@sensitive_variables("secret", "context")
def _show(request: PageRequest, catalog: Catalog, secret: str) -> HttpResponse:
    """Show a secret in the answer itself: no page shows it again."""
    context = {"catalog": catalog, "secret": secret}
    return render(request, "dashboard/alert_secret.html", context)
