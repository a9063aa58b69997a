"""The time of one simulated run."""

from __future__ import annotations

from datetime import datetime, timedelta


class MonthOver(Exception):
    """What comes next would happen after the simulated month."""


class Clock:
    """Tells a run's ``now``, which never passes ``until``."""

    def __init__(self, *, begins: datetime, until: datetime) -> None:
        self.now = begins
        self._until = until

    def let_pass(self, time: timedelta) -> None:
        """Let time go by. Raises ``MonthOver`` where there is not so much left."""
        self.now += time
        if self.now > self._until:
            raise MonthOver
