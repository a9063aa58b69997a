"""What a rule of an alert is, and the rules that every catalog has unless it says otherwise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

WEEK = 7 * 24
"""A rise or a fall is against the same stretch so many hours before."""
LONGEST = WEEK
"""A rule looks back at most so many hours: further, and the week before would lie inside."""
MOST_IN_A_ROW = 24
MOST_RULES = 50
"""A catalog has at most so many rules of its own."""


class Metric(StrEnum):
    """What a rule measures.

    ``GROUPS`` per task and ``CONFIDENCE`` are means, ``LATENCY`` a 95th percentile in microseconds,
    ``TRAFFIC`` a number of selections that no simulation made; the others are shares, 0 to 1.
    ``ASKED`` is that of the group asked for most, ``COMPLETE`` that of complete selections among
    those with calls, ``SILENT`` that of silent failures among runs that ended.
    """

    GROUPS = "groups"
    EXPANSIONS = "expansions"
    ASKED = "asked"
    FALLBACKS = "fallbacks"
    CONFIDENCE = "confidence"
    COMPLETE = "complete"
    SILENT = "silent"
    REFUSALS = "refusals"
    LATENCY = "latency"
    TRAFFIC = "traffic"


SHARES = frozenset(
    {
        Metric.EXPANSIONS,
        Metric.ASKED,
        Metric.FALLBACKS,
        Metric.COMPLETE,
        Metric.SILENT,
        Metric.REFUSALS,
    }
)


class Comparison(StrEnum):
    """When a rule fires: over or under a level, or a part more or less than the week before."""

    ABOVE = "above"
    BELOW = "below"
    RISEN = "risen"
    FALLEN = "fallen"


RELATIVE = frozenset({Comparison.RISEN, Comparison.FALLEN})


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a catalog; ``key`` is its name there, ``title`` may be empty.

    It looks at the last ``window`` whole hours. ``level`` is where it fires and ``clear`` where it
    is over again, nearer to what is usual: in the unit of the metric, or as the part by which that
    has to rise or fall (0.1 is 10 %). It takes ``in_a_row`` hours that say so for either. Of fewer
    than ``minimum`` cases it says nothing.
    """

    key: str
    metric: Metric
    comparison: Comparison
    level: float
    clear: float
    window: int
    minimum: int
    in_a_row: int = 2
    enabled: bool = True
    title: str = ""

    @property
    def is_relative(self) -> bool:
        """Tell whether it compares with the week before."""
        return self.comparison in RELATIVE

    @property
    def is_upward(self) -> bool:
        """Tell whether more is what it warns of."""
        return self.comparison in (Comparison.ABOVE, Comparison.RISEN)


def is_in_order(rule: Rule) -> bool:
    """Tell whether a rule is over on the usual side of where it fires, so that it can be over."""
    if rule.is_relative:
        return 0 <= rule.clear <= rule.level
    return rule.clear <= rule.level if rule.is_upward else rule.clear >= rule.level


DEFAULTS: Sequence[Rule] = (
    Rule("groups", Metric.GROUPS, Comparison.RISEN, 0.1, 0.05, 72, 100),
    Rule("expansions", Metric.EXPANSIONS, Comparison.ABOVE, 0.3, 0.25, 24, 50),
    Rule("asked", Metric.ASKED, Comparison.ABOVE, 0.1, 0.08, 168, 100),
    Rule("fallbacks", Metric.FALLBACKS, Comparison.RISEN, 0.5, 0.25, 24, 50),
    Rule("confidence", Metric.CONFIDENCE, Comparison.FALLEN, 0.05, 0.03, 72, 100),
    Rule("complete", Metric.COMPLETE, Comparison.BELOW, 0.6, 0.65, 72, 50),
    Rule("silent", Metric.SILENT, Comparison.RISEN, 0.5, 0.25, 168, 100),
    Rule("refusals", Metric.REFUSALS, Comparison.RISEN, 0.5, 0.25, 72, 150),
    Rule("latency", Metric.LATENCY, Comparison.ABOVE, 100_000, 80_000, 6, 50),
    Rule("traffic", Metric.TRAFFIC, Comparison.BELOW, 1, 1, 6, 20, in_a_row=1),
)
"""Switched on in every catalog, until one of its rows with the same key says otherwise."""
DEFAULT_OF: Mapping[str, Rule] = {rule.key: rule for rule in DEFAULTS}
