"""The form of a route."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalog.forms.picking import PartsField
from catalog.forms.watched import WatchedForm
from catalog.models import Route, Tool


class RouteForm(WatchedForm):
    """What one kind of request may reach, and what a run of it may spend."""

    groups = PartsField(
        kind="groups",
        label=_("Groups allowed"),
        help_text=_("Their tools can be served, and they can be asked for."),
    )
    tools = PartsField(
        kind="tools",
        label=_("Tools allowed beside them"),
        help_text=_("Whatever is named neither here nor by a group cannot be reached."),
    )
    side_effects = forms.MultipleChoiceField(
        label=_("Side effects allowed"),
        choices=Tool.SideEffect.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("A tool with another side effect cannot be reached, even where it is named."),
    )

    watched = (
        "name",
        "groups",
        "tools",
        "side_effects",
        "budget_calls",
        "budget_tokens",
        "budget_cost",
        "budget_seconds",
    )

    class Meta:
        model = Route
        fields = [
            "name",
            "groups",
            "tools",
            "side_effects",
            "budget_calls",
            "budget_tokens",
            "budget_cost",
            "budget_seconds",
        ]
        help_texts = {
            "name": _("Agents and keys name the route: who uses it must follow a new name."),
            "budget_calls": _("Empty: no limit."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}
        for name in ("budget_calls", "budget_tokens", "budget_cost", "budget_seconds"):
            self.fields[name].widget.attrs["min"] = 0

    def clean_name(self) -> str:
        """Refuse the name of another route."""
        name: str = self.cleaned_data["name"]
        others = self.instance.catalog.routes.exclude(pk=self.instance.pk)
        if others.filter(name=name).exists():
            raise forms.ValidationError(_("Another route has this name."), code="taken")
        return name

    def clean_side_effects(self) -> list[str]:
        """Return the side effects in their own order, so that equal choices are equal values."""
        chosen = self.cleaned_data["side_effects"]
        return [value for value in Tool.SideEffect.values if value in chosen]

    def clean_budget_cost(self) -> float | None:
        """Refuse a cost below nothing."""
        cost: float | None = self.cleaned_data["budget_cost"]
        if cost is not None and cost < 0:
            raise forms.ValidationError(_("A budget is not below zero."), code="negative")
        return cost
