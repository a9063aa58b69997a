"""The form that makes an API key."""

import re
from datetime import date, datetime, time, timedelta
from typing import Any, cast

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from catalog.access import Action, catalogs_for
from catalog.forms.fields import RowsField
from catalog.models import Catalog
from catalog.names import part_name
from dashboard.forms.key_limits import KeyLimits
from routing.models import ApiKey

MOST_ROUTES = 100


class KeyForm(KeyLimits):
    """What a new key is for, what it may do, and until when."""

    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        help_text=_("The agent or environment that will carry it: one key each."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    all_catalogs = forms.BooleanField(
        label=_("Every catalog, also those made later"), required=False
    )
    catalogs = RowsField(
        label=_("Catalogs"),
        queryset=Catalog.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    actions = forms.MultipleChoiceField(
        label=_("Actions"),
        choices=ApiKey.Action.choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("A key that may do nothing is of no use: choose one.")},
    )
    routes = forms.CharField(
        label=_("Routes"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": "order_status"}),
        help_text=_("Separated by commas or lines. Without any: every route."),
    )
    expires_on = forms.DateField(
        label=_("Works through"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("The last day. Without one it never expires."),
    )

    def __init__(self, *args: Any, user: User, now: datetime, **kwargs: Any) -> None:
        """Offer the catalogs that a person administers; every one is for superusers alone."""
        super().__init__(*args, **kwargs)
        self._now = now
        self._others = ApiKey.objects.managed_by(user).usable(now=now)
        choices = cast("forms.ModelMultipleChoiceField[Catalog]", self.fields["catalogs"])
        choices.queryset = catalogs_for(user, Action.KEYS)
        if not user.is_superuser:
            # Django then takes no value of it from a request, whatever is sent.
            self.fields["all_catalogs"].disabled = True
            self.fields["all_catalogs"].help_text = _("Only a superuser makes such a key.")

    def clean_name(self) -> str:
        """Refuse the name of a key that still works: nobody could tell the two apart."""
        name: str = self.cleaned_data["name"]
        if self._others.filter(name__iexact=name).exists():
            raise ValidationError(
                _("A key that works has this name. Choose another, or rotate or revoke that one.")
            )
        return name

    def clean_routes(self) -> list[str]:
        """Return the names of routes, each once."""
        names = list(dict.fromkeys(re.findall(r"[^\s,;]+", self.cleaned_data["routes"])))
        if len(names) > MOST_ROUTES:
            raise ValidationError(
                _("A key names at most %(most)s routes."), params={"most": MOST_ROUTES}
            )
        for name in names:
            try:
                part_name(name)
            except ValidationError as error:
                raise ValidationError(
                    _("“%(name)s” is no name of a route. %(why)s"),
                    params={"name": name[:80], "why": error.messages[0]},
                ) from error
        return names

    def clean_expires_on(self) -> date | None:
        """Refuse a day that is over."""
        day: date | None = self.cleaned_data["expires_on"]
        if day is not None and day < timezone.localdate(self._now):
            raise ValidationError(_("This day is over."))
        return day

    def clean(self) -> dict[str, Any]:
        """Ask for a catalog where not every one is meant."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        chosen = cleaned.get("catalogs")
        if not cleaned.get("all_catalogs") and "catalogs" not in self.errors and not chosen:
            self.add_error("catalogs", _("Choose a catalog, or every one."))
        return cleaned

    def rights(self) -> dict[str, Any]:
        """Return a valid form as the arguments of ``make_key``."""
        said = self.cleaned_data
        day: date | None = said["expires_on"]
        return {
            "name": said["name"],
            "catalogs": None if said["all_catalogs"] else said["catalogs"],
            "actions": said["actions"],
            "routes": said["routes"],
            "expires_at": None if day is None else _end_of(day),
            **self.limits(),
        }


def _end_of(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))
