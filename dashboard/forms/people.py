"""The forms about one's own account, and the one that sets a first password."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.models import User
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from dashboard.preferences import keep_preferences, preferences_of, time_zones

_NEW = _("New password")
_AGAIN = _("New password again")
_DIFFER = _("The two passwords are not the same.")


class PreferencesForm(forms.Form):
    """The language and the time zone of a person's pages."""

    language = forms.ChoiceField(label=_("Language"), required=False)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        help_text=_("Times and the days of charts are shown in it."),
    )

    def __init__(self, said: Mapping[str, Any] | None, *, user: User) -> None:
        """Begin with what the person chose before."""
        self._user = user
        own = preferences_of(user)
        initial = {"language": own.language, "time_zone": own.time_zone}
        super().__init__(said, initial=initial)
        self.fields["language"].choices = [  # type: ignore[attr-defined]
            ("", _("as the browser says")),
            *((code, get_language_info(code)["name_local"]) for code, _name in settings.LANGUAGES),
        ]
        self.fields["time_zone"].choices = _zones()  # type: ignore[attr-defined]

    def save(self) -> None:
        """Keep what was chosen with the account."""
        keep_preferences(user=self._user, **self.cleaned_data)


def _zones() -> list[tuple[str, Any]]:
    """Return the zones below their part of the world, the site's own first."""
    parts: dict[str, list[tuple[str, str]]] = {}
    for name in time_zones():
        part, slash, place = name.partition("/")
        if slash:
            parts.setdefault(part, []).append((name, place.replace("_", " ")))
    own = _("the site's (%(zone)s)") % {"zone": settings.TIME_ZONE}
    return [("", own), ("UTC", "UTC"), *parts.items()]


class OwnPasswordForm(PasswordChangeForm):
    """The old password, and a new one twice."""

    error_messages = {
        "password_mismatch": _DIFFER,
        "password_incorrect": _("This is not your password."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = _("Present password")
        self.fields["new_password1"].label = _NEW
        self.fields["new_password2"].label = _AGAIN
        self.fields["new_password2"].help_text = ""


class FirstPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    """A new password twice, for who came by a link."""

    error_messages = {"password_mismatch": _DIFFER}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].label = _NEW
        self.fields["new_password2"].label = _AGAIN
        self.fields["new_password2"].help_text = ""
