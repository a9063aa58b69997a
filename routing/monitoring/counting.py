"""Families of what was counted, from counts of all time."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from routing.models.run import API
from routing.monitoring.exposition import Family, Kind, histogram
from routing.rollups.sections import MILLION, Section

SMALLEST, LARGEST = 8, 25
"""The buckets of latencies end at powers of two microseconds, as the bins do that are counted:
from 256 µs to 34 s."""

Counts = Mapping[str, int]


@dataclass(slots=True)
class Counted:
    """The counts of a catalog's traffic of one source, by section."""

    catalog: str
    source: str = API
    sections: dict[str, Counts] = field(default_factory=dict)

    def of(self, section: Section) -> Counts:
        """Return the counts of a section."""
        return self.sections.get(section, {})


# By the section and the key that they are counted under.
_PLAIN = (
    ("selections", "Selections answered.", Section.SELECTIONS, "n"),
    ("selections_explored", "Selections of runs that explore.", Section.SELECTIONS, "explored"),
    ("selections_expanded", "Selections that another group was asked for after.",
     Section.SELECTIONS, "expanded"),
    ("tokens_selected", "Tokens of the tools that selections served.",
     Section.SELECTIONS, "tokens_selected"),
    ("tokens_catalog", "Tokens that the same selections would have had with every tool.",
     Section.SELECTIONS, "tokens_catalog"),
    ("runs", "Runs.", Section.RUNS, "n"),
)  # fmt: skip
# By the label that what stands behind the prefix of a key becomes.
_LABELLED = (
    ("selections_decided", "Selections by the strategy that decided them.",
     Section.SELECTIONS, "decided:", "decided_by"),
    ("selection_fallbacks", "Selections that fell back, by the reason.",
     Section.SELECTIONS, "fallback:", "fallback"),
    ("calls", "Proposed calls by what was decided.", Section.CALLS, "decision:", "decision"),
    ("call_refusals", "Refused calls by the reason.", Section.CALLS, "refused:", "reason"),
    ("results", "Results of calls by their status.", Section.CALLS, "status:", "status"),
)  # fmt: skip


def families_of(counted: Iterable[Counted]) -> list[Family]:
    """Return what was counted as families: counters, but for the outcomes of runs."""
    counted = list(counted)
    families = [_plain(counted, *one) for one in _PLAIN]
    families += [_labelled(counted, *one) for one in _LABELLED]
    return [
        *families,
        _expansions(counted),
        _outcomes(counted),
        _confidence(counted),
        _durations(counted),
    ]


def _counter(name: str, said: str) -> Family:
    return Family(f"toolcrib_{name}_total", Kind.COUNTER, said)


def _plain(counted: Iterable[Counted], name: str, said: str, section: Section, key: str) -> Family:
    family = _counter(name, said)
    for one in counted:
        family.add(one.of(section).get(key, 0), catalog=one.catalog, source=one.source)
    return family


def _labelled(
    counted: Iterable[Counted], name: str, said: str, section: Section, prefix: str, label: str
) -> Family:
    family = _counter(name, said)
    for one in counted:
        for key, count in sorted(one.of(section).items()):
            if key.startswith(prefix):
                value = {label: key.removeprefix(prefix)}
                family.add(count, catalog=one.catalog, source=one.source, **value)
    return family


def _expansions(counted: Iterable[Counted]) -> Family:
    family = _counter("expansions", "Groups that were asked for after a selection.")
    for one in counted:
        asked = one.of(Section.ASKED)
        count = sum(count for key, count in asked.items() if key.startswith("group:"))
        family.add(count, catalog=one.catalog, source=one.source)
    return family


def _outcomes(counted: Iterable[Counted]) -> Family:
    """Return runs by outcome: no counter, since a run gets one, and may get another, later."""
    said = "Runs by their last outcome; open ones have none yet. A gauge: it may be corrected."
    family = Family("toolcrib_run_outcomes", Kind.GAUGE, said)
    for one in counted:
        for key, count in sorted(one.of(Section.RUNS).items()):
            if key.startswith("outcome:"):
                outcome = key.removeprefix("outcome:") or "open"
                family.add(count, catalog=one.catalog, source=one.source, outcome=outcome)
    return family


def _confidence(counted: Iterable[Counted]) -> Family:
    said = "Confidence, 0 to 1, of the selections that have an estimated one."
    family = Family("toolcrib_selection_confidence", Kind.SUMMARY, said)
    for one in counted:
        counts, labels = one.of(Section.SELECTIONS), {"catalog": one.catalog, "source": one.source}
        family.add(counts.get("confidence", 0) / MILLION, "_sum", **labels)
        family.add(counts.get("estimated", 0), "_count", **labels)
    return family


def _durations(counted: Iterable[Counted]) -> Family:
    said = "Seconds that selections took on the server. The sum is exact to 2 %."
    family = Family("toolcrib_selection_duration_seconds", Kind.HISTOGRAM, said)
    bounds = [(1 << power) / MILLION for power in range(SMALLEST, LARGEST + 1)]
    for one in counted:
        in_buckets: Counter[int] = Counter()
        total = 0.0
        for key, count in one.of(Section.LATENCY).items():
            low, _colon, width = key.partition(":")
            in_buckets[_bucket(int(low))] += count
            total += count * (int(low) + int(width) / 2)
        counts = [in_buckets[place] for place in range(len(bounds) + 1)]
        labels = {"catalog": one.catalog, "source": one.source}
        histogram(family, bounds=bounds, counts=counts, total=total / MILLION, **labels)
    return family


def _bucket(low: int) -> int:
    """Return the place of the bucket of a bin that begins at so many microseconds.

    No bin lies across a power of two. A duration of exactly a bound is counted above it, by less
    than its own microsecond.
    """
    return min(max(low.bit_length(), SMALLEST), LARGEST + 1) - SMALLEST
