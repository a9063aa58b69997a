"""Controls of forms, drawn without a template each: a page of filters has a hundred options.

Django draws a select by a template, in it an option by another and its attributes by a third. What
is drawn here is the same text, a tenth as long in the making; other widgets keep their templates.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.utils.formats import localize
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

Widget = Mapping[str, Any]


class Controls(DjangoTemplates):
    """Draws what is common by itself, and the rest by Django's templates."""

    def render(
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> SafeString:
        """Return a control, or another part of a form, as HTML."""
        draw = _DRAWN.get(template_name)
        if draw is None:
            return SafeString(super().render(template_name, context, request))
        return SafeString(draw(context["widget"]))


def _input(widget: Widget) -> str:
    value = widget["value"]
    of_value = "" if value is None else f' value="{conditional_escape(value)}"'
    start = f'<input type="{conditional_escape(widget["type"])}"'
    return f'{start} name="{conditional_escape(widget["name"])}"{of_value}{_attributes(widget)}>'


def _select(widget: Widget) -> str:
    start = f'<select name="{conditional_escape(widget["name"])}"{_attributes(widget)}>'
    groups = (_group(name, options) for name, options, _index in widget["optgroups"])
    return f"{start}{''.join(groups)}\n</select>"


def _group(name: Any, options: list[Widget]) -> str:
    drawn = "".join(f"\n  {_option(option)}" for option in options)
    if not name:
        return drawn
    return f'\n  <optgroup label="{conditional_escape(localize(name))}">{drawn}\n  </optgroup>'


def _option(widget: Widget) -> str:
    start = f'<option value="{conditional_escape(widget["value"])}"{_attributes(widget)}>'
    return f"{start}{conditional_escape(localize(widget['label']))}</option>"


def _attributes(widget: Widget) -> str:
    return "".join(
        f" {conditional_escape(name)}"
        + ("" if value is True else f'="{conditional_escape(value)}"')
        for name, value in widget["attrs"].items()
        if value is not False
    )


_INPUTS = ("text", "number", "email", "url", "password", "hidden", "date", "datetime", "time")
_DRAWN: Mapping[str, Callable[[Widget], str]] = {
    **{f"django/forms/widgets/{name}.html": _input for name in (*_INPUTS, "checkbox")},
    "django/forms/widgets/select.html": _select,
}
