"""What runs are looked for: a form whose fields are the parameters of the page's URL."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from dashboard.call_words import DECISIONS, STATUSES
from dashboard.routing_charts import FALLBACKS
from routing.exploring.asking import ANY, UNFINISHED, Asked
from routing.models import Release, Run
from routing.policy.types import Reason
from routing.selection.types import Strategy

_EMPTY = ("", _("any"))
_STRATEGIES = [_EMPTY, *((one.value, one.value) for one in Strategy)]
_REASONS = [(one.value, one.value) for one in Reason if one is not Reason.NEEDS_APPROVAL]
_EVER = datetime(1970, 1, 2, tzinfo=UTC)
# Beyond it, a time in another zone may be none that Python can tell.
_NEVER = datetime(9999, 1, 1, tzinfo=UTC)
# The names that a URL may carry for a stretch of time that ends now.
PERIODS = {
    "24h": (timedelta(hours=24), _("last 24 hours")),
    "7d": (timedelta(days=7), _("last 7 days")),
    "30d": (timedelta(days=30), _("last 30 days")),
}
# Fields that hold a name, and what it is the name of: the page offers those that there are.
NAMED = {
    "group": "groups",
    "began": "groups",
    "asked": "groups",
    "tool": "tools",
    "missed": "tools",
    "route": "routes",
}
# What is asked for without folding the form out.
_AT_HAND = ("q", "outcome", "period")


class RunFilters(forms.Form):
    """Each field narrows the runs; an empty one does not.

    A ``period`` ends now, beside the fixed times of ``from`` and ``to``: a view that is kept under
    a name stays of use with it.
    """

    q = forms.CharField(label=_("Task holds"), max_length=200)
    outcome = forms.ChoiceField(
        label=_("Outcome"),
        choices=[("", _("any outcome")), *Run.Outcome.choices, (UNFINISHED, _("none yet"))],
    )
    period = forms.ChoiceField(
        label=_("Period"),
        choices=[("", _("any time")), *((name, words) for name, (_long, words) in PERIODS.items())],
    )
    group = forms.CharField(label=_("Group served"), max_length=63)
    began = forms.CharField(label=_("Group served at first"), max_length=63)
    asked = forms.CharField(label=_("Group asked for"), max_length=63)
    tool = forms.CharField(label=_("Tool called"), max_length=64)
    missed = forms.CharField(label=_("Called without being offered"), max_length=64)
    strategy = forms.ChoiceField(label=_("Strategy"), choices=_STRATEGIES)
    decided = forms.ChoiceField(label=_("Decided by"), choices=_STRATEGIES)
    fallback = forms.ChoiceField(
        label=_("Fallback"), choices=[_EMPTY, (ANY, _("with one")), *FALLBACKS.items()]
    )
    decision = forms.ChoiceField(label=_("Decision"), choices=[_EMPTY, *DECISIONS.items()])
    refused = forms.ChoiceField(
        label=_("Call refused"), choices=[_EMPTY, (ANY, _("for any reason")), *_REASONS]
    )
    status = forms.ChoiceField(label=_("Result"), choices=[_EMPTY, *STATUSES.items()])
    min_confidence = forms.FloatField(label=_("Confidence from"), min_value=0, max_value=1)
    max_confidence = forms.FloatField(label=_("Confidence to"), min_value=0, max_value=1)
    version = forms.IntegerField(label=_("Version"), min_value=1, max_value=2**31 - 1)
    route = forms.CharField(label=_("Route"), max_length=63)
    expanded = forms.BooleanField(label=_("Asked for a group"))
    silent = forms.BooleanField(label=_("Failed without asking for a group"))
    explored = forms.BooleanField(label=_("Explored"))
    without_simulated = forms.BooleanField(label=_("Hide simulated traffic"))

    def __init__(self, data: Mapping[str, str], *, catalog: Catalog) -> None:
        values: dict[str, Any] = {name: value for name, value in data.items() if value}
        if values.pop("simulated", "") == "0":
            values["without_simulated"] = "on"
        values |= {name: _picked(values[name]) for name in ("from", "to") if name in values}
        super().__init__(values)
        self._catalog = catalog
        # “from” is no name that a class could give.
        for name, label in (("from", _("Began from")), ("to", _("Began before"))):
            picker = forms.DateTimeInput(attrs={"type": "datetime-local"})
            self.fields[name] = forms.DateTimeField(
                label=label, widget=picker, validators=[_check_moment]
            )
        self.order_fields([*_AT_HAND, "from", "to"])
        for field in self.fields.values():
            field.required = False
        for name, attributes in _ATTRIBUTES.items():
            self.fields[name].widget.attrs |= attributes

    @property
    def narrows(self) -> bool:
        """Tell whether anything is asked for."""
        return bool(set(self.fields).intersection(self.data))

    @property
    def has_faults_further(self) -> bool:
        """Tell whether a field that is folded away holds what cannot be."""
        return bool(set(self.errors) - set(_AT_HAND))

    def further(self) -> Iterator[forms.BoundField]:
        """Yield the fields that are folded away, boxes last."""
        fields = [self[name] for name in self.fields if name not in _AT_HAND]
        yield from (one for one in fields if not isinstance(one.field, forms.BooleanField))
        yield from (one for one in fields if isinstance(one.field, forms.BooleanField))

    def said(self) -> dict[str, str]:
        """Return what a valid form asks for as parameters of the page, times with their offset."""
        said: dict[str, str] = {}
        for name in self.fields:
            value = self.cleaned_data[name]
            if value is True:
                said |= {"simulated": "0"} if name == "without_simulated" else {name: "1"}
            elif isinstance(value, datetime):
                said[name] = value.astimezone(UTC).isoformat(timespec="minutes")
            elif value not in (None, "", False):
                said[name] = str(value)
        return said

    def query(self) -> str:
        """Return the query string that asks for the same, always written the same way."""
        return urlencode(self.said())

    def wanted(self, *, now: datetime) -> Asked:
        """Return what is asked for by a form that is valid."""
        said = self.cleaned_data
        releases = None
        if said["version"]:
            of = Release.objects.filter(catalog=self._catalog, version__number=said["version"])
            releases = tuple(of.values_list("pk", flat=True))
        return Asked(
            catalog=self._catalog.pk,
            since=max(said["from"] or _EVER, _began(said["period"], now=now)),
            until=said["to"] or now + timedelta(days=1),
            outcome=said["outcome"],
            simulated=not said["without_simulated"],
            route=said["route"],
            releases=releases,
            group=said["group"],
            began=said["began"],
            asked_group=said["asked"],
            tool=said["tool"],
            missed=said["missed"],
            strategy=said["strategy"],
            decided_by=said["decided"],
            fallback=said["fallback"],
            refused=said["refused"],
            decision=said["decision"],
            status=said["status"],
            min_confidence=said["min_confidence"],
            max_confidence=said["max_confidence"],
            expanded=said["expanded"],
            silent=said["silent"],
            explored=said["explored"],
            text=said["q"],
        )


_ATTRIBUTES: Mapping[str, Mapping[str, object]] = {
    **{name: {"step": "any"} for name in ("min_confidence", "max_confidence")},
    **{
        name: {"autocomplete": "off", "spellcheck": "false", "list": f"known-{NAMED[name]}"}
        for name in NAMED
    },
    "q": {"autocomplete": "off", "spellcheck": "false", "placeholder": _("Task holds")},
}


def _began(period: str, *, now: datetime) -> datetime:
    return now - PERIODS[period][0] if period else _EVER


def _check_moment(moment: datetime) -> None:
    if not _EVER <= moment < _NEVER:
        raise ValidationError(_("No run is of this time."))


def _picked(text: str) -> str:
    """Return a time of a link as the control of the page has it: in the reader's zone, no offset.

    What is no time stays as it is, to be refused with its reason.
    """
    try:
        moment = parse_datetime(text)
        if moment is None or moment.tzinfo is None:
            return text
        return timezone.localtime(moment).strftime("%Y-%m-%dT%H:%M")
    except (ValueError, OverflowError):
        return text
