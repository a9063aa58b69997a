"""The part of a key's form that says how much: scopes, requests a minute, ceilings of a run."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from routing.keys import HIGHEST_CEILINGS, HIGHEST_RATE, LONGEST_SCOPE, MOST_SCOPES


class KeyLimits(forms.Form):
    """What a key's calls may need, and what its runs may spend; nothing said: no limit."""

    scopes = forms.CharField(
        label=_("Scopes"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": "refunds:issue"}),
        help_text=_(
            "One a line: what tools that require a scope may be called. * grants every scope."
        ),
    )
    rate_limit = forms.IntegerField(
        label=_("Requests a minute"),
        required=False,
        min_value=1,
        max_value=HIGHEST_RATE,
        help_text=_("Empty: no limit."),
    )
    calls = forms.IntegerField(
        label=_("Calls"), required=False, min_value=0, max_value=HIGHEST_CEILINGS["calls"]
    )
    tokens = forms.IntegerField(
        label=_("Tokens"), required=False, min_value=0, max_value=HIGHEST_CEILINGS["tokens"]
    )
    cost = forms.DecimalField(
        label=_("Cost in USD"),
        required=False,
        min_value=0,
        max_value=HIGHEST_CEILINGS["cost"],
        decimal_places=6,
    )
    seconds = forms.IntegerField(
        label=_("Seconds"), required=False, min_value=0, max_value=HIGHEST_CEILINGS["seconds"]
    )

    def clean_scopes(self) -> list[str]:
        """Return the names of scopes, each once."""
        lines = (line.strip() for line in self.cleaned_data["scopes"].splitlines())
        names = [name for name in dict.fromkeys(lines) if name]
        if len(names) > MOST_SCOPES:
            raise ValidationError(
                _("A key names at most %(most)s scopes."), params={"most": MOST_SCOPES}
            )
        if any(len(name) > LONGEST_SCOPE for name in names):
            raise ValidationError(
                _("A scope has at most %(most)s characters."), params={"most": LONGEST_SCOPE}
            )
        return names

    @property
    def ceilings(self) -> list[forms.BoundField]:
        """Return the fields of the ceilings of a run, in the order of the API."""
        return [self[kind] for kind in HIGHEST_CEILINGS]

    def limits(self) -> dict[str, Any]:
        """Return a valid form's part of the arguments of ``make_key``."""
        said = {kind: self.cleaned_data[kind] for kind in HIGHEST_CEILINGS}
        return {
            "scopes": self.cleaned_data["scopes"],
            "rate_limit": self.cleaned_data["rate_limit"],
            "budget": {
                kind: float(most) if isinstance(most, Decimal) else most
                for kind, most in said.items()
                if most is not None
            },
        }
