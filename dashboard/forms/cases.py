"""The form of a case: what is asked, and what it needs."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalog.forms.fields import LinesField
from catalog.models import Catalog
from dashboard.forms.paths import PathFields, path_initial
from dashboard.forms.playground import LongTextField
from routing.datasets.naming import faults_of, followed, names_of_draft
from routing.evaluation.cases import Case, case_of
from routing.evaluation.faults import CaseFault, LineFault

_CHANNELS = [
    ("", _("no channel")),
    ("queue", _("queue")),
    ("channel", _("channel")),
    ("event", _("event type")),
]
# Which field a fault of the case lies in: its sentence begins with the key.
_LISTS = ("expected_tools", "expected_groups", "not_expected")


class CaseForm(PathFields):
    """A case of a catalog.

    ``offered`` are tools that a selection serves for its task: those needed are ticked, and what
    else is needed is written below.
    """

    task = LongTextField(
        label=_("Task"), rows=3, placeholder=_("What an agent is asked, in its words")
    )
    history = LongTextField(
        label=_("History, one item a line"), required=False, rows=2, placeholder=""
    )
    needed = forms.MultipleChoiceField(
        label=_("Of what is served, needed are"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    expected_tools = LinesField(
        label=_("Tools that are needed, one a line"),
        max_lines=50,
        max_length=64,
        help_text=_("All of them, and no others. None: no tool fits the task."),
    )
    expected_groups = LinesField(
        label=_("Groups, one a line"),
        max_lines=50,
        max_length=63,
        help_text=_("Empty: those that hold the tools."),
    )
    not_expected = LinesField(
        label=_("Tools that must not be offered, one a line"), max_lines=50, max_length=64
    )
    phase = forms.ChoiceField(label=_("Phase"), required=False)
    route = forms.ChoiceField(label=_("Route"), required=False)
    channel_kind = forms.ChoiceField(label=_("Came in by"), required=False, choices=_CHANNELS)
    channel_value = forms.CharField(label=_("Its name"), required=False, max_length=200)
    tags = forms.CharField(
        label=_("Tags"), required=False, max_length=500, help_text=_("Parted by commas.")
    )
    language = forms.CharField(
        label=_("Language"),
        required=False,
        max_length=16,
        widget=forms.TextInput(attrs={"placeholder": "en"}),
    )
    vague = forms.BooleanField(
        label=_("It does not say what it needs: it is vague"), required=False
    )
    notes = forms.CharField(
        label=_("Notes"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(
        self,
        sent: QueryDict | None = None,
        *,
        catalog: Catalog,
        case: Case | None = None,
        offered: Sequence[str] = (),
    ) -> None:
        super().__init__(sent, initial=_initial(case, offered) if case else {})
        self.names = names_of_draft(catalog)
        self.case = case
        fields: Mapping[str, Any] = self.fields
        fields["needed"].choices = [(name, name) for name in offered]
        fields["phase"].choices = [("", _("no phase")), *_pairs(sorted(self.names.phases))]
        fields["route"].choices = _pairs(sorted(self.names.routes))
        for name, there in (
            ("needed", bool(offered)),
            ("phase", bool(self.names.phases)),
            ("route", bool(self.names.routes)),
        ):
            if not there:
                del self.fields[name]

    def clean_task(self) -> str:
        """Refuse a task of spaces alone, as the API does."""
        task: str = self.cleaned_data["task"]
        if not task.strip():
            raise ValidationError(_("Write a task."), code="required")
        return task

    def clean(self) -> dict[str, Any]:
        """Read the case, and say beside its field what the catalog does not have."""
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        try:
            self.case = followed(case_of(self._record(cleaned), where=""), self.names)
        except CaseFault as fault:
            self._tell(fault.at(0))
            return cleaned
        for said in faults_of(self.case, self.names, line=0):
            self._tell(said)
        return cleaned

    def _record(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was typed as a file would have it; what the form does not ask for stays."""
        tools = list(dict.fromkeys([*cleaned.get("needed", ()), *cleaned["expected_tools"]]))
        kind, value = cleaned["channel_kind"], cleaned["channel_value"]
        kept = {
            tool: list(others)
            for tool, others in (self.case.alternatives if self.case else {}).items()
            if tool in tools
        }
        return {
            "task": cleaned["task"],
            "history": [line for line in cleaned["history"].split("\n") if line.strip()],
            "expected_tools": tools,
            "alternatives": kept or None,
            "phase": cleaned.get("phase") or None,
            "route": cleaned.get("route") or None,
            "channel": {"kind": kind, "value": value} if kind and value else None,
            "tags": [tag.strip() for tag in cleaned["tags"].split(",") if tag.strip()],
            "weight": self.case.weight if self.case else 1.0,
            **{
                name: cleaned[name]
                for name in ("expected_groups", "not_expected", "language", "vague", "notes")
            },
            **self.path_record(cleaned),
        }

    def _tell(self, fault: LineFault) -> None:
        said = gettext(fault.template) % fault.params
        name = fault.params.get("name")
        field = self.path_field(fault) or next(
            (of for of in _LISTS if name in self.cleaned_data.get(of, ())),
            next((of for of in self.fields if fault.template.startswith(of)), None),
        )
        self.add_error(field, said)


def _initial(case: Case, offered: Sequence[str]) -> dict[str, Any]:
    return {
        "task": case.task,
        "history": "\n".join(text.replace("\n", " ") for text in case.history),
        "needed": [tool for tool in case.expected_tools if tool in offered],
        "expected_tools": "\n".join(tool for tool in case.expected_tools if tool not in offered),
        "expected_groups": "\n".join(case.expected_groups),
        "not_expected": "\n".join(case.not_expected),
        "phase": case.phase or "",
        "route": case.route or "",
        "channel_kind": case.channel.kind if case.channel else "",
        "channel_value": case.channel.value if case.channel else "",
        "tags": ", ".join(case.tags),
        "language": case.language,
        "vague": case.vague,
        "notes": case.notes,
    } | path_initial(case)


def _pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, name) for name in names]
