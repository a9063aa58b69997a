"""The form that signs a person in: Django's, in the words of these pages."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.utils.translation import gettext_lazy as _


class SignInForm(AuthenticationForm):
    """A name and a password."""

    error_messages = {
        "invalid_login": _(
            "Please enter a correct username and password. Both may be case-sensitive."
        ),
        "inactive": _("This account is inactive."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Username")
        self.fields["password"].label = _("Password")
