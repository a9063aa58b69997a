"""The forms that move a catalog's live version: publish a draft, or roll back."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from routing.models.release import LIVE

STAGING = "staging"
"""The label that a draft may always be published to, made by the first who does."""
NOTE_LENGTH = 500


class PublishForm(forms.Form):
    """What an author says about a draft, and which state of things they looked at.

    ``base`` is the id of the newest move of any label, empty before the first; ``reviewed`` is the
    hash of the draft that was shown. ``warned`` makes the note a must: new warnings ask for a
    reason. ``labels`` are those that there are beside ``live``.
    """

    note = forms.CharField(
        label=_("What changed, and why"),
        required=False,
        max_length=NOTE_LENGTH,
        widget=forms.Textarea(
            attrs={"rows": 2, "placeholder": _("Payments and stock levels are told apart.")}
        ),
    )
    label = forms.ChoiceField(
        label=_("Where it goes"),
        required=False,
        help_text=_("Agents that name no label are given what is live."),
    )
    base = forms.IntegerField(required=False, widget=forms.HiddenInput)
    reviewed = forms.RegexField(r"^[0-9a-f]{64}\Z", widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, labels: Iterable[str] = (), warned: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        others = sorted({STAGING, *labels} - {LIVE})
        self.fields["label"].choices = [  # type: ignore[attr-defined]
            (LIVE, _("live, at once")),
            *((name, _("“%(label)s” only") % {"label": name}) for name in others),
        ]
        note = self.fields["note"]
        note.required = warned
        note.error_messages["required"] = _("Say why it goes live in spite of the new warnings.")

    def clean_label(self) -> str:
        """Return where the version goes; ``live`` where nothing is said."""
        return self.cleaned_data["label"] or LIVE


class RollBackForm(forms.Form):
    """Why an earlier version goes live again, and the move that ``live`` was seen at."""

    reason = forms.CharField(
        label=_("Why"),
        required=False,
        max_length=NOTE_LENGTH,
        widget=forms.Textarea(
            attrs={"rows": 2, "placeholder": _("Commission questions opened the wrong group.")}
        ),
    )
    base = forms.IntegerField(required=False, widget=forms.HiddenInput)
