"""Controls are drawn as Django's own templates draw them."""

from typing import Any

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from dashboard.form_controls import Controls

CHOICES: list[tuple[Any, Any]] = [
    ("", "any"),
    ("a&b", 'Said "<yes>"'),
    (7, 12_345),
    (None, _("Outcome")),
    ("Group <1>", [("inner", SafeString("<b>bold</b>")), ("other", "Other")]),
]
ATTRIBUTES: dict[str, Any] = {
    "class": 'a "quoted" class',
    "required": True,
    "disabled": False,
    "maxlength": 63,
    "placeholder": _("Outcome"),
}
WIDGETS: list[forms.Widget] = [
    forms.TextInput(),
    forms.NumberInput(),
    forms.EmailInput(),
    forms.URLInput(),
    forms.PasswordInput(render_value=True),
    forms.HiddenInput(),
    forms.DateInput(),
    forms.DateTimeInput(attrs={"type": "datetime-local"}),
    forms.TimeInput(),
    forms.CheckboxInput(),
    forms.Select(choices=CHOICES),
    forms.NullBooleanSelect(),
    forms.Textarea(),
    forms.SelectMultiple(choices=CHOICES),
    forms.RadioSelect(choices=CHOICES),
]


def written(text: str) -> list[str]:
    """Return the lines of a text: the template of an option ends with an empty one."""
    return [line for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("value", [None, "", "a&b", 7, 0.5, "inner", True, '"><script>', _("any")])
@pytest.mark.parametrize("widget", WIDGETS, ids=lambda widget: type(widget).__name__)
def test_a_control_is_what_its_template_makes(widget: forms.Widget, value: object) -> None:
    own, plain = (
        widget.render("na&me", value, attrs=ATTRIBUTES, renderer=renderer)
        for renderer in (Controls(), DjangoTemplates())
    )
    assert written(own) == written(plain)
    assert isinstance(own, SafeString)
