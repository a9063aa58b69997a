"""The forms of a catalog: its name and title, and how its selections are made."""

from typing import Any

from catalog.forms.model_form import ModelForm
from catalog.models import Catalog


class NewCatalogForm(ModelForm[Catalog]):
    """What a catalog begins with. Agents call it by its name, so that the name stays."""

    class Meta:
        model = Catalog
        fields = ["name", "title"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}


class CatalogSettingsForm(ModelForm[Catalog]):
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
