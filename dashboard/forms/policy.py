"""The form of the policy tester: a call as an agent could propose it, and what stands around it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from routing.policy.arguments import unsafe_places
from routing.policy.types import ApprovalState

LIVE = "live"
MOST_CHARACTERS = 100_000
_DEEPEST = 100


class PolicyForm(forms.Form):
    """A proposal. ``document`` is that of the version chosen; ``url`` fetches another's names."""

    ref = forms.ChoiceField(label=_("Version"))
    route = forms.ChoiceField(label=_("Route"))
    tool = forms.CharField(
        label=_("Tool"),
        max_length=200,
        strip=False,
        widget=forms.TextInput(
            attrs={"list": "tool-names", "autocomplete": "off", "spellcheck": "false"}
        ),
    )
    arguments = forms.CharField(
        label=_("Arguments, as JSON"),
        required=False,
        max_length=MOST_CHARACTERS,
        widget=forms.Textarea(
            attrs={"rows": 6, "class": "json-text", "spellcheck": "false", "placeholder": "{}"}
        ),
    )
    scopes = forms.MultipleChoiceField(
        label=_("Scopes of the key"), required=False, widget=forms.CheckboxSelectMultiple
    )
    offered = forms.BooleanField(
        label=_("The selection offered the tool"), required=False, initial=True
    )
    has_key = forms.BooleanField(
        label=_("An idempotency key comes with it"), required=False, initial=True
    )
    calls = forms.IntegerField(
        label=_("Calls made before in the run"), required=False, min_value=0, max_value=10**9
    )
    approval = forms.ChoiceField(
        label=_("A person's word"),
        required=False,
        choices=[
            ("", _("not asked yet")),
            (ApprovalState.PENDING.value, _("asked, waiting")),
            (ApprovalState.APPROVED.value, _("approved")),
            (ApprovalState.REFUSED.value, _("refused")),
            (ApprovalState.EXPIRED.value, _("expired")),
            (ApprovalState.USED.value, _("used before")),
        ],
    )

    def __init__(
        self,
        *args: Any,
        document: Mapping[str, Any],
        numbers: Iterable[int],
        live: int | None,
        url: str,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["ref"].widget.attrs |= {
            "hx-get": url,
            "hx-include": "closest form",
            "hx-target": "#names",
            "hx-swap": "outerHTML",
        }
        versions = [
            (str(number), _("version %(number)s") % {"number": number}) for number in numbers
        ]
        first = [] if live is None else [(LIVE, _("live (version %(number)s)") % {"number": live})]
        self._set_choices("ref", [*first, *versions])
        self.tools = [tool["name"] for tool in document["tools"]]
        scopes = dict.fromkeys(scope for tool in document["tools"] for scope in tool["scopes"])
        self._set_choices("scopes", [(scope, scope) for scope in scopes])
        self._set_choices("route", [(one["name"], one["name"]) for one in document["routes"]])
        for name, there in (("route", document["routes"]), ("scopes", scopes)):
            if not there:
                del self.fields[name]

    def _set_choices(self, name: str, choices: Iterable[tuple[str, Any]]) -> None:
        cast("forms.ChoiceField", self.fields[name]).choices = list(choices)

    def clean_arguments(self) -> dict[str, Any]:
        """Return the arguments; empty means none. Refuses what the API would refuse to read."""
        said = self.cleaned_data["arguments"].strip() or "{}"
        try:
            value = json.loads(said, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise ValidationError(
                _("This is no JSON: %(fault)s"), params={"fault": error}
            ) from error
        if not isinstance(value, dict):
            raise ValidationError(_("Arguments are an object: { … }"))
        if _depth(value) > _DEEPEST or any(unsafe_places(value, at="arguments")):
            raise ValidationError(_("The API takes no such arguments: too deep, or no text."))
        return value


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _depth(value: object) -> int:
    """Return how many lists and objects lie within each other."""
    depth, layer = 0, [value]
    while layer:
        depth += 1
        layer = [
            inner
            for one in layer
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
    return depth
