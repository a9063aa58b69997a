"""The sign-in page: Django's own, with a limit on failures."""

import math
from datetime import datetime

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render, resolve_url
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.debug import sensitive_post_parameters
from django_htmx.http import HttpResponseClientRedirect

from catalog.views.requests import PageRequest
from dashboard.forms.sign_in import SignInForm
from dashboard.sign_in_limits import forget_attempts, take_attempt

TEMPLATE = "dashboard/sign_in.html"
_django_sign_in = LoginView.as_view(
    template_name=TEMPLATE, authentication_form=SignInForm, redirect_authenticated_user=True
)


@login_not_required
@sensitive_post_parameters("password")
def sign_in(request: PageRequest) -> HttpResponseBase:
    """Show and take the form. A fragment's request, its session over, opens the page instead."""
    if request.htmx:
        return _open_as_page(request)
    if request.method != "POST":
        return _django_sign_in(request)
    who = {
        "username": request.POST.get("username", ""),
        "address": request.META.get("REMOTE_ADDR", ""),
    }
    now = timezone.now()
    if retry_at := take_attempt(**who, now=now):
        return _too_many(request, now=now, retry_at=retry_at)
    response = _django_sign_in(request)
    if request.user.is_authenticated:
        forget_attempts(**who)
    return response


def _open_as_page(request: PageRequest) -> HttpResponse:
    # After a redirect to here `next` names the fragment; the person was on another page.
    query = urlencode({"next": request.htmx.current_url_abs_path or "/"})
    return HttpResponseClientRedirect(f"{resolve_url(settings.LOGIN_URL)}?{query}")


def _too_many(request: PageRequest, *, now: datetime, retry_at: datetime) -> HttpResponse:
    seconds = math.ceil((retry_at - now).total_seconds())
    context = {
        "form": SignInForm(request),
        "next": request.POST.get("next", ""),
        "retry_at": retry_at,
        "retry_minutes": math.ceil(seconds / 60),
    }
    response = render(request, TEMPLATE, context, status=429)
    response["Retry-After"] = str(seconds)
    return response
