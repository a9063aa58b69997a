"""What is counted by the hour, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HourOf:
    """The counts of one section of an hour, of one source, by key."""

    hour: int
    source: str
    counts: Mapping[str, int]

    def named(self, kind: str) -> dict[str, int]:
        """Return the counts of keys ``<kind>:<name>``, by name."""
        return named(self.counts, kind)


def named(counts: Mapping[str, int], kind: str) -> dict[str, int]:
    """Return the counts of keys ``<kind>:<name>``, by name."""
    start = f"{kind}:"
    return {key[len(start) :]: count for key, count in counts.items() if key.startswith(start)}
