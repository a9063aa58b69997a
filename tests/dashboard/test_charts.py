"""A chart's table and its drawing say the same."""

import json
import re

import pytest
from django.template.defaultfilters import floatformat
from django.template.loader import render_to_string
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from dashboard.charts import Chart, Series
from dashboard.numerals import numerals


def chart(*series: Series, **options: object) -> Chart:
    return Chart(
        id="trend",
        title="Trend",
        label_title="Day",
        labels=["1 Nov", "2 Nov"],
        series=series,
        **options,  # type: ignore[arg-type]
    )


def test_the_table_has_a_row_a_label_and_a_column_a_series() -> None:
    html = render_to_string(
        "_chart.html", {"chart": chart(Series("a", [1, 2.5]), Series("b", [None, 1200]), unit="ms")}
    )
    cells = re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", html)
    assert cells == ["Day", "a", "b", "1 Nov", "1 ms", "\u2013", "2 Nov", "2.50 ms", "1,200 ms"]


def test_the_drawing_gets_the_same_values() -> None:
    html = render_to_string("_chart.html", {"chart": chart(Series("</script>", [1, None]))})
    found = re.search(r'<script id="trend-values" type="application/json">(.*?)</script>', html)
    assert found
    assert json.loads(found[1]) == {
        "type": "line",
        "stacked": False,
        "labels": ["1 Nov", "2 Nov"],
        "series": [{"label": "</script>", "values": [1, None]}],
        "unit": "",
    }
    assert 'data-chart="trend-values"' in html


@pytest.mark.parametrize("series", [[], [Series("a", [None, None])]])
def test_without_a_value_it_says_so(series: list[Series]) -> None:
    html = render_to_string("_chart.html", {"chart": chart(*series)})
    assert "Nothing in this period." in html
    assert "<canvas" not in html


def test_a_series_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a of trend"):
        chart(Series("a", [1]))


@pytest.mark.parametrize("language", ["en", "es", "pt"])
@given(
    value=st.one_of(
        st.integers(-(10**9), 10**9), st.floats(-1e6, 1e6).map(lambda value: round(value, 2))
    )
)
def test_a_number_in_a_table_is_written_as_templates_write_it(language: str, value: float) -> None:
    with override(language):
        assert numerals().short(value) == floatformat(value, "-2g")
