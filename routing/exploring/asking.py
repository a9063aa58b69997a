"""What runs are looked for by: a value that a URL can carry, and the facts that it asks for."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from routing.rollups.sections import CONFIDENCE_BINS, confidence_bin

ANY = "any"
"""Of fallbacks and refusals: whichever."""
UNFINISHED = "unfinished"
"""The outcome to ask for where none was told."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Runs of a catalog that began from ``since`` on and before ``until``; empty asks for nothing.

    Each field is of some selection, call or result of the run, not all of the same one. ``group``
    was served, ``began`` by the first selection, ``asked_group`` was asked for; ``tool`` was
    called, ``missed`` was called and had not been offered. ``releases`` are ids, one of which a
    selection was made by, ``None`` any. ``text`` is part of a task. Confidences are estimated
    ones, both ends included. Without ``simulated`` what a simulation made is left out.
    """

    catalog: int
    since: datetime
    until: datetime
    outcome: str = ""
    simulated: bool = True
    route: str = ""
    key: int = 0
    releases: tuple[int, ...] | None = None
    group: str = ""
    began: str = ""
    asked_group: str = ""
    tool: str = ""
    missed: str = ""
    strategy: str = ""
    decided_by: str = ""
    fallback: str = ""
    refused: str = ""
    decision: str = ""
    status: str = ""
    min_confidence: float | None = None
    max_confidence: float | None = None
    expanded: bool = False
    silent: bool = False
    explored: bool = False
    text: str = ""

    @property
    def by_steps(self) -> bool:
        """Tell whether something is asked for that only steps of a run can tell.

        Otherwise runs count that began and never selected, of which nothing is counted.
        """
        return bool(self.text or self.route or self.key or self.facts())

    def facts(self) -> tuple[tuple[str, ...], ...]:
        """Return what has to be so of a run, as ``Section.FACTS`` counts it.

        Of each tuple one fact has to be; one that ends in ``:*`` stands for all that begin so. That
        is necessary and not enough: routes, keys and texts have no counts, and confidences are
        counted by bin.
        """
        return tuple(self._facts())

    def _facts(self) -> Iterator[tuple[str, ...]]:
        named = (
            ("group", self.group),
            ("began", self.began),
            ("asked", self.asked_group),
            ("called", self.tool),
            ("missed", self.missed),
            ("strategy", self.strategy),
            ("decided", self.decided_by),
            ("decision", self.decision),
            ("status", self.status),
        )
        yield from ((f"{kind}:{name}",) for kind, name in named if name)
        for kind in ("expanded", "silent", "explored"):
            if getattr(self, kind):
                yield (kind,)
        if self.refused:
            yield ("decision:refused",) if self.refused == ANY else (f"refused:{self.refused}",)
        if self.fallback:
            yield ("fallback:*",) if self.fallback == ANY else (f"fallback:{self.fallback}",)
        if self.releases is not None:
            yield tuple(f"release:{pk}" for pk in self.releases)
        if self.min_confidence is not None or self.max_confidence is not None:
            low = confidence_bin(self.min_confidence or 0.0)
            high = CONFIDENCE_BINS - 1
            if self.max_confidence is not None:
                high = confidence_bin(self.max_confidence)
            yield tuple(f"confidence:{number}" for number in range(low, high + 1))
