"""The form of a phase."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalog.forms.fields import RowsField
from catalog.forms.picking import PartsField
from catalog.forms.watched import WatchedForm
from catalog.models import Phase


class PhaseForm(WatchedForm):
    """What a run may use in one state, and where it may go from there."""

    groups = PartsField(kind="groups", label=_("Groups of this phase"))
    tools = PartsField(kind="tools", label=_("Tools of this phase"))

    watched = ("name", "description", "initial", "groups", "tools", "next")

    class Meta:
        model = Phase
        fields = ["name", "description", "groups", "tools", "next"]
        field_classes = {"next": RowsField}
        widgets = {"next": forms.CheckboxSelectMultiple}
        labels = {"next": _("May be followed by")}
        help_texts = {"name": _("Agents name the phase: who uses it must follow a new name.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}
        # No field of the model's form: it is moved from phase to phase, see views.phases.
        self.fields["initial"] = forms.BooleanField(
            label=_("A run begins here"),
            required=False,
            initial=self.instance.initial,
            help_text=_("At most one phase is the beginning: ticking this takes it from another."),
        )
        self.order_fields(["name", "description", "initial", "next", "groups", "tools"])
        following: forms.ModelMultipleChoiceField[Phase] = self.fields["next"]  # type: ignore[assignment]
        following.queryset = self.instance.catalog.phases.order_by("position", "id")

    def clean_name(self) -> str:
        """Refuse the name of another phase."""
        name: str = self.cleaned_data["name"]
        others = self.instance.catalog.phases.exclude(pk=self.instance.pk)
        if others.filter(name=name).exists():
            raise forms.ValidationError(_("Another phase has this name."), code="taken")
        return name
