"""The forms of the three kinds of rules."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalog.forms.fields import LinesField
from catalog.forms.picking import PartsField
from catalog.forms.watched import WatchedForm
from catalog.models import ChannelRule, IntentRule, KeywordRule


class KeywordRuleForm(WatchedForm):
    """A pattern, and what it adds and removes."""

    add_groups = PartsField(kind="groups", label=_("Groups it adds"))
    add_tools = PartsField(kind="tools", label=_("Tools it adds"))
    remove_groups = PartsField(kind="groups", label=_("Groups it removes"))
    remove_tools = PartsField(kind="tools", label=_("Tools it removes"))

    watched = ("pattern", "add_groups", "add_tools", "remove_groups", "remove_tools")

    class Meta:
        model = KeywordRule
        fields = ["pattern", "add_groups", "add_tools", "remove_groups", "remove_tools"]
        help_texts = {
            "pattern": _(
                "RE2, without regard to letter case and accents, looked for in the task and its "
                "history. Write inflections out: \\b(deploy|deploys|release)\\b"
            )
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["pattern"].widget.attrs |= {
            "autocomplete": "off",
            "spellcheck": "false",
            "autocapitalize": "off",
            "class": "font-monospace",
        }

    def clean(self) -> dict[str, Any]:
        """Refuse a rule that would do nothing."""
        said: dict[str, Any] = super().clean() or self.cleaned_data
        named = ("add_groups", "add_tools", "remove_groups", "remove_tools")
        if all(name in said and not said[name] for name in named):
            raise forms.ValidationError(
                _("Choose what the rule adds or removes: as it is it does nothing."), code="idle"
            )
        return said


class IntentRuleForm(WatchedForm):
    """Plain words, and what they open."""

    phrases = LinesField(
        label=_("Phrases"),
        required=True,
        help_text=_(
            "One a line, in plain words. A task that holds one of them, as whole words, has this "
            "intent; letter case and accents do not matter."
        ),
    )
    groups = PartsField(kind="groups", label=_("Groups it opens"))
    tools = PartsField(kind="tools", label=_("Tools it opens"))

    watched = ("phrases", "groups", "tools")

    class Meta:
        model = IntentRule
        fields = ["phrases", "groups", "tools"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["phrases"].widget.attrs["rows"] = 4

    def clean(self) -> dict[str, Any]:
        """Refuse a rule that would do nothing."""
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if all(name in said and not said[name] for name in ("groups", "tools")):
            raise forms.ValidationError(
                _("Choose what the rule opens: as it is it does nothing."), code="idle"
            )
        return said


class ChannelRuleForm(WatchedForm):
    """Where a task comes in, and the groups that this opens."""

    groups = PartsField(kind="groups", label=_("Groups it opens"), required=True)

    watched = ("kind", "value", "groups")

    class Meta:
        model = ChannelRule
        fields = ["kind", "value", "groups"]
        help_texts = {"value": _("Exactly as the agent sends it, for example invoices-in.")}

    def clean(self) -> dict[str, Any]:
        """Refuse the channel of another rule."""
        said: dict[str, Any] = super().clean() or self.cleaned_data
        same = self.instance.catalog.channelrules.exclude(pk=self.instance.pk)
        if same.filter(kind=said.get("kind", ""), value=said.get("value", "")).exists():
            raise forms.ValidationError(
                _("Another rule is for this very channel; add the groups there."), code="taken"
            )
        return said
