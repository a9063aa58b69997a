"""Keep counts by the hour, and their sums by the day, by the week and of all time."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from routing.models import DailyCount, HourlyCount, TotalCount, WeeklyCount
from routing.rollups.sections import HOURS_A_DAY, HOURS_A_WEEK, Section

Place = tuple[int, str, int, str]
"""A catalog, a section, an hour (or a day, a week, 0) and a source: one row of counts."""
Totals = dict[Place, Counter[str]]
Row = HourlyCount | DailyCount | WeeklyCount | TotalCount


@dataclass(frozen=True, slots=True)
class Table:
    """Where counts of hours are kept, or of days or weeks, or of all hours.

    ``time`` is the column that says of which; sections that are not among ``sections`` are not kept
    there.
    """

    model: type[Row]
    time: str
    hours: int
    sections: frozenset[str] = field(default=frozenset(Section))

    def sums(self, by_hour: Totals) -> Totals:
        """Return what counts by the hour add up to here, without what adds up to nothing."""
        sums: Totals = defaultdict(Counter)
        for (catalog, section, hour, source), counts in by_hour.items():
            if section not in self.sections:
                continue
            total = sums[catalog, section, hour // self.hours, source]
            for key, count in counts.items():
                total[key] += count
        return {place: counts for place, counts in sums.items() if any(counts.values())}

    def place(self, row: Row) -> Place:
        """Return what a row counts."""
        return row.catalog_id, row.section, getattr(row, self.time), row.source

    def add(self, totals: Totals) -> None:
        """Add to rows, and write those that are not there yet."""
        missing = dict(totals)
        known = [row for row in self._rows(totals) if self.place(row) in totals]
        for row in known:
            row.counts = _summed(row.counts, missing.pop(self.place(row)))
        self._all.bulk_update(known, ["counts"], batch_size=200)
        self._create(missing)

    def replace(self, totals: Totals) -> None:
        """Put counts in the place of all that are here."""
        self._all.all().delete()
        self._create(totals)

    def replace_before(self, time: int, totals: Totals, *, section: str) -> None:
        """Put counts in the place of those of a section before a time."""
        self._all.filter(section=section, **{f"{self.time}__lt": time}).delete()
        self._create(totals)

    @property
    def _all(self) -> Any:
        return self.model._default_manager  # noqa: SLF001 - Django's public name

    def _create(self, totals: Totals) -> None:
        self._all.bulk_create(
            (
                self.model(
                    catalog_id=catalog,
                    section=section,
                    source=source,
                    counts=_summed({}, counts),
                    **{self.time: time},
                )
                for (catalog, section, time, source), counts in totals.items()
            ),
            batch_size=1_000,
        )

    def _rows(self, places: Iterable[Place]) -> Iterator[Row]:
        """Yield the rows of some places, and others of the same sections and times."""
        times: dict[tuple[int, str], set[int]] = defaultdict(set)
        for catalog, section, time, _source in places:
            times[catalog, section].add(time)
        for (catalog, section), of_section in times.items():
            wanted = {f"{self.time}__in": of_section}
            yield from self._all.filter(catalog=catalog, section=section, **wanted)


HOURS = Table(HourlyCount, "hour", 1)
DAYS = Table(DailyCount, "day", HOURS_A_DAY)
# Facts are looked up by the hour, and never added up over longer than a day.
WEEKS = Table(WeeklyCount, "week", HOURS_A_WEEK, frozenset(set(Section) - {Section.FACTS}))
# What monitoring reads: one row of each section, however old the installation is. What has a count
# of every tool or run is left out.
EVER = Table(
    TotalCount,
    "era",
    1 << 40,
    frozenset({Section.SELECTIONS, Section.LATENCY, Section.ASKED, Section.CALLS, Section.RUNS}),
)
_TABLES = (HOURS, DAYS, WEEKS, EVER)


def add(totals: Totals) -> None:
    """Add counts by the hour to what is kept; the caller holds the mark."""
    for table in _TABLES:
        table.add(table.sums(totals))


def replace(totals: Totals) -> None:
    """Put counts by the hour in the place of all that is kept."""
    for table in _TABLES:
        table.replace(table.sums(totals))


def kept_before(hour: int) -> Totals:
    """Return the counts by the hour of before an hour, but for what is so of runs of then."""
    rows = HourlyCount.objects.filter(hour__lt=hour).exclude(section=Section.FACTS)
    return {HOURS.place(row): Counter(row.counts) for row in rows.iterator(chunk_size=1_000)}


def replace_section(section: Section, totals: Totals, *, before: int) -> None:
    """Put counts by the hour in the place of those of a section before an hour, a day's first.

    Of a section that weeks are kept of, the hour has to be a week's first.
    """
    for table in _TABLES:
        if section in table.sections:
            table.replace_before(before // table.hours, table.sums(totals), section=section)


def _summed(before: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    summed = Counter(before)
    for key, count in more.items():
        summed[key] += count
    return {key: count for key, count in sorted(summed.items()) if count}
