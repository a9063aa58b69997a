"""The forms of a catalog: its name and title, and how its selections are made."""

from typing import TYPE_CHECKING, Any

from django import forms

from catalog.models import Catalog

if TYPE_CHECKING:
    _CatalogModelForm = forms.ModelForm[Catalog]
else:  # Django's own class takes no parameter
    _CatalogModelForm = forms.ModelForm


class NewCatalogForm(_CatalogModelForm):
    """What a catalog begins with. Agents call it by its name, so that the name stays."""

    class Meta:
        model = Catalog
        fields = ["name", "title"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}


class CatalogSettingsForm(_CatalogModelForm):
    """The settings of the draft; all but the last take effect with a version."""

    class Meta:
        model = Catalog
        fields = [
            "title",
            "strategy",
            "threshold",
            "max_tools",
            "inclusive",
            "exploration",
            "keep_text",
        ]
