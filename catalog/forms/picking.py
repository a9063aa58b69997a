"""A field that chooses among thousands of tools or groups by searching, with or without JavaScript.

Drawn are the few that a search finds and the first of those chosen. The rest of what is chosen is
carried along in one hidden value, so that no page holds a box for every tool of a catalog.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.http import QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog, Group, Tool

Kind = Literal["tools", "groups"]
FOUND = 20
CHOSEN = 50
_IS_ID = re.compile("[0-9]{1,18}")
TEMPLATE = "catalog/_picker.html"


def parts_of(catalog: Catalog, kind: Kind) -> "models.QuerySet[Tool] | models.QuerySet[Group]":
    """Return what is chosen among, in catalog order."""
    rows = catalog.tools.all() if kind == "tools" else catalog.groups.all()
    return rows.order_by("position", "id")


class PickWidget(forms.Widget):
    """A search box, what it finds, and what is chosen."""

    use_fieldset = True
    query = ""

    def __init__(self, kind: Kind = "tools") -> None:
        super().__init__()
        self.kind = kind
        self.catalog: Catalog | None = None

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[str]:
        """Return the ids that are ticked and those that were carried along."""
        self.query = str(data.get(f"{name}-q", ""))[:200]
        ticked = data.getlist(name) if isinstance(data, QueryDict) else list(data.get(name, ()))
        kept = str(data.get(f"{name}-kept", "")).split(",")
        return list(dict.fromkeys(value for value in (*ticked, *kept) if value))

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Never omitted: with every box empty nothing is sent."""
        return False

    def searches(self, data: Mapping[str, Any], name: str) -> bool:
        """Tell whether a form was sent to look for something that is not shown yet."""
        query = str(data.get(f"{name}-q", "")).strip()
        return bool(query) and query != str(data.get(f"{name}-was", "")).strip()

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        """Draw the box with all below it."""
        return self._draw(TEMPLATE, name, value or ())

    def render_choices(self, name: str, value: Iterable[str]) -> SafeString:
        """Draw what is below the search box, which is what a search changes."""
        return self._draw(f"{TEMPLATE}#choices", name, value)

    def _draw(self, template: str, name: str, value: Iterable[Any]) -> SafeString:
        if self.catalog is None:
            raise ValueError("A picker draws the parts of a catalog.")
        chosen = {int(one) for one in value if _IS_ID.fullmatch(str(one))}
        rows = parts_of(self.catalog, self.kind).only("name", "description", "catalog")
        found = list(rows.search(self.query)[: FOUND + 1]) if self.query.strip() else []  # type: ignore[union-attr]
        more, found = len(found) > FOUND, found[:FOUND]
        shown = {row.pk for row in found}
        others = list(rows.filter(pk__in=chosen - shown)[:CHOSEN])
        shown |= {row.pk for row in others}
        address = reverse("catalog:pick", kwargs={"catalog": self.catalog.name, "of": self.kind})
        context = {
            "name": name,
            "kind": self.kind,
            "query": self.query,
            "url": f"{address}?field={name}",
            "found": [(row, row.pk in chosen) for row in found],
            "more": more,
            "chosen": others,
            "chosen_count": len(chosen),
            "kept": sorted(chosen - shown),
        }
        return mark_safe(render_to_string(template, context))  # noqa: S308 - a template escapes


class PartsField(forms.Field):
    """Tools or groups of a catalog; ``bind`` says of which."""

    def __init__(self, *, kind: Kind, **kwargs: Any) -> None:
        super().__init__(**{"required": False, "widget": PickWidget(kind), **kwargs})
        self.kind: Kind = kind
        self.catalog: Catalog | None = None

    def bind(self, catalog: Catalog) -> None:
        """Choose among the parts of a catalog."""
        self.catalog = self.widget.catalog = catalog

    def prepare_value(self, value: Any) -> list[str]:
        """Return ids, of rows or as they were sent."""
        return [str(getattr(one, "pk", one)) for one in value or ()]

    def clean(self, value: Any) -> list[Any]:
        """Return the rows. Refuse what is no longer in the catalog."""
        if self.catalog is None:
            raise ValueError("A picker chooses among the parts of a catalog.")
        ids = {int(one) for one in value or () if _IS_ID.fullmatch(str(one))}
        rows = list(
            parts_of(self.catalog, self.kind).filter(pk__in=ids).only("name", "position", "catalog")
        )
        if len(rows) != len(value or ()):
            raise ValidationError(
                _("Something that was chosen is no longer in the catalog; it is left out here."),
                code="gone",
            )
        if self.required and not rows:
            raise ValidationError(self.error_messages["required"], code="required")
        return rows


class PickingForm(forms.BaseForm):
    """A form that has such fields, and may be sent to search instead of to be saved."""

    def bind_parts(self, catalog: Catalog) -> None:
        """Choose among the parts of a catalog."""
        for field in self.fields.values():
            if isinstance(field, PartsField):
                field.bind(catalog)

    @property
    def searches(self) -> bool:
        """Tell whether the form was sent to look for tools or groups, and for nothing else."""
        return any(
            isinstance(field.widget, PickWidget)
            and field.widget.searches(self.data, self.add_prefix(name))
            for name, field in self.fields.items()
        )

    def typed(self) -> dict[str, Any]:
        """Return what was sent, valid or not, as the initial values of another form."""
        return {
            name: field.widget.value_from_datadict(self.data, self.files, self.add_prefix(name))
            for name, field in self.fields.items()
        }

    def look_again(self, form: "PickingForm") -> None:
        """Search for what the other form was sent to look for."""
        for name, field in self.fields.items():
            if isinstance(field.widget, PickWidget):
                field.widget.query = form.fields[name].widget.query
