"""The forms of a catalog: its name and title, and how its selections are made."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from catalog.forms.model_form import ModelForm
from catalog.forms.watched import WatchedForm
from catalog.models import Catalog

SETTINGS = (
    "title", "strategy", "threshold", "max_tools", "inclusive", "exploration",
)  # fmt: skip


class NewCatalogForm(ModelForm[Catalog]):
    """What a catalog begins with. Agents call it by its name, so that the name stays."""

    class Meta:
        model = Catalog
        fields = ["name", "title"]
        help_texts = {
            "name": _(
                "Lower-case letters, digits and hyphens. Agents use it, so it cannot change later."
            )
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}


class CatalogSettingsForm(WatchedForm):
    """The settings of the draft, which take effect with a version."""

    watched = SETTINGS

    class Meta:
        model = Catalog
        fields = SETTINGS
        help_texts = {
            "strategy": _(
                "How tools are chosen. “auto” suits most catalogs; docs/strategies.md says what "
                "each does. Try them in the playground."
            ),
            "inclusive": _("Also open groups that fit less well, while there is room for tools."),
            "exploration": _(
                "The share of runs that are inclusive: their calls show what is left out too often."
            ),
        }
