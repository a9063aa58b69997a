"""A link that sets a password: shown once to who made it, and followed by who got it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from catalog.views.requests import PageRequest
from dashboard.forms.people import FirstPasswordForm
from dashboard.invitations import invite


@sensitive_variables("invitation", "context", "link")
def show_invitation(
    request: PageRequest, person: User, *, back: str, is_new: bool = False
) -> HttpResponse:
    """Make a link and show it in the answer itself, so that it is kept nowhere."""
    invitation = invite(person=person, now=timezone.now(), by=request.user, is_new=is_new)
    link = request.build_absolute_uri(invitation.path)
    context = {"invitation": invitation, "link": link, "back": back, "is_new": is_new}
    return render(request, "dashboard/invitation.html", context)


@method_decorator(login_not_required, name="dispatch")
class SetPassword(PasswordResetConfirmView):
    """Django's own page of a link, in the words of these; it keeps the token out of the address.

    Whoever sets the password is signed in.
    """

    template_name = "dashboard/set_password.html"
    form_class = FirstPasswordForm
    post_reset_login = True
    success_url = reverse_lazy("dashboard:overview")

    def get_user(self, uidb64: str) -> User | None:
        """Return the person of the link; a deactivated one has none."""
        person = super().get_user(uidb64)
        return person if person is not None and person.is_active else None

    def form_valid(self, form: Any) -> HttpResponse:
        """Keep the password, sign the person in and greet them."""
        response = super().form_valid(form)
        messages.success(self.request, _("Your password is set, and you are signed in."))
        return response
