"""The webhook of a catalog: where requests for approval are announced, signed by which secret."""

from django.contrib import messages
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
from dashboard.forms.approvals import WebhookForm
from routing import jobs
from routing.models import Webhook
from routing.webhooks import forget_webhook, rotate_secret, set_webhook
from routing.working import is_working


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def webhook(request: PageRequest, catalog: str) -> HttpResponse:
    """Show the address and how the last try went; set the address."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.WEBHOOK])
    if request.method != "POST":
        return _page(request, of)
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _page(request, of, form=form, status=422)
    secret = set_webhook(catalog=of, url=form.cleaned_data["url"])
    if secret is not None:
        return _show(request, of, secret)
    messages.success(request, _("The address is saved. The secret is as it was."))
    return redirect("dashboard:webhook", catalog=of.name)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_secret(request: PageRequest, catalog: str) -> HttpResponse:
    """Ask first; then give the webhook another secret and show it, this once."""
    of = catalog_or_404(request, catalog, role=NEEDS[Action.WEBHOOK])
    one = Webhook.objects.filter(catalog=of).first()
    if one is None:
        return redirect("dashboard:webhook", catalog=of.name)
    if request.method != "POST":
        return render(request, "dashboard/webhook_secret.html", {"catalog": of})
    return _show(request, of, rotate_secret(webhook=one))


@require_POST
def try_webhook(request: PageRequest, catalog: str) -> HttpResponse:
    """Have the worker send an announcement of nothing."""
    one = _webhook_or_404(request, catalog)
    jobs.try_webhook.enqueue(one.pk)
    if is_working(now=timezone.now()):
        messages.success(request, _("The worker sends a test now. Look again in a moment."))
    else:
        messages.warning(
            request, _("The test waits for the worker, which is not running: manage.py work")
        )
    return redirect("dashboard:webhook", catalog=catalog)


@require_POST
def remove_webhook(request: PageRequest, catalog: str) -> HttpResponse:
    """Announce nothing from now on, and forget the secret."""
    forget_webhook(webhook=_webhook_or_404(request, catalog))
    messages.success(request, _("The webhook is removed. Requests are announced no more."))
    return redirect("dashboard:webhook", catalog=catalog)


def _webhook_or_404(request: PageRequest, catalog: str) -> Webhook:
    of = catalog_or_404(request, catalog, role=NEEDS[Action.WEBHOOK])
    return get_object_or_404(Webhook.objects.select_related("catalog"), catalog=of)


def _page(
    request: PageRequest, catalog: Catalog, *, form: WebhookForm | None = None, status: int = 200
) -> HttpResponse:
    one = Webhook.objects.filter(catalog=catalog).first()
    context = {
        "catalog": catalog,
        "webhook": one,
        "form": form or WebhookForm(initial={"url": one.url if one else ""}),
    }
    return render(request, "dashboard/webhook.html", context, status=status)


@sensitive_variables("secret", "context")
def _show(request: PageRequest, catalog: Catalog, secret: str) -> HttpResponse:
    """Show a secret in the answer itself: no page shows it again."""
    context = {"catalog": catalog, "secret": secret}
    return render(request, "dashboard/webhook_secret.html", context)
