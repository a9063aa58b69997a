"""The forms of approvals: a person's word on a call, and where requests are announced."""

from typing import Any

import httpx2
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from routing.outgoing import fault_of_url

REASON_LENGTH = 500
APPROVE, REFUSE = "approve", "refuse"


class DecisionForm(forms.Form):
    """A yes or a no with its reason; ``confirmed`` is a yes that was said twice."""

    decision = forms.ChoiceField(choices=[(APPROVE, APPROVE), (REFUSE, REFUSE)])
    confirmed = forms.BooleanField(required=False)
    reason = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=REASON_LENGTH,
        help_text=_("Refusing needs one: the agent is told it."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def clean(self) -> dict[str, Any]:
        """Refuse a no without a reason."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.refuses and not cleaned.get("reason") and "reason" not in self.errors:
            self.add_error("reason", _("Say why: the agent is told it and can do better."))
        return cleaned

    @property
    def approves(self) -> bool:
        """Tell whether the word is yes."""
        return bool(self.cleaned_data.get("decision") == APPROVE)

    @property
    def refuses(self) -> bool:
        """Tell whether the word is no."""
        return bool(self.cleaned_data.get("decision") == REFUSE)


class WebhookForm(forms.Form):
    """Where requests are announced."""

    url = forms.CharField(
        label=_("Address"),
        max_length=500,
        widget=forms.URLInput(
            attrs={"placeholder": "https://example.com/toolcrib", "autocomplete": "off"}
        ),
    )

    def clean_url(self) -> str:
        """Refuse what cannot be asked; a query may be part of it, a password may not."""
        url: str = self.cleaned_data["url"]
        if fault_of_url(url.partition("?")[0]) or "#" in url or not _can_be_read(url):
            raise ValidationError(
                _("Write an address that begins with https:// or http://, without a password.")
            )
        return url


def _can_be_read(url: str) -> bool:
    try:
        httpx2.URL(url)
    except httpx2.InvalidURL:
        return False
    return True
