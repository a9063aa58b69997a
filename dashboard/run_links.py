"""Links to the runs behind a number: the list of runs with filters in its URL."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from django.urls import reverse

from dashboard.metrics.periods import Period, moment


@dataclass(frozen=True)
class RunLinks:
    """Makes links to the runs of one catalog that began in a period.

    Without a catalog, where the numbers are of several, every link is empty.
    """

    catalog: str
    period: Period
    simulated: bool = True

    @cached_property
    def _path(self) -> str:
        return reverse("dashboard:runs", kwargs={"catalog": self.catalog})

    def of(self, **filters: str | float) -> str:
        """Return the link to the runs of the period to which ``filters`` apply."""
        return self._between(self.period.start, self.period.end, filters)

    def by_bucket(self, **filters: str | float) -> Sequence[str]:
        """Return the link to the runs of each bucket; nothing without a catalog."""
        if not self.catalog:
            return ()
        starts = self.period.starts
        ends = (*starts[1:], self.period.end)
        return [
            self._between(start, max(end, start), filters)
            for start, end in zip(starts, ends, strict=True)
        ]

    def _between(self, start: int, end: int, filters: dict[str, str | float]) -> str:
        if not self.catalog:
            return ""
        zone = self.period.zone
        query: dict[str, str | float] = {
            "from": moment(start, zone=zone).isoformat(timespec="minutes"),
            "to": moment(end, zone=zone).isoformat(timespec="minutes"),
            **filters,
        }
        if not self.simulated:
            query["simulated"] = "0"
        return f"{self._path}?{urlencode(query)}"
