"""The fields of a case's expected path, and of what simulated tools answer."""

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalog.forms.fields import LinesField
from routing.datasets.naming import NO_TOOL, Names
from routing.evaluation.cases import Case
from routing.evaluation.faults import CaseFault, LineFault
from routing.models import Run
from routing.paths.expected import LONGEST_NAME, LONGEST_REASON, MOST_TOOLS
from routing.paths.script import Script, read_script

IN_ORDER, ANY_ORDER = "in_order", ""
MOST_SCRIPT = 1_000_000
"""Characters that are read: written out over lines, a script may be several times as long."""
# The field that a part of a path is written in; longer names first.
FIELDS = {
    "path.tools_called": "path_called",
    "path.tools_not_called": "path_not_called",
    "path.needs_approval": "path_approval",
    "path.final_status": "path_status",
    "path.stop_reason": "path_stop_reason",
    "simulation": "simulation",
}
_LISTS = ("path_called", "path_not_called", "path_approval")


class CallsField(LinesField):
    """Calls, one a line; a tool that is named twice is called twice."""

    def to_python(self, value: object) -> list[str]:
        """Return the lines, each without the spaces around it."""
        text = value if isinstance(value, str) else ""
        ProhibitNullCharactersValidator()(text)
        return [line.strip() for line in text.splitlines() if line.strip()]


class ScriptField(forms.CharField):
    """A script of simulated tools as JSON; nothing is an empty one."""

    widget = forms.Textarea

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"required": False, "max_length": MOST_SCRIPT, **kwargs})
        self.widget.attrs |= {"rows": 4, "spellcheck": "false", "class": "font-monospace"}

    def clean(self, value: Any) -> Any:
        """Return the script; raises ``ValidationError`` for what is none."""
        text = super().clean(value)
        if not text.strip():
            return Script()
        try:
            return read_script(json.loads(text))
        except CaseFault as fault:
            raise ValidationError(gettext(fault.template) % fault.params) from fault
        except (ValueError, RecursionError) as error:
            said = str(getattr(error, "msg", error))
            raise ValidationError(gettext("this is not JSON: %(said)s") % {"said": said}) from error


def written(script: Script) -> str:
    """Return a script as it is written in its field."""
    if script.says_nothing:
        return ""
    return json.dumps(script.record(), ensure_ascii=False, indent=2)


class PathFields(forms.Form):
    """What an agent is to do about a case, beside what it needs to be offered."""

    path_called = CallsField(
        label=_("Tools that are called, one a line"),
        max_lines=MOST_TOOLS,
        max_length=LONGEST_NAME,
        help_text=_("As often as they are named. Without a path, those that are needed."),
    )
    path_order = forms.ChoiceField(
        label=_("Their order"),
        required=False,
        choices=[(ANY_ORDER, _("in any order")), (IN_ORDER, _("in this order"))],
    )
    path_only = forms.BooleanField(
        label=_("Nothing else is called; where none is named, nothing at all"), required=False
    )
    path_not_called = LinesField(
        label=_("Tools that must not be called, one a line"),
        max_lines=MOST_TOOLS,
        max_length=LONGEST_NAME,
        help_text=_("Not even proposed."),
    )
    path_approval = LinesField(
        label=_("Tools that a person is asked about, one a line"),
        max_lines=MOST_TOOLS,
        max_length=LONGEST_NAME,
    )
    path_status = forms.ChoiceField(
        label=_("The run ends as"),
        required=False,
        choices=[("", _("however it likes")), *Run.Outcome.choices],
    )
    path_stop_reason = forms.CharField(
        label=_("with the stop reason"), required=False, max_length=LONGEST_REASON
    )
    simulation = ScriptField(
        label=_("What simulated tools answer, in JSON"),
        help_text=_(
            "By tool a list of answers: ok, malformed, injection, slow, silent, retryable, fatal."
        ),
    )

    @property
    def has_path(self) -> bool:
        """Tell whether its part of the form has something to show."""
        fields = [*FIELDS.values(), "path_only"]
        return any(self[field].value() or self[field].errors for field in fields)

    def path_record(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        """Return the path and the script as a file would have them."""
        called, only = cleaned["path_called"], cleaned["path_only"]
        return {
            "path": {
                "tools_called": called if called or only else None,
                "in_order": cleaned["path_order"] == IN_ORDER,
                "only": only,
                "tools_not_called": cleaned["path_not_called"],
                "needs_approval": cleaned["path_approval"],
                "final_status": cleaned["path_status"],
                "stop_reason": cleaned["path_stop_reason"],
            },
            "simulation": cleaned["simulation"].record(),
        }

    def path_field(self, fault: LineFault) -> str | None:
        """Return the field that a fault of the path lies in, if it lies in one."""
        key, name = str(fault.params.get("key", "")), fault.params.get("name")
        for part, field in FIELDS.items():
            if key.startswith(part):
                return field
        if fault.template != NO_TOOL:
            return None
        for field in _LISTS:
            if name in self.cleaned_data.get(field, ()):
                return field
        return "simulation" if name in self.cleaned_data["simulation"].names else None


def path_initial(case: Case) -> dict[str, Any]:
    """Return what the fields of a path hold of a case."""
    path = case.path
    return {
        "path_called": "\n".join(path.tools_called or ()),
        "path_order": IN_ORDER if path.in_order else ANY_ORDER,
        "path_only": path.only,
        "path_not_called": "\n".join(path.tools_not_called),
        "path_approval": "\n".join(path.needs_approval),
        "path_status": path.final_status,
        "path_stop_reason": path.stop_reason,
        "simulation": written(case.simulation),
    }


class SimulationForm(forms.Form):
    """What the simulated tools of a dataset answer where a case does not say."""

    simulation = ScriptField(label=_("Answers, in JSON"))

    def __init__(self, *args: Any, names: Names, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._names = names
        self.fields["simulation"].widget.attrs["rows"] = 14

    def clean_simulation(self) -> Script:
        """Refuse a script that names a tool which the catalog does not have."""
        script: Script = self.cleaned_data["simulation"]
        for name in script.names:
            if name not in self._names.tools:
                raise ValidationError(gettext(NO_TOOL) % {"name": name})
        return script.renamed(self._names.tools)
