"""What became of the calls that agents proposed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dashboard.metrics.counts import HourOf, named
from dashboard.metrics.shares import Share
from dashboard.metrics.tallies import added


@dataclass(frozen=True, slots=True)
class Calls:
    """Proposals by what was decided, those refused by reason, and results by status."""

    decided: Mapping[str, int]
    refused: Mapping[str, int]
    results: Mapping[str, int]

    @property
    def proposed(self) -> int:
        """Return how many calls were proposed."""
        return sum(self.decided.values())

    @property
    def refusals(self) -> Share:
        """Return the share of proposals that were refused."""
        return Share(self.decided.get("refused", 0), self.proposed)

    @property
    def successes(self) -> Share:
        """Return the share of results that are no error."""
        return Share(self.results.get("ok", 0), sum(self.results.values()))


def calls(rows: Iterable[HourOf]) -> Calls:
    """Add up the calls of hours."""
    total = added(rows)
    return Calls(
        decided=named(total, "decision"),
        refused=named(total, "refused"),
        results=named(total, "status"),
    )
