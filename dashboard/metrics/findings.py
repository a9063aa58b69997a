"""What counts say should change: pure, and only where chance is no likely reason."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from dashboard.metrics.asking import pairs_of
from dashboard.metrics.counts import named
from dashboard.metrics.shares import Share

OFTEN = 0.2
"""A group is asked for often if the lower end of the share's interval is at least this."""
HARDLY = 0.05
"""A tool is never used if, with no use at all, the upper end of the interval is under this."""
MOSTLY = 0.5


@dataclass(frozen=True, slots=True)
class AskedOften:
    """Of the runs whose first selection served ``origin``, many asked for ``asked``."""

    origin: str
    asked: str
    share: Share

    @property
    def key(self) -> str:
        """Return what names the finding in a form."""
        return f"asked:{self.origin}>{self.asked}"


@dataclass(frozen=True, slots=True)
class NeverUsed:
    """A tool that was offered often, and that nobody as much as proposed to call."""

    tool: str
    share: Share

    @property
    def key(self) -> str:
        """Return what names the finding in a form."""
        return f"unused:{self.tool}"


@dataclass(frozen=True, slots=True)
class MostlyAdded:
    """Of a tool's calls, most were of a tool that only an expansion had offered."""

    tool: str
    share: Share

    @property
    def key(self) -> str:
        """Return what names the finding in a form."""
        return f"added:{self.tool}"


Finding = AskedOften | NeverUsed | MostlyAdded


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings, the surest first; ``few`` are pairs that would be one with more runs."""

    found: tuple[Finding, ...]
    few: int


def findings(
    *,
    began: Mapping[str, int],
    tools: Mapping[str, int],
    spared: Collection[str] = (),
) -> Findings:
    """Return what a period's counts of two sections say.

    ``spared`` are tools that ride along whatever the task: that they are not used is no finding.
    """
    asked, few = _asked_often(began)
    return Findings(found=(*asked, *_mostly_added(tools), *_never_used(tools, spared)), few=few)


def _asked_often(began: Mapping[str, int]) -> tuple[list[AskedOften], int]:
    runs = named(began, "runs")
    pairs = [
        AskedOften(origin, asked, Share(count, runs.get(origin, 0)))
        for (origin, asked), count in pairs_of(began).items()
        if origin
    ]
    few = sum(1 for one in pairs if one.share.is_few and (one.share.value or 0) >= OFTEN)
    found = [one for one in pairs if not one.share.is_few and one.share.low >= OFTEN]
    return sorted(found, key=lambda one: (-one.share.low, one.origin, one.asked)), few


def _mostly_added(tools: Mapping[str, int]) -> list[MostlyAdded]:
    used, added = named(tools, "used"), named(tools, "used_added")
    all_used = [MostlyAdded(tool, Share(added.get(tool, 0), count)) for tool, count in used.items()]
    found = [one for one in all_used if not one.share.is_few and one.share.low >= MOSTLY]
    return sorted(found, key=lambda one: (-one.share.low, one.tool))


def _never_used(tools: Mapping[str, int], spared: Collection[str]) -> list[NeverUsed]:
    wanted = {*named(tools, "tried"), *named(tools, "missed"), *spared}
    offered = named(tools, "offered")
    all_unused = [
        NeverUsed(tool, Share(0, count)) for tool, count in offered.items() if tool not in wanted
    ]
    found = [one for one in all_unused if not one.share.is_few and one.share.high <= HARDLY]
    return sorted(found, key=lambda one: (-one.share.whole, one.tool))
