"""What became of the calls that agents proposed."""

from collections.abc import Mapping
from dataclasses import dataclass

from dashboard.metrics.counts import named
from dashboard.metrics.shares import Share


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


def calls(total: Mapping[str, int]) -> Calls:
    """Return what the counts of calls say."""
    return Calls(
        decided=named(total, "decision"),
        refused=named(total, "refused"),
        results=named(total, "status"),
    )
