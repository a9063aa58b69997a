"""The form of a group."""

from typing import Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalog.forms.fields import LinesField
from catalog.forms.watched import WatchedForm
from catalog.models import Catalog, Group


class GroupForm(WatchedForm):
    """A group's name, when to use it, and tasks that it is for; its tools are ticked elsewhere."""

    examples = LinesField(
        label=_("Example tasks"),
        help_text=_("One a line, in the words of the people who ask. They are read as evidence."),
    )

    watched = ("name", "description", "examples")

    class Meta:
        model = Group
        fields = ["name", "description", "examples"]

    def __init__(self, *args: Any, catalog: Catalog, **kwargs: Any) -> None:
        super().__init__(*args, catalog=catalog, **kwargs)
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}
        self.fields["examples"].widget.attrs["rows"] = 6
        self.fields["description"].widget = forms.Textarea(
            attrs={
                "rows": 2,
                "maxlength": 500,
                "hx-get": reverse("catalog:group_hint", kwargs={"catalog": catalog.name}),
                "hx-trigger": "input changed delay:300ms",
                "hx-target": "#description-hint",
                "hx-sync": "this:replace",
            }
        )

    def clean_description(self) -> str:
        """Return the description as the one line that it is."""
        return " ".join(self.cleaned_data["description"].split())

    def clean_name(self) -> str:
        """Refuse the name of another group."""
        name: str = self.cleaned_data["name"]
        others = self.instance.catalog.groups.exclude(pk=self.instance.pk)
        if others.filter(name=name).exists():
            raise forms.ValidationError(_("Another group has this name."), code="taken")
        return name
