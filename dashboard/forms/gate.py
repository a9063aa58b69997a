"""The forms of the gate: what a catalog asks before a version goes live, and going live anyway."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from catalog.forms.fields import RowsField
from dashboard.forms.versions import NOTE_LENGTH
from routing.models import EvalDataset, GatePolicy

_STEP = {"step": "0.1"}


class GatePolicyForm(forms.ModelForm):  # type: ignore[type-arg]
    """The policy of a catalog, which the ``instance`` has."""

    class Meta:
        model = GatePolicy
        fields = (
            "mode",
            "datasets",
            "part",
            "replayed",
            "any_lost",
            "most_of_a_tool",
            "most_lost",
            "most_larger",
            "most_diverted",
        )
        field_classes: ClassVar = {"datasets": RowsField}
        labels = {
            "mode": _("Before a version goes live"),
            "datasets": _("Datasets of the gate set"),
            "part": _("Cases of them"),
            "replayed": _("Tasks of the last seven days"),
            "any_lost": _("No task may be lost"),
            "most_of_a_tool": _("A tool loses more than so many per cent of its tasks"),
            "most_lost": _("Coverage falls by more than so many points"),
            "most_larger": _("A task is served so many per cent more tools"),
            "most_diverted": _("So many per cent of last week's tasks go elsewhere"),
        }
        help_texts = {
            "datasets": _("None ticked: the accepted cases of all datasets, of new ones too."),
            "replayed": _(
                "Drawn by dice from runs whose text is kept, at most 1,000. 0 replays none."
            ),
            "any_lost": _("One case or task that got what it needs, and would not, is a fall."),
            "most_of_a_tool": _("Of those that got it; three at least. Empty: it does not count."),
            "most_lost": _("And a paired test says that it is no accident."),
            "most_larger": _("Empty: it does not count."),
            "most_diverted": _(
                "To other groups, or away from the tool that fitted best. A change that is meant "
                "to divert tasks does so: empty, it does not count."
            ),
        }
        widgets = {
            "mode": forms.RadioSelect,
            "datasets": forms.CheckboxSelectMultiple,
            "most_of_a_tool": forms.NumberInput(attrs=_STEP),
            "most_lost": forms.NumberInput(attrs=_STEP),
            "most_larger": forms.NumberInput(attrs=_STEP),
            "most_diverted": forms.NumberInput(attrs=_STEP),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        datasets: Any = self.fields["datasets"]
        datasets.queryset = EvalDataset.objects.filter(catalog=self.instance.catalog)
        mode: Any = self.fields["mode"]
        mode.choices = GatePolicy.Mode.choices
        if not datasets.queryset:
            del self.fields["datasets"]


class AnywayForm(forms.Form):
    """Why something goes live although it fell; beside live nobody has to say so."""

    use_required_attribute = False

    gate_reason = forms.CharField(
        label=_("Why it goes live all the same"),
        max_length=NOTE_LENGTH,
        widget=forms.Textarea(
            attrs={"rows": 2, "placeholder": _("These tasks go to the new tool on purpose.")}
        ),
        error_messages={"required": _("Say why it goes live although something falls.")},
    )
