"""Filters of the shared partials: the controls of a form and the numbers of a list's pages."""

from collections.abc import Iterator

from django import forms, template
from django.core.paginator import Page
from django.forms.boundfield import BoundField, BoundWidget
from django.utils.safestring import SafeString

register = template.Library()

# The class that the style sheet gives each kind of control; the first match counts.
_KINDS: tuple[tuple[type[forms.Widget], str, str], ...] = (
    (forms.CheckboxSelectMultiple, "checks", "form-check-input"),
    (forms.RadioSelect, "checks", "form-check-input"),
    (forms.CheckboxInput, "check", "form-check-input"),
    (forms.Select, "select", "form-select"),
    (forms.Widget, "text", "form-control"),
)


def _kind(field: BoundField) -> tuple[str, str]:
    widget = field.field.widget
    return next((kind, css) for of, kind, css in _KINDS if isinstance(widget, of))


@register.filter
def control_kind(field: BoundField) -> str:
    """Return "check", "checks", "select" or "text": how the partial lays the field out."""
    return _kind(field)[0]


@register.filter
def control(field: BoundField) -> SafeString:
    """Draw a field's control with the style sheet's classes beside the widget's own."""
    classes = [_kind(field)[1], field.field.widget.attrs.get("class", "")]
    if field.errors:
        classes.append("is-invalid")
    return field.as_widget(attrs={"class": " ".join(filter(None, classes))})


@register.filter
def choice_control(choice: BoundWidget) -> SafeString:
    """Draw the box or button of one choice without its label, which the partial writes."""
    choice.data["attrs"]["class"] = "form-check-input"
    return choice.tag()


@register.filter
def page_numbers(page: Page[object]) -> Iterator[int | str]:
    """Yield the numbers of the first, last and nearest pages, with "…" where some are left out."""
    return page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)
