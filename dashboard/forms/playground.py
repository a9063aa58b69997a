"""The form of the playground: a selection as an agent could ask for it."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from catalog.formats import FORMATS, TITLES
from catalog.formats.tool_search import TOOL_SEARCH
from routing.api.schemas.common import MAX_TEXT
from routing.selection import Channel, Query, Strategy

LIVE, DRAFT = "live", "draft"
HISTORY_ITEMS = 200
_SURROGATES = re.compile("[\ud800-\udfff]")


def refuse_surrogates(text: str) -> None:
    """Refuse what UTF-8 cannot carry; the API refuses it too."""
    if _SURROGATES.search(text):
        raise ValidationError(_("This text holds half a character. Copy it anew."))


class LongTextField(forms.CharField):
    """A text as long as the API takes one, with plain line ends and nothing stripped."""

    def __init__(self, *, rows: int, placeholder: object, **kwargs: Any) -> None:
        super().__init__(
            max_length=MAX_TEXT,
            strip=False,
            validators=[refuse_surrogates],
            widget=forms.Textarea(attrs={"rows": rows, "placeholder": placeholder}),
            **kwargs,
        )

    def to_python(self, value: Any) -> str:
        """Return the text with the line ends that it was typed with: browsers send CR LF."""
        return str(super().to_python(value)).replace("\r\n", "\n")


class PlaygroundForm(forms.Form):
    """A task and what an agent may say beside it; an empty field means the catalog's setting.

    ``document`` is that of the version chosen: its phases and routes are the choices,
    which are fetched from ``url`` when another version is chosen.
    """

    task = LongTextField(
        label=_("Task"),
        rows=4,
        placeholder=_("Reconcile the payment for order 88231 with yesterday's statement"),
    )
    history = LongTextField(
        label=_("History, one item a line"),
        required=False,
        rows=2,
        placeholder=_("Found 3 files with raw SQL queries"),
    )
    ref = forms.ChoiceField(label=_("Version"))
    format = forms.ChoiceField(
        label=_("Format"), choices=[(name, TITLES[name]) for name in FORMATS]
    )
    tool_search = forms.BooleanField(
        label=_("The rest behind the provider's tool search"),
        required=False,
        help_text=_("OpenAI Responses and Anthropic only."),
    )
    strategy = forms.ChoiceField(label=_("Strategy"), required=False)
    phase = forms.ChoiceField(label=_("Phase"), required=False)
    route = forms.ChoiceField(label=_("Route"))
    channel_kind = forms.ChoiceField(
        label=_("Came in by"),
        required=False,
        choices=[
            ("", _("no channel")),
            ("queue", _("queue")),
            ("channel", _("channel")),
            ("event", _("event type")),
        ],
    )
    channel_value = forms.CharField(
        label=_("Its name"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"placeholder": "invoices-in"}),
    )
    max_tools = forms.IntegerField(label=_("Cap"), required=False, min_value=1, max_value=50)
    inclusive = forms.ChoiceField(label=_("Inclusive"), required=False)
    why_tool = forms.CharField(
        label=_("Why not this tool?"),
        required=False,
        max_length=200,
        help_text=_("Name any tool, and see what speaks for it and what it lacked."),
        widget=forms.TextInput(attrs={"placeholder": "find_payment", "autocomplete": "off"}),
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
            "hx-include": "#names",
            "hx-target": "#names",
            "hx-swap": "outerHTML",
        }
        settings = document["settings"]
        self._set_choices("ref", _ref_choices(numbers, live=live))
        self._set_choices("strategy", [_own(settings["strategy"]), *((s, s) for s in Strategy)])
        own = {True: _("yes"), False: _("no")}[settings["inclusive"]]
        self._set_choices("inclusive", [_own(own), ("yes", _("yes")), ("no", _("no"))])
        self.fields["max_tools"].widget.attrs["placeholder"] = settings["max_tools"]
        phases = [(phase["name"], phase["name"]) for phase in document["phases"]]
        routes = [(route["name"], route["name"]) for route in document["routes"]]
        initial = settings["initial_phase"]
        self._set_choices("phase", [_own(initial) if initial else ("", _("no phase")), *phases])
        self._set_choices("route", routes)
        for name, choices in (("phase", phases), ("route", routes)):
            if not choices:
                del self.fields[name]

    def _set_choices(self, name: str, choices: Iterable[tuple[str, Any]]) -> None:
        cast("forms.ChoiceField", self.fields[name]).choices = list(choices)

    def clean_task(self) -> str:
        """Refuse a task of spaces alone, as the API does."""
        task: str = self.cleaned_data["task"]
        if not task.strip():
            raise ValidationError(_("Write a task."), code="required")
        return task

    def clean_history(self) -> tuple[str, ...]:
        """Return the items of the history, oldest first."""
        lines = [line for line in self.cleaned_data["history"].split("\n") if line.strip()]
        if len(lines) > HISTORY_ITEMS:
            raise ValidationError(
                _("A history has at most %(most)s items."), params={"most": HISTORY_ITEMS}
            )
        return tuple(lines)

    def clean(self) -> dict[str, Any]:
        """Refuse half a channel, and more text than the API would take."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        kind, value = cleaned.get("channel_kind"), cleaned.get("channel_value")
        if kind and not value and "channel_value" not in self.errors:
            self.add_error("channel_value", _("Say which one."))
        if value and not kind:
            self.add_error("channel_kind", _("Say what kind it is."))
        if cleaned.get("tool_search") and cleaned.get("format", "") not in {"", *TOOL_SEARCH}:
            self.add_error(
                "tool_search",
                ValidationError(
                    _("This format has none. Choose one of: %(formats)s."),
                    params={"formats": ", ".join(TITLES[name] for name in TOOL_SEARCH)},
                ),
            )
        length = len(cleaned.get("task", "")) + sum(map(len, cleaned.get("history", ())))
        if length > MAX_TEXT and "task" not in self.errors:
            self.add_error(
                "task",
                ValidationError(
                    _("Task and history hold more than %(most)s characters together."),
                    params={"most": MAX_TEXT},
                ),
            )
        return cleaned

    def query(self) -> Query:
        """Return the query of a valid form."""
        said = self.cleaned_data
        kind, value = said["channel_kind"], said["channel_value"]
        return Query(
            task=said["task"],
            history=said["history"],
            phase=said.get("phase") or None,
            route=said.get("route") or None,
            channel=Channel(kind, value) if kind else None,
            strategy=Strategy(said["strategy"]) if said["strategy"] else None,
            max_tools=said["max_tools"],
            inclusive={"yes": True, "no": False}.get(said["inclusive"]),
        )


def _own(value: object) -> tuple[str, object]:
    return "", _OwnSetting(value)


class _OwnSetting:
    """The catalog's own setting, in the reader's language when it is drawn."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __str__(self) -> str:
        return str(_("%(value)s (catalog)") % {"value": self._value})


def _ref_choices(numbers: Iterable[int], *, live: int | None) -> list[tuple[str, Any]]:
    versions = [(str(number), _("version %(number)s") % {"number": number}) for number in numbers]
    first = [] if live is None else [(LIVE, _("live (version %(number)s)") % {"number": live})]
    return [*first, (DRAFT, _("the draft")), *versions]
