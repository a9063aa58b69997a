"""What the counts of many hours add up to, and the shares and means of it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dashboard.metrics.counts import ConfidenceHour, ExpandedHour, RunCount, SelectionHour
from dashboard.metrics.hourly import CONFIDENCE_BINS
from dashboard.metrics.quantiles import Bin, quantile


@dataclass(frozen=True, slots=True)
class Tally:
    """Selections counted together; a mean or a share of none is ``None``.

    The counts are those of ``SelectionHour`` and ``ExpandedHour``. Shares are 0 to 1.
    """

    selections: int = 0
    confident: int = 0
    confidence_sum: float = 0.0
    opened: int = 0
    groups: int = 0
    tokens_selected: int = 0
    tokens_catalog: int = 0
    fallbacks: Mapping[str, int] = field(default_factory=dict)
    decided_by: Mapping[str, int] = field(default_factory=dict)
    expanded: int = 0
    unopened: int = 0
    more_groups: int = 0
    more_tokens: int = 0

    @property
    def mean_confidence(self) -> float | None:
        """Return the mean of the estimated confidences."""
        return _ratio(self.confidence_sum, self.confident)

    @property
    def fallback_count(self) -> int:
        """Return how many selections were not what their strategy proposed."""
        return sum(self.fallbacks.values())

    @property
    def fallback_share(self) -> float | None:
        """Return the share of selections that fell back."""
        return _ratio(self.fallback_count, self.selections)

    @property
    def groups_selected(self) -> float | None:
        """Return the groups selected at first, on average over selections with any in the end."""
        return _ratio(self.groups, self.opened + self.unopened)

    @property
    def groups_per_task(self) -> float | None:
        """Return the groups open in the end, those asked for too, over the same selections."""
        return _ratio(self.groups + self.more_groups, self.opened + self.unopened)

    @property
    def expansion_rate(self) -> float | None:
        """Return the share of selections that were followed by ``request_group``."""
        return _ratio(self.expanded, self.selections)

    @property
    def tokens_saved(self) -> int:
        """Return the tokens of definitions that agents did not carry, expansions counted."""
        return self.tokens_catalog - self.tokens_selected - self.more_tokens

    @property
    def tokens_saved_share(self) -> float | None:
        """Return the share of the tokens that offering everything would have cost."""
        return _ratio(self.tokens_saved, self.tokens_catalog)


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs that began in a period, by their last outcome; "" is none yet."""

    by_outcome: Mapping[str, int]
    silent: int

    @property
    def began(self) -> int:
        """Return how many runs began."""
        return sum(self.by_outcome.values())

    @property
    def ended(self) -> int:
        """Return how many have an outcome."""
        return self.began - self.by_outcome.get("", 0)

    @property
    def solved_share(self) -> float | None:
        """Return the share of solved runs among those that ended."""
        return _ratio(self.by_outcome.get("solved", 0), self.ended)

    @property
    def silent_share(self) -> float | None:
        """Return the share that failed without asking for a group, among those that ended."""
        return _ratio(self.silent, self.ended)


@dataclass(frozen=True, slots=True)
class Confidences:
    """Estimated confidences by bin of 1/20: of answers as proposed, and of fallbacks."""

    served: tuple[int, ...]
    fell_back: tuple[int, ...]

    def quantile(self, share: float) -> float | None:
        """Return the confidence that ``share`` of the selections lie below."""
        return quantile(
            (
                Bin(low=n / CONFIDENCE_BINS, high=(n + 1) / CONFIDENCE_BINS, count=served + back)
                for n, (served, back) in enumerate(zip(self.served, self.fell_back, strict=True))
            ),
            share=share,
        )


def tally(rows: Sequence[SelectionHour], expanded: Sequence[ExpandedHour]) -> Tally:
    """Add up the counts of hours."""
    return Tally(
        selections=sum(row.selections for row in rows),
        confident=sum(row.confident for row in rows),
        confidence_sum=sum(row.confidence_sum for row in rows),
        opened=sum(row.opened for row in rows),
        groups=sum(row.groups for row in rows),
        tokens_selected=sum(row.tokens_selected for row in rows),
        tokens_catalog=sum(row.tokens_catalog for row in rows),
        fallbacks=_total(row.fallbacks for row in rows),
        decided_by=_total(row.decided_by for row in rows),
        expanded=sum(row.expanded for row in expanded),
        unopened=sum(row.unopened for row in expanded),
        more_groups=sum(row.groups for row in expanded),
        more_tokens=sum(row.tokens for row in expanded),
    )


def runs(counts: Iterable[RunCount]) -> Runs:
    """Add up runs; an outcome may come more than once."""
    counts = list(counts)
    return Runs(
        by_outcome=_total({row.outcome: row.count} for row in counts),
        silent=sum(row.silent for row in counts),
    )


def confidences(rows: Iterable[ConfidenceHour]) -> Confidences:
    """Add up the confidences of hours by bin."""
    served, fell_back = [0] * CONFIDENCE_BINS, [0] * CONFIDENCE_BINS
    for row in rows:
        (fell_back if row.fell_back else served)[row.bin] += row.count
    return Confidences(served=tuple(served), fell_back=tuple(fell_back))


def _total(counts: Iterable[Mapping[str, int]]) -> Mapping[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(total)


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
