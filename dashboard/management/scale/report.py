"""What was measured, as lines of text and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dashboard.management.scale.bulk import Loaded
from dashboard.management.scale.counting import Counted
from dashboard.management.scale.measuring import ChartTime, SearchTime
from dashboard.management.scale.timing import PageTime

MOST_SECONDS = 0.1
"""A page or a chart may take so long, and a chart ``MOST_RATIO`` of the raw query's time."""
MOST_RATIO = 0.1


@dataclass(slots=True)
class Report:
    """Everything that was measured of one database."""

    database: str
    loaded: Loaded | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    from_nothing: Counted | None = None
    as_they_come: Counted | None = None
    charts: list[ChartTime] = field(default_factory=list)
    pages: list[PageTime] = field(default_factory=list)
    searches: list[SearchTime] = field(default_factory=list)
    ingest: list[Mapping[str, Any]] = field(default_factory=list)

    def record(self) -> dict[str, Any]:
        """Return what was measured as JSON; times are milliseconds but where they say seconds."""
        return {
            "database": self.database,
            "loaded": _loaded(self.loaded),
            "bytes": dict(self.sizes),
            "counting": {
                name: _counted(one)
                for name, one in (
                    ("from_nothing", self.from_nothing),
                    ("as_they_come", self.as_they_come),
                )
                if one is not None
            },
            "charts": [
                {
                    "chart": one.chart,
                    "period": one.period,
                    "ms": _ms(one.counted),
                    "raw_ms": _ms(one.raw),
                    "ratio": round(one.ratio, 4),
                    "agree": one.agree,
                }
                for one in self.charts
            ],
            "pages": [
                {"page": one.name, "of": one.kind, "ms": _ms(one.seconds), "queries": one.queries}
                for one in self.pages
            ],
            "searches": [
                {
                    "filters": one.filters,
                    "value": one.value,
                    "page": one.place,
                    "ms": _ms(one.page),
                    "search_ms": _ms(one.read),
                    "queries": one.queries,
                    "found": one.found,
                    "gave_up": one.gave_up,
                }
                for one in self.searches
            ],
            "ingest": list(self.ingest),
        }


def filling_lines(report: Report) -> Iterator[str]:
    """Yield what loading and counting took, and the room on disk."""
    record = report.record()
    yield report.database
    for name in ("loaded", *record["counting"]):
        of = record["counting"].get(name, record["loaded"])
        if of:
            yield f"{name}: " + ", ".join(f"{key} {value:,}" for key, value in of.items())
    yield from ("", f"{'on disk':42} {'MB':>10}")
    yield from (
        f"{name:42} {size / 1e6:10,.1f}"
        for name, size in sorted(report.sizes.items(), key=lambda item: -item[1])
    )
    yield f"{'together':42} {sum(report.sizes.values()) / 1e6:10,.1f}"


def chart_lines(charts: Sequence[ChartTime]) -> Iterator[str]:
    """Yield the charts as a table; what takes longer than it may is marked."""
    if charts:
        yield from ("", f"{'chart':20} {'period':>6} {'ms':>9} {'raw ms':>11} {'ratio':>8}")
    for one in charts:
        said = " differs from the spans" * (not one.agree)
        said += " slow" * (one.counted > MOST_SECONDS)
        said += " more than a tenth" * (one.ratio > MOST_RATIO)
        yield (
            f"{one.chart:20} {one.period:>6} {_ms(one.counted):9.1f} {_ms(one.raw):11.1f} "
            f"{one.ratio:8.4f}{said}"
        )


def page_lines(pages: Sequence[PageTime]) -> Iterator[str]:
    """Yield the pages as a table."""
    if pages:
        yield from ("", f"{'page':24} {'of':20} {'ms':>9} {'queries':>8}")
    for one in pages:
        slow = " slow" * (one.seconds > MOST_SECONDS)
        yield f"{one.name:24} {one.kind:20} {_ms(one.seconds):9.1f} {one.queries:8}{slow}"


def search_lines(found: Sequence[SearchTime]) -> Iterator[str]:
    """Yield the searches as a table."""
    if found:
        yield (
            f"\n{'filters':32} {'value':7} {'page':6} {'ms':>9} {'search ms':>10} {'queries':>8} "
            f"{'found':>6}"
        )
    for one in found:
        said = " slow" * (one.page > MOST_SECONDS) + " gave up" * one.gave_up
        yield (
            f"{one.filters:32} {one.value:7} {one.place:6} {_ms(one.page):9.1f} "
            f"{_ms(one.read):10.1f} {one.queries:8} {one.found:6}{said}"
        )


def ingest_lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what the API took, a line each."""
    for one in rows:
        yield "ingest: " + ", ".join(f"{name} {value}" for name, value in one.items())


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)


def _loaded(loaded: Loaded | None) -> dict[str, Any]:
    if loaded is None:
        return {}
    return {
        "runs": loaded.runs,
        "spans": loaded.spans,
        "texts": loaded.texts,
        "calls": loaded.calls,
        "seconds": round(loaded.seconds, 1),
        "us_a_span": round(loaded.seconds / max(loaded.spans, 1) * 1e6, 1),
    }


def _counted(counted: Counted) -> dict[str, Any]:
    return {
        "spans": counted.spans,
        "seconds": round(counted.seconds, 1),
        "us_a_span": round(counted.microseconds, 1),
    }
