"""A chart as a value: what its table and its drawing (static/dashboard/charts.js) both show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.functional import Promise

Words = str | Promise
Unit = Literal["", "%", "ms", "tokens"]
_SUFFIXES = {"": "", "%": " %", "ms": " ms", "tokens": ""}


@dataclass(frozen=True, slots=True)
class Series:
    """One line, or one colour of bars; a value of None is a gap.

    `url` leads to what it counts. One that is not `drawn` stands in the table only. Where its
    `unit` is not the chart's, it is drawn against an axis of its own at the right.
    """

    label: Words
    values: Sequence[float | None]
    url: str = ""
    drawn: bool = True
    unit: Unit | None = None

    @property
    def payload(self) -> dict[str, object]:
        """Return what charts.js reads of it."""
        payload: dict[str, object] = {"label": str(self.label), "values": list(self.values)}
        if self.unit is not None:
            payload["unit"] = self.unit
        if self.url:
            payload["url"] = self.url
        return payload


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table; `cells` are the value of each series and what follows the number."""

    label: str
    url: str
    cells: Sequence[tuple[float | None, str]]


@dataclass(frozen=True, slots=True)
class Chart:
    """A line or bar chart, drawn from `_chart.html`.

    `id` is unique on its page. Every series has one value a label. Values are in `unit`: a share in
    "%" is 0 to 100, a time in "ms" is milliseconds; "" is a plain count. `label_urls`, one a label
    where there are any, lead to what each label counts; where a label and a series both lead
    somewhere, a click on what is drawn leads to what both count: to the URL of the label with the
    parameters of the series' URL beside its own.
    """

    id: str
    title: Words
    label_title: Words
    labels: Sequence[str]
    series: Sequence[Series]
    type: Literal["line", "bar"] = "line"
    stacked: bool = False
    unit: Unit = ""
    label_urls: Sequence[str] = ()

    def __post_init__(self) -> None:
        for series in self.series:
            if len(series.values) != len(self.labels):
                raise ValueError(f"series {series.label} of {self.id} has not one value a label")
        if len(self.label_urls) not in (0, len(self.labels)):
            raise ValueError(f"{self.id} has not one URL a label")

    @property
    def is_empty(self) -> bool:
        """Tell whether there is no value at all to draw."""
        drawn = [series.values for series in self.series if series.drawn]
        return all(value is None for values in drawn for value in values)

    @property
    def values_id(self) -> str:
        """Return the id of the element that holds the payload."""
        return f"{self.id}-values"

    @property
    def rows(self) -> Iterator[Row]:
        """Yield the table's rows."""
        suffixes = [_SUFFIXES[self.unit if one.unit is None else one.unit] for one in self.series]
        for at, label in enumerate(self.labels):
            url = self.label_urls[at] if self.label_urls else ""
            values = [series.values[at] for series in self.series]
            yield Row(label, url, tuple(zip(values, suffixes, strict=True)))

    @property
    def payload(self) -> dict[str, object]:
        """Return what charts.js reads."""
        payload: dict[str, object] = {
            "type": self.type,
            "stacked": self.stacked,
            "labels": [str(label) for label in self.labels],
            "series": [series.payload for series in self.series if series.drawn],
            "unit": self.unit,
        }
        if self.label_urls:
            payload["urls"] = list(self.label_urls)
        return payload
