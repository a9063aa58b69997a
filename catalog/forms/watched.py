"""Forms that two people may have open at once: the second sees what changed and loses nothing.

A form carries what it showed. Where the row says something else by the time the form is sent,
nothing is saved: the fields that the person left alone follow the row, the others keep what was
typed, and the page says what the other person changed. Sent again, it is saved.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db import models
from django.utils.translation import gettext as _

from catalog.document import canonical_bytes, sha256_hex
from catalog.forms.model_form import ModelForm
from catalog.forms.picking import PartsField, PickingForm, parts_of
from catalog.models import Catalog

SEEN = "seen"
HASH = "sha256"
LONG = 2_000  # bytes of a value that is compared by its hash


@dataclass(frozen=True, slots=True)
class Overtaken:
    """A field that somebody else changed meanwhile; ``typed_over`` where this form does so too.

    ``by`` is the name of whoever saved last, as far as the audit log knows.
    """

    label: str
    was: str
    now: str
    typed_over: bool
    by: str = ""


class WatchedForm(PickingForm, ModelForm[Any]):
    """A form of a part of the draft; ``watched`` are the fields that are compared."""

    watched: tuple[str, ...] = ()

    def __init__(self, *args: Any, catalog: Catalog, **kwargs: Any) -> None:
        self._read_parts(kwargs.get("instance"), catalog)
        super().__init__(*args, **kwargs)
        if self.instance is not catalog:
            self.instance.catalog = catalog
        self.bind_parts(catalog)
        if self.instance.pk:
            shown = json.dumps(_carried(values_of(self.instance, self.watched)))
            self.fields[SEEN] = forms.CharField(
                required=False, widget=forms.HiddenInput, initial=shown
            )

    def _read_parts(self, row: models.Model | None, catalog: Catalog) -> None:
        """Read once, and of each no more than its name, the tools and groups that the row names."""
        if row is None or row.pk is None:
            return
        for name, field in self.base_fields.items():
            if isinstance(field, PartsField):
                parts = parts_of(catalog, field.kind).only("name", "position", "catalog")
                models.prefetch_related_objects([row], models.Prefetch(name, parts))

    def overtaken_by(self, stored: models.Model, *, by: str = "") -> list[Overtaken]:
        """Return what of the stored row is not what this valid form showed when it was opened."""
        seen, stands = self._seen(), values_of(stored, self.watched)
        now = _carried(stands)
        typed = _carried({name: _plain(self.cleaned_data[name]) for name in self.watched})
        return [
            Overtaken(
                label=str(self.fields[name].label or name),
                was=_written(seen[name]),
                now=_written(stands[name]),
                typed_over=typed[name] not in (seen[name], now[name]),
                by=by,
            )
            for name in self.watched
            if name in seen and seen[name] != now[name]
        ]

    def own_changes(self) -> dict[str, Any]:
        """Return the fields of this valid form that the person changed from what it showed."""
        seen = self._seen()
        typed = _carried({name: _plain(self.cleaned_data[name]) for name in self.watched})
        return {
            name: self.cleaned_data[name]
            for name in self.watched
            if typed[name] != seen.get(name, self)
        }

    def _seen(self) -> Mapping[str, Any]:
        try:
            seen = json.loads(self.cleaned_data.get(SEEN) or "{}")
            canonical_bytes(seen)  # half a character could not be shown
        except (ValueError, RecursionError):
            return {}
        return seen if isinstance(seen, dict) else {}


def values_of(row: models.Model, fields: Iterable[str]) -> dict[str, Any]:
    """Return the values of a row in JSON's types, other rows by their names in catalog order."""
    values = {}
    for name in fields:
        value = getattr(row, name)
        values[name] = _plain(value.all() if isinstance(value, models.Manager) else value)
    return values


def _carried(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a form carries of values: of a schema that is long, its hash alone."""
    return {name: _brief(value) for name, value in values.items()}


def _brief(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    content = canonical_bytes(value)
    return value if len(content) <= LONG else {HASH: sha256_hex(content)}


def _plain(value: Any) -> Any:
    if isinstance(value, models.QuerySet | list | tuple):
        rows = list(value)
        if rows and isinstance(rows[0], models.Model):
            rows.sort(key=lambda row: (row.position, row.pk))
            return [str(row) for row in rows]
        return rows
    return value


def _written(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or _("nothing")
    if isinstance(value, dict) and value.keys() == {HASH}:
        return _("what you saw")
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return _("nothing") if value in (None, "") else str(value)
