"""The forms of a catalog's life: copy it, delete it, take a version in, put a version into it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from catalog.names import catalog_name
from dashboard.forms.versions import NOTE_LENGTH

DRAFT = "draft"


class CloneForm(forms.Form):
    """The name and title of a copy, and what it begins with."""

    name = forms.CharField(
        label=_("Name"),
        max_length=63,
        validators=[catalog_name],
        help_text=_(
            "Lower-case letters, digits and hyphens. Agents use it, so it cannot change later."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    title = forms.CharField(label=_("Title"), max_length=200)
    begins_with = forms.ChoiceField(label=_("It begins with"))

    def __init__(self, *args: Any, catalog: Catalog, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        numbers = catalog.versions.values_list("number", flat=True)
        self.fields["begins_with"].choices = [  # type: ignore[attr-defined]
            (DRAFT, _("the draft as it is now")),
            *((number, _("version %(number)s") % {"number": number}) for number in numbers),
        ]

    def clean_name(self) -> str:
        """Refuse a name that a catalog has, be it archived or not to be seen."""
        name: str = self.cleaned_data["name"]
        if Catalog.objects.filter(name=name).exists():
            raise forms.ValidationError(_("There is a catalog of this name already."))
        return name


class ArchiveForm(forms.Form):
    """Why a catalog is taken out of use."""

    reason = forms.CharField(
        label=_("Why"),
        required=False,
        max_length=NOTE_LENGTH,
        widget=forms.Textarea(
            attrs={"rows": 2, "placeholder": _("The agent of this catalog is retired.")}
        ),
    )


class DeleteCatalogForm(forms.Form):
    """The catalog's name, typed: nobody deletes the wrong one by a slip."""

    name = forms.CharField(
        label=_("Type the name of the catalog"),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "off"}
        ),
    )

    def __init__(self, *args: Any, catalog: Catalog, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._name = catalog.name

    def clean_name(self) -> str:
        """Refuse any other text."""
        name: str = self.cleaned_data["name"]
        if name != self._name:
            raise forms.ValidationError(_("This is not its name: nothing was deleted."))
        return name


class RewriteForm(forms.Form):
    """Why the draft is written anew, and the hash of the draft that was looked at."""

    reviewed = forms.RegexField(r"^[0-9a-f]{64}\Z", widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Why"),
        required=False,
        max_length=NOTE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": _("Start again from here.")}),
    )


class VersionFileForm(forms.Form):
    """A version that was exported, and the hash that it should have."""

    document = forms.FileField(
        label=_("Document of a version"),
        help_text=_("A file that “Download JSON” or export_version made, here or elsewhere."),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
    )
    sha256 = forms.RegexField(
        r"^\s*[0-9a-fA-F]{64}\s*\Z",
        label=_("SHA-256 that it should have"),
        required=False,
        help_text=_("Where you know it, the file is checked against it."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
