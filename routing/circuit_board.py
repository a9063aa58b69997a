"""How the circuits of each catalog stand, as a process knows it: read at most about once a second.

What another process changes is known here within ``AGE``; what this one changes, at once.
"""

import threading
from collections.abc import Callable
from time import monotonic

from routing.models import Circuit
from routing.policy.circuits import Opening, Standing

AGE = 0.8
"""Seconds that a reading is used for: less than one, since answering takes its time too."""


def read_standing(catalog_id: int) -> Standing:
    """Read the circuits of a catalog that are not closed. One read."""
    rows = Circuit.objects.unclosed().filter(catalog_id=catalog_id).order_by("id")
    return Standing(tuple(opening_of(row) for row in rows))


def opening_of(row: Circuit) -> Opening:
    """Return a row as a value."""
    return Opening(
        pk=row.pk,
        kind=row.kind,
        target=row.target,
        by_hand=row.by_hand,
        until=row.until,
        openings=row.openings,
        probe_until=row.probe_until,
    )


class _Place:
    """What is known of one catalog. ``drops`` counts what was put away."""

    def __init__(self) -> None:
        self.reading = threading.Lock()
        self.kept: tuple[float, Standing] | None = None
        self.drops = 0


class CircuitBoard:
    """The readings of one process. ``clock`` tells seconds and never goes back."""

    def __init__(
        self,
        *,
        read: Callable[[int], Standing] = read_standing,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._read = read
        self._clock = clock
        self._places: dict[int, _Place] = {}
        self._lock = threading.Lock()

    def standing(self, catalog_id: int) -> Standing:
        """Return how the circuits of a catalog stand; threads that miss it together read once."""
        place = self._place(catalog_id)
        standing = self._fresh(place)
        if standing is not None:
            return standing
        with place.reading:
            standing = self._fresh(place)
            if standing is not None:
                return standing
            began, drops = self._clock(), place.drops
            standing = self._read(catalog_id)
            with self._lock:
                # What was dropped meanwhile may have changed after it was read.
                if place.drops == drops:
                    place.kept = (began, standing)
        return standing

    def drop(self, catalog_id: int) -> None:
        """Forget a reading: it is known to be out of date."""
        place = self._place(catalog_id)
        with self._lock:
            place.kept = None
            place.drops += 1

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._places.clear()

    def _place(self, catalog_id: int) -> _Place:
        place = self._places.get(catalog_id)
        return place or self._places.setdefault(catalog_id, _Place())

    def _fresh(self, place: _Place) -> Standing | None:
        kept = place.kept
        if kept is None or self._clock() - kept[0] >= AGE:
            return None
        return kept[1]


board = CircuitBoard()
