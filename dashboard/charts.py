"""A chart as a value: what its table and its drawing (static/dashboard/charts.js) both show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.functional import Promise

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Series:
    """One line, or one colour of bars; a value of None is a gap."""

    label: Words
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Chart:
    """A line or bar chart, drawn from `_chart.html`.

    `id` is unique on its page. Every series has one value a label. Values are in `unit`: a share in
    "%" is 0 to 100, a time in "ms" is milliseconds; "" is a plain count.
    """

    id: str
    title: Words
    label_title: Words
    labels: Sequence[str]
    series: Sequence[Series]
    type: Literal["line", "bar"] = "line"
    stacked: bool = False
    unit: Literal["", "%", "ms", "tokens"] = ""

    def __post_init__(self) -> None:
        for series in self.series:
            if len(series.values) != len(self.labels):
                raise ValueError(f"series {series.label} of {self.id} has not one value a label")

    @property
    def is_empty(self) -> bool:
        """Tell whether there is no value at all to draw."""
        return all(value is None for series in self.series for value in series.values)

    @property
    def values_id(self) -> str:
        """Return the id of the element that holds the payload."""
        return f"{self.id}-values"

    @property
    def unit_suffix(self) -> str:
        """Return what follows a number in the table."""
        return {"": "", "%": " %", "ms": " ms", "tokens": ""}[self.unit]

    @property
    def rows(self) -> Iterator[tuple[str, tuple[float | None, ...]]]:
        """Yield the table's rows: a label and the value of each series."""
        columns = [series.values for series in self.series]
        return zip(self.labels, zip(*columns, strict=True), strict=True)

    @property
    def payload(self) -> dict[str, object]:
        """Return what charts.js reads."""
        return {
            "type": self.type,
            "stacked": self.stacked,
            "labels": [str(label) for label in self.labels],
            "series": [{"label": str(s.label), "values": list(s.values)} for s in self.series],
            "unit": self.unit,
        }
