"""One's own account: the language, the time zone and the password."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django.views.i18n import LANGUAGE_QUERY_PARAMETER
from django.views.i18n import set_language as django_set_language

from catalog.views.requests import PageRequest
from dashboard.context import visible_catalogs
from dashboard.forms.people import OwnPasswordForm, PreferencesForm
from dashboard.preferences import keep_preferences


@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: PageRequest) -> HttpResponse:
    """Show how one reads the pages and what one may do where, or change the former."""
    form = PreferencesForm(request.POST or None, user=request.user)
    if form.is_valid():
        form.save()
        messages.success(request, _("Your preferences are saved."))
        return redirect("dashboard:profile")
    context = {"form": form, "catalogs": visible_catalogs(request=request)}
    return render(request, "dashboard/profile.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def change_password(request: PageRequest) -> HttpResponse:
    """Change one's own password; every other session of the account ends with the old one."""
    form = OwnPasswordForm(request.user, request.POST or None)
    if form.is_valid():
        update_session_auth_hash(request, form.save())
        messages.success(
            request, _("Your password is changed. Wherever else you were signed in, you are not.")
        )
        return redirect("dashboard:profile")
    status = 422 if form.is_bound else 200
    return render(request, "dashboard/change_password.html", {"form": form}, status=status)


@login_not_required
def set_language(request: PageRequest) -> HttpResponseBase:
    """Read the pages in another language from now on; an account remembers it."""
    chosen = request.POST.get(LANGUAGE_QUERY_PARAMETER, "")
    response = django_set_language(request)
    is_somebody: bool = request.user.is_authenticated
    if is_somebody and chosen in dict(settings.LANGUAGES):
        keep_preferences(user=request.user, language=chosen)
    return response
