"""The forms of datasets and evaluations."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from catalog.names import catalog_name
from dashboard.forms.playground import DRAFT, LIVE
from routing.datasets.asking import Setting
from routing.models import EvalCase, EvalDataset
from routing.selection import Strategy

MOST_BYTES = 16 * 1024 * 1024
MOST_COLLECTED = 2_000
_ASKS_A_MODEL = Strategy.LLM


class DatasetForm(forms.ModelForm):  # type: ignore[type-arg]
    """Names a dataset; the ``instance`` has its catalog."""

    class Meta:
        model = EvalDataset
        fields = ("name", "description")
        widgets = {
            "name": forms.TextInput(attrs={"autocomplete": "off", "placeholder": "last-month"})
        }

    def clean_name(self) -> str:
        """Refuse a name that another dataset of the catalog has."""
        name: str = self.cleaned_data["name"]
        if EvalDataset.objects.filter(catalog=self.instance.catalog, name=name).exists():
            raise ValidationError(_("There is a dataset of this name already."))
        return name


class CaseFileForm(forms.Form):
    """A file of cases."""

    file = forms.FileField(label=_("File"), help_text=_("JSONL or CSV, up to 16 MB."))
    review = forms.BooleanField(
        label=_("Put them up for review first"), required=False, initial=False
    )

    def clean_file(self) -> UploadedFile:
        """Refuse what is longer than a dataset."""
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            raise ValidationError(_("This file is longer than 16 MB."))
        return file


class CollectForm(forms.Form):
    """Which runs cases are taken from, and how many."""

    days = forms.TypedChoiceField(
        label=_("Solved runs of the last"),
        coerce=int,
        initial=30,
        choices=[(1, _("24 hours")), (7, _("7 days")), (30, _("30 days")), (90, _("90 days"))],
    )
    most = forms.IntegerField(
        label=_("At most so many new cases"), initial=200, min_value=1, max_value=MOST_COLLECTED
    )
    simulated = forms.BooleanField(label=_("Simulated runs, too"), required=False, initial=True)


class SplitForm(forms.Form):
    """How cases are told into parts."""

    test_percent = forms.IntegerField(
        label=_("To judge by, in per cent"), min_value=0, max_value=100
    )
    seed = forms.IntegerField(label=_("Seed"), min_value=0, max_value=2**31 - 1)


class EvalForm(forms.Form):
    """What a dataset is held against; an empty field means the version's own setting."""

    dataset = forms.ModelChoiceField(
        label=_("Dataset"),
        queryset=EvalDataset.objects.none(),
        to_field_name="name",
        empty_label=None,
    )
    part = forms.ChoiceField(
        label=_("Cases"), required=False, choices=[("", _("all")), *EvalCase.Part.choices]
    )
    ref = forms.ChoiceField(label=_("Version"))
    strategy = forms.ChoiceField(label=_("Strategy"), required=False)
    threshold = forms.FloatField(
        label=_("Threshold"),
        required=False,
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "0.01"}),
    )
    max_tools = forms.IntegerField(label=_("Cap"), required=False, min_value=1, max_value=50)
    inclusive = forms.ChoiceField(
        label=_("Inclusive"),
        required=False,
        choices=[("", _("as the version has it")), ("yes", _("yes")), ("no", _("no"))],
    )

    def __init__(
        self,
        *args: Any,
        catalog: Catalog,
        numbers: Sequence[int],
        live: int | None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        fields: Mapping[str, Any] = self.fields
        fields["dataset"].queryset = EvalDataset.objects.filter(catalog=catalog)
        of_live = [(LIVE, _("live (version %(number)s)") % {"number": live})] if live else []
        versions = [(str(one), _("version %(number)s") % {"number": one}) for one in numbers]
        fields["ref"].choices = [*of_live, (DRAFT, _("the draft")), *versions]
        fields["strategy"].choices = [
            ("", _("as the version has it")),
            *((one.value, one.value) for one in Strategy if one is not _ASKS_A_MODEL),
        ]

    def setting(self) -> Setting:
        """Return what stands in for the version's settings."""
        said = self.cleaned_data
        return Setting(
            strategy=said["strategy"],
            threshold=said["threshold"],
            max_tools=said["max_tools"],
            inclusive={"yes": True, "no": False}.get(said["inclusive"]),
            part=said["part"],
        )


class KeepForm(forms.Form):
    """Which dataset a case goes into; one that is not there is made."""

    dataset = forms.CharField(
        label=_("Into the dataset"),
        max_length=63,
        validators=[catalog_name],
        widget=forms.TextInput(attrs={"list": "datasets", "autocomplete": "off"}),
        help_text=_("Made if there is none of this name."),
    )

    def __init__(self, *args: Any, catalog: Catalog, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        datasets = EvalDataset.objects.filter(catalog=catalog)
        self.names = list(datasets.values_list("name", flat=True))
        self.fields["dataset"].initial = self.names[0] if self.names else "playground"
