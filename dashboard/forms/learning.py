"""What a catalog learns from, and when."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from routing.models import EvalDataset, LearningSetting


class LearningForm(forms.Form):
    """The datasets that count, all where none is chosen, and whether publishing learns."""

    datasets = forms.MultipleChoiceField(
        label=_("Learn from"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("All of them where none is ticked."),
    )
    on_publish = forms.BooleanField(
        label=_("Learn each time a version goes live"),
        required=False,
        help_text=_("The worker begins within a minute, and only what is better goes live."),
    )

    def __init__(self, said: Any = None, *, catalog: Catalog, setting: LearningSetting) -> None:
        names = EvalDataset.objects.filter(catalog=catalog).values_list("name", flat=True)
        first = {"datasets": setting.datasets, "on_publish": setting.on_publish}
        super().__init__(said, initial=first)
        choices = self.fields["datasets"]
        if isinstance(choices, forms.MultipleChoiceField):
            choices.choices = [(name, name) for name in names]
