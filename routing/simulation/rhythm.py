"""When tasks arrive: by weekday and by the hour where their language is spoken."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from itertools import accumulate
from random import Random

_BY_WEEKDAY = (1.15, 1.05, 1.0, 1.0, 0.9, 0.2, 0.08)
# From midnight to midnight: a working day with its lunch, and a little at night.
_BY_HOUR = (
    *(0.02, 0.02, 0.01, 0.01, 0.01, 0.03, 0.1, 0.35, 0.9, 1.2, 1.3, 1.2),
    *(0.8, 0.7, 1.0, 1.2, 1.1, 0.9, 0.5, 0.25, 0.12, 0.08, 0.05, 0.03),
)
# Madrid and Monterrey, London and São Paulo, said as one offset a language.
_UTC_OFFSETS: Mapping[str, int] = {"en": 0, "es": 1, "pt": -3}
_GROWTH = 0.15
"""How much busier the last day is than the first."""


class Rhythm:
    """Draws the times at which tasks of one language arrive between two moments."""

    def __init__(self, *, language: str, start: datetime, end: datetime) -> None:
        """Raise ``ValueError`` where less than an hour lies between ``start`` and ``end``."""
        hours = int((end - start) / timedelta(hours=1))
        if hours < 1:
            raise ValueError("Traffic needs an hour at least.")
        self._hours = [start + timedelta(hours=hour) for hour in range(hours)]
        ahead = timedelta(hours=_UTC_OFFSETS[language])
        self._cumulated = list(
            accumulate(
                _weight(at + ahead) * (1 + _GROWTH * place / hours)
                for place, at in enumerate(self._hours)
            )
        )

    def draw(self, random: Random) -> datetime:
        """Return one time, to the second."""
        hour = random.choices(self._hours, cum_weights=self._cumulated)[0]
        return hour + timedelta(seconds=random.randrange(3600))


def _weight(local: datetime) -> float:
    return _BY_WEEKDAY[local.weekday()] * _BY_HOUR[local.hour]
