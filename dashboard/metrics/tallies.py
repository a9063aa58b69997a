"""What counts say in sum, and the shares and means of it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from dashboard.metrics.counts import named
from dashboard.metrics.quantiles import Bin, quantile
from dashboard.metrics.shares import Share
from routing.rollups.sections import CONFIDENCE_BINS, MILLION


@dataclass(frozen=True, slots=True)
class Tally:
    """Selections counted together; a mean or a share of none is ``None``.

    ``confident`` of them have an estimated confidence, which add up to ``confidence_sum``; those
    decided by a rule have an assumed one and count in neither. ``opened`` of them served groups, of
    which there were ``groups`` together. ``expanded`` were followed by ``request_group``,
    ``unopened`` of these had served no group of their own; ``more_groups`` and ``more_tokens`` are
    what all expansions added. ``offered`` are tools. ``complete`` and ``incomplete`` are those with
    calls, by the one label: whether they had offered every tool that was called. Shares are 0 to 1.
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
    offered: int = 0
    complete: int = 0
    incomplete: int = 0

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
    def coverage(self) -> Share:
        """Return the share of complete selections among those with calls."""
        return Share(self.complete, self.complete + self.incomplete)

    @property
    def mean_size(self) -> float | None:
        """Return the tools that a selection offered, on average."""
        return _ratio(self.offered, self.selections)

    @property
    def tokens_carried(self) -> int:
        """Return the tokens of definitions that agents did carry, expansions counted."""
        return self.tokens_selected + self.more_tokens

    @property
    def tokens_saved(self) -> int:
        """Return the tokens of definitions that agents did not carry, expansions counted."""
        return self.tokens_catalog - self.tokens_carried

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

    @property
    def count(self) -> int:
        """Return how many there are."""
        return sum(self.served) + sum(self.fell_back)

    def quantile(self, share: float) -> float | None:
        """Return the confidence that ``share`` of the selections lie below."""
        return quantile(
            (
                Bin(low=n / CONFIDENCE_BINS, high=(n + 1) / CONFIDENCE_BINS, count=served + back)
                for n, (served, back) in enumerate(zip(self.served, self.fell_back, strict=True))
            ),
            share=share,
        )


def tally(total: Counter[str]) -> Tally:
    """Return what the counts of selections say."""
    return Tally(
        selections=total["n"],
        confident=total["estimated"],
        confidence_sum=total["confidence"] / MILLION,
        opened=total["opened"],
        groups=total["groups"],
        tokens_selected=total["tokens_selected"],
        tokens_catalog=total["tokens_catalog"],
        fallbacks=named(total, "fallback"),
        decided_by=named(total, "decided"),
        expanded=total["expanded"],
        unopened=total["unopened"],
        more_groups=total["more_groups"],
        more_tokens=total["more_tokens"],
        offered=total["offered"],
        complete=total["complete"],
        incomplete=total["incomplete"],
    )


def runs(total: Counter[str]) -> Runs:
    """Return what the counts of runs say."""
    return Runs(by_outcome=named(total, "outcome"), silent=total["silent"])


def confidences(total: Counter[str]) -> Confidences:
    """Return the counts of confidences by bin."""
    bins = range(CONFIDENCE_BINS)
    return Confidences(
        served=tuple(total[f"served:{number}"] for number in bins),
        fell_back=tuple(total[f"fell:{number}"] for number in bins),
    )


def latencies(total: Mapping[str, int]) -> list[Bin]:
    """Return the counts of latencies by bin, in microseconds."""
    bins = []
    for key, count in total.items():
        low, high = _edges(key)
        bins.append(Bin(low, high, count))
    return bins


@lru_cache(maxsize=2_000)
def _edges(key: str) -> tuple[int, int]:
    """Return where the bin of a key begins and ends. There are some 600."""
    low, _, width = key.partition(":")
    return int(low), int(low) + int(width)


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
