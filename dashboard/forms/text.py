"""The form of what is kept of text, with a sample to try it on."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalog.models.catalog import MOST_DAYS, TextKept
from dashboard.text_words import KINDS, fault_told
from routing.redaction import Redactions, read_lines, written
from routing.texts.policy import Policy

LONGEST_SAMPLE = 10_000
_CODE = {"spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}


class TextForm(forms.Form):
    """What is kept, what is redacted and for how many days; ``seen`` is what the form was made of.

    Patterns stay set where nothing is redacted; they are checked all the same.
    """

    kept = forms.ChoiceField(
        label=_("What is kept of text"),
        choices=[
            (TextKept.FULL, _("In full")),
            (TextKept.REDACTED, _("Redacted: without what the patterns below find")),
            (TextKept.NONE, _("Not at all")),
        ],
        widget=forms.RadioSelect,
    )
    ready = forms.MultipleChoiceField(
        label=_("Redact"),
        choices=list(KINDS.items()),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    own = forms.CharField(
        label=_("Patterns of your own"),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={**_CODE, "rows": 4, "class": "font-monospace", "wrap": "off"}
            | {"placeholder": r"[order number] \bORD-\d{6}\b"}
        ),
        help_text=_(
            "One a line: the name that stands in place of what is found, in brackets, and an RE2 "
            "pattern, without regard to letter case. Where the pattern has a group, only what the "
            "group holds is replaced."
        ),
    )
    days = forms.IntegerField(
        label=_("Days that text is kept"),
        required=False,
        min_value=1,
        max_value=MOST_DAYS,
        help_text=_(
            "From an hour after saving on, older text is erased for good. Blank keeps it for ever."
        ),
    )
    sample = forms.CharField(
        label=_("Try it on a text"),
        required=False,
        max_length=LONGEST_SAMPLE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("It is not stored. Nothing is saved by trying."),
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    @classmethod
    def showing(cls, policy: Policy) -> "TextForm":
        """Return a form that shows a policy."""
        return cls(
            initial={
                "kept": policy.kept,
                "ready": list(policy.redactions.ready),
                "own": written(policy.redactions.own),
                "days": policy.days,
                "seen": policy.mark,
            }
        )

    def clean(self) -> dict[str, Any]:
        """Read the patterns; refuse to redact nothing."""
        said: dict[str, Any] = super().clean() or self.cleaned_data
        lines, faults = read_lines(said.get("own", ""))
        for fault in faults:
            self.add_error("own", fault_told(fault))
        said["redactions"] = Redactions(ready=tuple(said.get("ready", ())), own=lines)
        idle = said.get("kept") == TextKept.REDACTED and said["redactions"] == Redactions()
        if idle and not faults and "ready" in said:
            self.add_error("ready", _("Tick what to redact, or write a pattern below."))
        return said

    @property
    def policy(self) -> Policy:
        """Return what this valid form says."""
        said = self.cleaned_data
        return Policy(TextKept(said["kept"]), said["redactions"], said["days"])

    def tried(self) -> str:
        """Return what this valid form leaves of its sample."""
        redactor = self.cleaned_data["redactions"].compiled()
        return str(redactor.text(self.cleaned_data["sample"]))
