"""The name of a saved view, and whether the catalog's members see it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.models import SavedView


class SavedViewForm(forms.ModelForm):  # type: ignore[type-arg]
    """Names a view; without ``may_share`` it stays the person's own, whatever is sent.

    The ``instance`` has its catalog, owner and query already.
    """

    shared = forms.BooleanField(label=_("Share it with the members of the catalog"), required=False)

    class Meta:
        model = SavedView
        fields = ("name", "shared")
        widgets = {
            "name": forms.TextInput(
                attrs={"autocomplete": "off", "placeholder": _("Failed this week")}
            )
        }

    def __init__(self, *args: Any, may_share: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not may_share:
            # Django then takes no value of it from a request.
            self.fields["shared"].disabled = True
            self.fields["shared"].help_text = _("Only an editor shares a view.")

    def clean(self) -> dict[str, Any]:
        """Refuse a name that another view has where this one would stand, and what is too much."""
        said = super().clean() or {}
        one = self.instance
        if len(one.query) > SavedView.QUERY_LENGTH:
            self.add_error(None, _("These filters are too long to be kept."))
        own = SavedView.objects.filter(catalog=one.catalog, owner=one.owner)
        if one.pk is None and own.count() >= SavedView.MOST:
            self.add_error(None, _("You have enough views: delete one first."))
        others = SavedView.objects.filter(catalog=self.instance.catalog, name=said.get("name"))
        if said.get("shared"):
            others = others.filter(shared=True)
        else:
            others = others.filter(shared=False, owner=self.instance.owner)
        if others.exclude(pk=self.instance.pk).exists():
            self.add_error("name", _("There is a view of this name already."))
        return said
