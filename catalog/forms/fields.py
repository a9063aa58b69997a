"""Fields that people type as text and the draft keeps as values."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from catalog.schema_text import read_schema, write_schema

if TYPE_CHECKING:
    _Rows = forms.ModelMultipleChoiceField[Any]
else:
    _Rows = forms.ModelMultipleChoiceField

LONGEST_ID = 18  # digits: what fits a column of 64 bits


class RowsField(_Rows):
    """Rows by their ids. Django asks SQLite for any number, which is an error for a huge one."""

    def clean(self, value: Any) -> Any:
        """Return the rows; refuse what is no id as what is no longer there."""
        for one in value if isinstance(value, list | tuple) else ():
            if len(str(one)) > LONGEST_ID:
                raise ValidationError(
                    self.error_messages["invalid_choice"],
                    code="invalid_choice",
                    params={"value": str(one)[:LONGEST_ID]},
                )
        return super().clean(value)


class LinesField(forms.Field):
    """A list of texts, one a line; blank lines and repetitions are left out."""

    widget = forms.Textarea

    def __init__(self, *, max_lines: int = 100, max_length: int = 500, **kwargs: Any) -> None:
        super().__init__(**{"required": False, **kwargs})
        self.max_lines = max_lines
        self.max_length = max_length
        self.widget.attrs["rows"] = 2

    def to_python(self, value: object) -> list[str]:
        """Return the lines, each without the spaces around it."""
        text = value if isinstance(value, str) else ""
        ProhibitNullCharactersValidator()(text)
        return list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))

    def validate(self, value: Any) -> None:
        """Refuse lists and lines that are too long."""
        super().validate(value)
        if len(value) > self.max_lines:
            raise ValidationError(
                ngettext(
                    "At most %(limit)d line, please.",
                    "At most %(limit)d lines, please.",
                    self.max_lines,
                )
                % {"limit": self.max_lines}
            )
        for number, line in enumerate(value, 1):
            if len(line) > self.max_length:
                raise ValidationError(
                    _("Line %(number)d is longer than %(limit)d characters."),
                    params={"number": number, "limit": self.max_length},
                )

    def prepare_value(self, value: Any) -> str:
        """Return the list as lines, or what was typed as it was typed."""
        return value if isinstance(value, str) else "\n".join(value or ())


class SchemaField(forms.Field):
    """A JSON Schema. What was typed stays in the form, also where it is no JSON."""

    widget = forms.Textarea

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.widget.attrs |= {
            "class": "schema-text",
            "spellcheck": "false",
            "autocapitalize": "off",
            "autocomplete": "off",
        }

    def to_python(self, value: object) -> dict[str, Any] | None:
        """Return the schema, or ``None`` for no text; errors say line and column."""
        text = value if isinstance(value, str) else ""
        if not text.strip():
            return None
        reading = read_schema(text)
        if reading.faults:
            raise ValidationError([str(fault) for fault in reading.faults])
        return reading.value

    def prepare_value(self, value: Any) -> str:
        """Return the schema laid out for reading, or what was typed as it was typed."""
        if value is None or isinstance(value, Mapping):
            return write_schema(value)
        return str(value)
