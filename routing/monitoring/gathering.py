"""Gather what ``/metrics`` answers, once in a few seconds for each of those who ask."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from time import monotonic

from catalog.models import Catalog
from routing.models import TotalCount
from routing.models.run import API
from routing.monitoring.counting import Counted, families_of
from routing.monitoring.exposition import exposition
from routing.monitoring.standing import Names, families_of_catalogs, families_of_installation

KEPT = 5.0
"""Seconds that an answer is good for: less than Prometheus waits between two scrapes, so that
counters of several processes do not fall."""
MOST_KEPT = 100


def gather(catalogs: Iterable[Catalog], *, now: datetime) -> str:
    """Return what was counted of some catalogs, and how they and the installation stand.

    Eight queries, whatever was counted, and however long ago.
    """
    names = {catalog.pk: catalog.name for catalog in catalogs}
    families = families_of_installation(now=now)
    families += families_of_catalogs(names, now=now)
    return exposition([*families, *families_of(_counted(names))])


def _counted(names: Names) -> list[Counted]:
    by_place: dict[tuple[str, str], Counted] = {}
    rows = TotalCount.objects.filter(catalog__in=names)
    found = rows.values_list("catalog", "source", "section", "counts")
    for pk, source, section, counts in found:
        place = names[pk], source
        by_place.setdefault(place, Counted(*place)).sections[section] = counts
    # What was never asked for counts nothing: a series that appears with its first event hides it.
    for name in names.values():
        by_place.setdefault((name, API), Counted(name))
    return [one for _place, one in sorted(by_place.items())]


@dataclass(frozen=True, slots=True)
class _Answer:
    until: float
    text: str


class Answers:
    """The answers of this process that are still good, by who asked."""

    def __init__(self, *, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._answers: dict[str, _Answer] = {}

    def of(self, who: str, make: Callable[[], str]) -> str:
        """Return an answer that is good, or make one; who asks at once waits for it."""
        with self._lock:
            answer = self._answers.get(who)
            if answer is None or answer.until <= self._clock():
                if len(self._answers) >= MOST_KEPT:
                    self._answers.clear()
                answer = _Answer(self._clock() + KEPT, make())
                self._answers[who] = answer
            return answer.text

    def forget(self) -> None:
        """Forget every answer."""
        with self._lock:
            self._answers.clear()


answers = Answers()
