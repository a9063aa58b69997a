"""The rows of a chart's table: a few hundred cells, too many for a template's loops."""

from collections.abc import Iterator

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from dashboard.charts import Chart
from dashboard.numerals import Numerals, numerals

register = template.Library()


@register.simple_tag
def chart_rows(chart: Chart) -> SafeString:
    """Return the rows of the table's body."""
    written = numerals()
    return mark_safe("".join(_rows(chart, written)))  # noqa: S308 - texts are escaped, below


def _rows(chart: Chart, written: Numerals) -> Iterator[str]:
    for row in chart.rows:
        label: str = conditional_escape(row.label)
        if row.url:
            label = f'<a href="{conditional_escape(row.url)}">{label}</a>'
        yield f'<tr><th scope="row">{label}</th>'
        for value, suffix in row.cells:
            shown = "\u2013" if value is None else written.short(value) + suffix
            yield f'<td class="text-end">{shown}</td>'
        yield "</tr>\n"
