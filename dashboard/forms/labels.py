"""The forms of labels: a new one, a move of one, and taking one away."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from dashboard.forms.versions import NOTE_LENGTH
from routing.models import Label
from routing.models.release import label_name


def _reason(placeholder: Any) -> forms.CharField:
    return forms.CharField(
        label=_("Why"),
        required=False,
        max_length=NOTE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": placeholder}),
    )


class MoveLabelForm(forms.Form):
    """The version that a label goes to, and the last move of it that was seen, empty for none."""

    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    base = forms.IntegerField(required=False, widget=forms.HiddenInput)
    reason = _reason(_("The new groups passed a week of tests."))


class RemoveLabelForm(forms.Form):
    """Why a label is taken away, and the last move of it that was seen."""

    base = forms.IntegerField(required=False, widget=forms.HiddenInput)
    reason = _reason(_("Nobody tests with it any longer."))


class NewLabelForm(forms.Form):
    """A label that is made, and the version that it begins at."""

    name = forms.CharField(
        label=_("Name"),
        max_length=63,
        validators=[label_name],
        help_text=_("Agents ask for catalog@name. Lower-case letters, digits and hyphens."),
        widget=forms.TextInput(
            attrs={"placeholder": "staging", "autocomplete": "off", "spellcheck": "false"}
        ),
    )
    version = forms.TypedChoiceField(label=_("Version"), coerce=int)
    protected = forms.BooleanField(label=_("Protected: only publishers move it"), required=False)
    reason = _reason(_("Try a version before it goes live."))

    def __init__(self, *args: Any, catalog: Catalog, may_protect: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._catalog = catalog
        numbers = catalog.versions.values_list("number", flat=True)
        choices = [(number, _("version %(number)s") % {"number": number}) for number in numbers]
        self.fields["version"].choices = choices  # type: ignore[attr-defined]
        if not may_protect:
            # Django then takes no value of it from a request, whatever is sent.
            self.fields["protected"].disabled = True
            self.fields["protected"].help_text = _("Only a publisher protects a label.")

    def clean_name(self) -> str:
        """Refuse a name that is kept for publishers where the person is none."""
        name: str = self.cleaned_data["name"]
        kept = Label.objects.filter(catalog=self._catalog, name=name, protected=True)
        if self.fields["protected"].disabled and kept.exists():
            raise forms.ValidationError(
                _("“%(name)s” is protected: only a publisher brings it back."),
                params={"name": name},
            )
        return name
