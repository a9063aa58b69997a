"""What a list of runs is asked for, in words, each with the way to ask without it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django import forms
from django.utils import timezone
from django.utils.formats import date_format, localize
from django.utils.functional import Promise

from dashboard.forms.runs import RunFilters


@dataclass(frozen=True, slots=True)
class Chip:
    """One filter; ``value`` is empty where the label says it all, ``without`` a query string."""

    label: str | Promise
    value: str
    without: str


def chips_of(filters: RunFilters) -> Iterator[Chip]:
    """Yield what a valid form asks for, in the order of its fields."""
    said = filters.said()
    for name in filters.fields:
        parameter = "simulated" if name == "without_simulated" else name
        if parameter in said:
            others = {key: value for key, value in said.items() if key != parameter}
            yield Chip(
                label=filters[name].label, value=_words(filters, name), without=urlencode(others)
            )


def _words(filters: RunFilters, name: str) -> str:
    field, value = filters.fields[name], filters.cleaned_data[name]
    if isinstance(field, forms.ChoiceField):
        return str(dict(field.choices)[value])  # type: ignore[arg-type]
    if isinstance(value, datetime):
        return date_format(timezone.localtime(value), "SHORT_DATETIME_FORMAT")
    return "" if value is True else str(localize(value))
