"""Whether confidences mean what they say, by the one label of completeness."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.metrics.shares import Share
from routing.rollups.sections import CONFIDENCE_BINS, MILLION

BINS = 10
_OF_COUNTED = CONFIDENCE_BINS // BINS


@dataclass(frozen=True, slots=True)
class Bin:
    """Labelled selections with a confidence of at least ``low`` and below ``high``.

    Those that served the default tools instead of what was proposed are not among them. ``stated``
    is their mean confidence, ``None`` where there is none.
    """

    low: float
    high: float
    complete: Share
    stated: float | None


def reliability(counts: Counter[str]) -> Sequence[Bin]:
    """Return the bins of a period's counts of confidences, lowest first."""
    return [_bin(counts, number) for number in range(BINS)]


def calibration_error(bins: Sequence[Bin]) -> float | None:
    """Return the expected calibration error, 0 to 1.

    The mean distance of stated confidence and observed share over the bins, weighted by their
    cases. Naeini, Cooper and Hauskrecht, "Obtaining Well Calibrated Probabilities Using Bayesian
    Binning" (AAAI 2015). ``None`` without a labelled case.
    """
    meant = [one for one in bins if one.complete.whole]
    cases = sum(one.complete.whole for one in meant)
    if not cases:
        return None
    return sum(_distance(one) * one.complete.whole for one in meant) / cases


def _distance(one: Bin) -> float:
    return abs((one.complete.value or 0.0) - (one.stated or 0.0))


def _bin(counts: Counter[str], number: int) -> Bin:
    def total(kind: str) -> int:
        first = number * _OF_COUNTED
        return sum(counts[f"{kind}:{at}"] for at in range(first, first + _OF_COUNTED))

    labelled = total("labelled")
    return Bin(
        low=number / BINS,
        high=(number + 1) / BINS,
        complete=Share(total("complete"), labelled),
        stated=total("sum") / MILLION / labelled if labelled else None,
    )
