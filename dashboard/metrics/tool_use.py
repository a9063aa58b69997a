"""What was offered and what of it agents used, by tool."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dashboard.metrics.both import Both
from dashboard.metrics.counts import named
from dashboard.metrics.shares import FEW, Share

OFTEN = 0.5
"""A share of calls that certainly is this large is said to be most of them."""


class Remark(StrEnum):
    """What stands out of a tool's use."""

    NEVER_USED = "never_used"
    MOSTLY_ADDED = "mostly_added"
    MISSED = "missed"
    NEVER_OFFERED = "never_offered"


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool in a period; ``used_before`` is what ``used`` was in the one before.

    Selections that ``offered`` it, expansions that ``added`` it, allowed calls that ``used`` it,
    those of them that only an expansion had offered (``used_added``), and calls that were refused
    since nothing had (``missed``). ``tried`` are all others that were proposed, allowed or not.
    """

    name: str
    offered: int = 0
    added: int = 0
    used: int = 0
    used_added: int = 0
    missed: int = 0
    tried: int = 0
    used_before: int = 0

    @property
    def only_added(self) -> Share:
        """Return the share of its calls that only an expansion had offered."""
        return Share(self.used_added, self.used)

    @property
    def not_offered(self) -> Share:
        """Return the share of what agents wanted of it that nothing had offered."""
        return Share(self.missed, self.used + self.missed)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Return what stands out, as far as there are cases enough to say so."""
        return tuple(self._remarks())

    def _remarks(self) -> Iterator[Remark]:
        if not self.offered + self.added + self.missed + self.used:
            yield Remark.NEVER_OFFERED
        # One that was proposed and refused is wanted, as advice sees it too.
        is_wanted = self.used or self.tried or self.missed
        if not is_wanted and self.offered + self.added >= FEW:
            yield Remark.NEVER_USED
        if not self.only_added.is_few and self.only_added.low >= OFTEN:
            yield Remark.MOSTLY_ADDED
        if not self.not_offered.is_few and self.not_offered.low >= OFTEN:
            yield Remark.MISSED


def tool_uses(tools: Both, *, known: Collection[str] = ()) -> Sequence[ToolUse]:
    """Return each tool of a period, what stands out first, then the most used.

    ``known`` are names of tools that are listed even where nothing was counted.
    """
    now, before = tools.totals()
    offered, added, used = named(now, "offered"), named(now, "added"), named(now, "used")
    used_added, missed = named(now, "used_added"), named(now, "missed")
    tried = named(now, "tried")
    used_before = named(before, "used")
    names = {*known, *offered, *added, *used, *missed}
    uses = [
        ToolUse(
            name=name,
            offered=offered.get(name, 0),
            added=added.get(name, 0),
            used=used.get(name, 0),
            used_added=used_added.get(name, 0),
            missed=missed.get(name, 0),
            tried=tried.get(name, 0),
            used_before=used_before.get(name, 0),
        )
        for name in names
    ]
    return sorted(uses, key=lambda one: (not one.remarks, -one.used, -one.offered, one.name))


def remark_counts(uses: Sequence[ToolUse]) -> Mapping[Remark, int]:
    """Return of how many tools each remark is made."""
    counted = Counter(remark for use in uses for remark in use.remarks)
    return {remark: counted[remark] for remark in Remark}
