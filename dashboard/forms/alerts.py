"""The forms of alerts: a rule, a silence, an address."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from dashboard.alerts.ruled import mark_of
from dashboard.alerts.rules import (
    LONGEST,
    MOST_IN_A_ROW,
    RELATIVE,
    SHARES,
    Comparison,
    Metric,
    Rule,
    is_in_order,
)
from dashboard.alerts.words import COMPARISONS, METRICS
from dashboard.forms.approvals import WebhookForm
from dashboard.models import AlertTarget
from dashboard.models.alerts import TITLE_LENGTH

MOST = 2_000_000_000
MOST_TARGETS = 20
"""The alerts of a catalog are sent to at most so many addresses."""
SILENCES: Mapping[str, timedelta] = {
    "1h": timedelta(hours=1),
    "8h": timedelta(hours=8),
    "1d": timedelta(days=1),
    "7d": timedelta(days=7),
    "30d": timedelta(days=30),
}
_LASTS = [
    ("1h", _("1 hour")),
    ("8h", _("8 hours")),
    ("1d", _("1 day")),
    ("7d", _("7 days")),
    ("30d", _("30 days")),
]


class RuleForm(forms.Form):
    """A rule as it is typed: shares, rises and falls in per cent, times in milliseconds.

    ``seen`` is the mark of the rule that the form was made of; empty of a new one.
    """

    title = forms.CharField(
        label=_("Name"),
        required=False,
        max_length=TITLE_LENGTH,
        help_text=_("Empty: it is called by what it asks."),
    )
    metric = forms.ChoiceField(label=_("Of"), choices=[(one.value, METRICS[one]) for one in Metric])
    comparison = forms.ChoiceField(
        label=_("Fires when it"), choices=[(one.value, COMPARISONS[one]) for one in Comparison]
    )
    level = forms.FloatField(
        label=_("Level"),
        min_value=0,
        max_value=MOST,
        help_text=_(
            "Shares, rises and falls in percent, times in ms; groups, confidence from 0 to 1 "
            "and numbers of selections as they are."
        ),
    )
    clear = forms.FloatField(
        label=_("Is over at"),
        min_value=0,
        max_value=MOST,
        help_text=_(
            "In the same unit, nearer to what is usual: between the two it stays as it is."
        ),
    )
    window = forms.IntegerField(
        label=_("Over the last hours"), min_value=1, max_value=LONGEST, initial=24
    )
    minimum = forms.IntegerField(
        label=_("At least so many cases"),
        min_value=1,
        max_value=1_000_000,
        initial=50,
        help_text=_("Of fewer it says nothing and stays as it is."),
    )
    in_a_row = forms.IntegerField(
        label=_("So many hours in a row"), min_value=1, max_value=MOST_IN_A_ROW, initial=2
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    @classmethod
    def of(cls, rule: Rule) -> "RuleForm":
        """Return the form that shows a rule."""
        factor = _factor(rule.metric, rule.comparison)
        return cls(
            initial={
                "title": rule.title,
                "metric": rule.metric.value,
                "comparison": rule.comparison.value,
                "level": _typed(rule.level * factor),
                "clear": _typed(rule.clear * factor),
                "window": rule.window,
                "minimum": rule.minimum,
                "in_a_row": rule.in_a_row,
                "seen": mark_of(rule),
            }
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("level", "clear"):
            self.fields[name].widget.attrs["step"] = "any"

    def clean(self) -> dict[str, Any]:
        """Refuse a rule that could not be over, or never fire."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        rule = self.rule(key="")
        if not is_in_order(rule):
            self.add_error(
                "clear", _("This is beyond the level itself: it would be over while it fires.")
            )
        is_share = rule.metric in SHARES or rule.metric is Metric.CONFIDENCE
        if rule.level > 1 and (
            rule.comparison is Comparison.FALLEN or (is_share and not rule.is_relative)
        ):
            self.add_error("level", _("More than all of it cannot be."))
        if rule.metric is Metric.TRAFFIC and rule.is_upward:
            self.add_error("comparison", _("Of selections, few or none are what alerts tell of."))
        return cleaned

    def rule(self, *, key: str, enabled: bool = True) -> Rule:
        """Return the rule of a valid form."""
        said = self.cleaned_data
        metric, comparison = Metric(said["metric"]), Comparison(said["comparison"])
        factor = _factor(metric, comparison)
        return Rule(
            key=key,
            metric=metric,
            comparison=comparison,
            # Per cent of a float would not come back as they were typed.
            level=round(said["level"] / factor, 9),
            clear=round(said["clear"] / factor, 9),
            window=said["window"],
            minimum=said["minimum"],
            in_a_row=said["in_a_row"],
            enabled=enabled,
            title=" ".join(said["title"].split()),
        )


def _typed(number: float) -> float:
    """Return a number without what floats add, and without a point where it is whole."""
    rounded = round(float(number), 6)
    return int(rounded) if rounded.is_integer() else rounded


def _factor(metric: Metric, comparison: Comparison) -> float:
    if comparison in RELATIVE or metric in SHARES:
        return 100
    return 0.001 if metric is Metric.LATENCY else 1


class SilenceForm(forms.Form):
    """For how long nobody is told of a rule, and why."""

    lasts = forms.ChoiceField(label=_("For how long"), choices=_LASTS, initial="1d")
    reason = forms.CharField(
        label=_("Why"), max_length=500, widget=forms.Textarea(attrs={"rows": 2})
    )

    def until(self, *, now: datetime) -> datetime:
        """Return when the silence of a valid form is over."""
        return now + SILENCES[self.cleaned_data["lasts"]]


class AcknowledgeForm(forms.Form):
    """What somebody says who looks after an alert."""

    note = forms.CharField(
        label=_("Note"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": _("What you found, or will try")}),
    )


class TargetForm(forms.Form):
    """Where alerts are sent."""

    kind = forms.ChoiceField(label=_("How"), choices=AlertTarget.Kind.choices)
    address = forms.CharField(
        label=_("Address"),
        max_length=500,
        help_text=_("https://… for a webhook, name@example.com for e-mail."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    language = forms.ChoiceField(
        label=_("Language of e-mails"), choices=settings.LANGUAGES, required=False
    )

    def __init__(self, *args: Any, catalog: Catalog, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._catalog = catalog

    def clean(self) -> dict[str, Any]:
        """Refuse what is no address of its kind, and one that is there already."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        kind, address = cleaned["kind"], cleaned["address"]
        try:
            cleaned["address"] = _checked(kind, address)
        except ValidationError as error:
            self.add_error("address", error)
            return cleaned
        known = AlertTarget.objects.filter(catalog=self._catalog, kind=kind)
        if known.filter(address=cleaned["address"]).exists():
            self.add_error("address", _("Alerts are sent there already."))
        if self._catalog.alert_targets.count() >= MOST_TARGETS:
            self.add_error(None, _("There are enough addresses: remove one first."))
        if kind == AlertTarget.Kind.WEBHOOK:
            cleaned["language"] = ""
        return cleaned


def _checked(kind: str, address: str) -> str:
    if kind == AlertTarget.Kind.EMAIL:
        # It also refuses line ends, which would begin another header.
        cleaned: str = forms.EmailField(max_length=254).clean(address)
        return cleaned
    form = WebhookForm({"url": address})
    if not form.is_valid():
        raise ValidationError(form.errors["url"].as_data())
    url: str = form.cleaned_data["url"]
    return url
