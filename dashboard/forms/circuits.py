"""The form that switches something off at once."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from difflib import get_close_matches
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from routing.models import Circuit

REASON_LENGTH = 500
LASTS: Mapping[str, timedelta | None] = {
    "15m": timedelta(minutes=15),
    "1h": timedelta(hours=1),
    "1d": timedelta(days=1),
    "closed": None,
}
_TIMES = [
    ("15m", _("15 minutes")),
    ("1h", _("1 hour")),
    ("1d", _("1 day")),
    ("closed", _("until somebody closes it")),
]


class CircuitForm(forms.Form):
    """What is switched off, why and for how long.

    ``names`` are those that there are, by kind; a kind without any is no choice.
    """

    kind = forms.ChoiceField(label=_("Kind"))
    target = forms.CharField(
        label=_("Name"),
        max_length=200,
        widget=forms.TextInput(
            attrs={"list": "circuit-names", "autocomplete": "off", "spellcheck": "false"}
        ),
    )
    reason = forms.CharField(
        label=_("Why"),
        max_length=REASON_LENGTH,
        widget=forms.Textarea(
            attrs={"rows": 2, "placeholder": _("The payment provider answers with errors.")}
        ),
    )
    lasts = forms.ChoiceField(label=_("For how long"), choices=_TIMES, initial="1h")

    def __init__(self, *args: Any, names: Mapping[str, Sequence[str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._names = names
        kinds = cast("forms.ChoiceField", self.fields["kind"])
        kinds.choices = [(kind.value, kind.label) for kind in Circuit.Kind if names.get(kind)]

    def clean(self) -> dict[str, Any]:
        """Refuse a name that nothing of the kind has, and say which are written nearly so."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        kind, target = cleaned.get("kind"), cleaned.get("target")
        if kind and target and target not in self._names[kind]:
            near = get_close_matches(target, self._names[kind], n=3)
            if near:
                said = _("There is none of this name. Did you mean %(near)s?")
                error = ValidationError(said, params={"near": ", ".join(near)})
            else:
                error = ValidationError(_("There is none of this name."))
            self.add_error("target", error)
        return cleaned

    def opening(self, *, now: datetime) -> dict[str, Any]:
        """Return a valid form as the arguments of ``open_by_hand``."""
        said = self.cleaned_data
        lasts = LASTS[said["lasts"]]
        return {
            "kind": said["kind"],
            "target": said["target"],
            "reason": said["reason"],
            "until": None if lasts is None else now + lasts,
        }
