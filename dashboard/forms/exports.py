"""The form that says which tools are exported, and how."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalog.formats import STRICT, TITLES
from catalog.models import Catalog
from routing.labels import Pointer

DRAFT = "draft"
MOST_VERSIONS = 200


class ExportForm(forms.Form):
    """The draft, a version or what a label points to, in a format."""

    of = forms.ChoiceField(label=_("Tools of"), required=False)
    format_name = forms.ChoiceField(
        label=_("Format"), required=False, choices=list(TITLES.items()), initial="openai"
    )
    strict = forms.BooleanField(
        label=_("Strict schemas"),
        required=False,
        help_text=_("The provider holds its model to them: %(formats)s.")
        % {"formats": ", ".join(TITLES[name] for name in STRICT)},
    )

    def __init__(self, *args: Any, catalog: Catalog, labels: list[Pointer], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        numbers = catalog.versions.values_list("number", flat=True)[:MOST_VERSIONS]
        self.fields["of"].choices = [  # type: ignore[attr-defined]
            (DRAFT, _("the draft")),
            *((one.name, f"{one.name} ({one.move.release.version})") for one in labels),
            *((str(number), _("version %(number)s") % {"number": number}) for number in numbers),
        ]

    def clean_of(self) -> str:
        """Return what is exported, the draft where nothing is said."""
        return self.cleaned_data["of"] or DRAFT

    def clean_format_name(self) -> str:
        """Return the format, OpenAI's where nothing is said."""
        return self.cleaned_data["format_name"] or "openai"
