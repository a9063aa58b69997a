"""How far chance alone could have moved what was counted: 95 % intervals. Pure."""

from collections.abc import Iterable, Sequence
from math import exp, inf, log, sqrt

from dashboard.metrics.quantiles import Bin, quantile

Interval = tuple[float, float]
_Z = 1.959964
"""Standard errors of a normal distribution that hold 95 % of it."""
FEWEST_HOURS = 4
"""A mean over fewer hours with anything in them has no interval: they could be of one event."""


def mean_interval(hours: Sequence[tuple[float, int]]) -> Interval:
    """Return the interval of the mean over hours of (sum, number); of too few hours, all there is.

    Cases of one hour are alike, so that hours, not cases, are what is independent: the variance of
    a ratio over clusters. W. G. Cochran, "Sampling Techniques" (1977), 6.3.
    """
    filled = [(total, number) for total, number in hours if number]
    count, cases = len(filled), sum(number for _total, number in filled)
    if count < FEWEST_HOURS:
        return -inf, inf
    mean = sum(total for total, _number in filled) / cases
    spread = sum((total - mean * number) ** 2 for total, number in filled)
    reach = _Z * sqrt(spread * count / (count - 1)) / cases
    return mean - reach, mean + reach


def count_interval(count: float) -> Interval:
    """Return the interval of a Poisson mean of which ``count`` was seen, by Byar's approximation.

    N. E. Breslow and N. E. Day, "Statistical Methods in Cancer Research" 2 (1987), 2.3.
    """
    low = count * (1 - 1 / (9 * count) - _Z / (3 * sqrt(count))) ** 3 if count else 0.0
    more = count + 1
    return max(low, 0.0), more * (1 - 1 / (9 * more) + _Z / (3 * sqrt(more))) ** 3


def quantile_interval(bins: Iterable[Bin], *, share: float) -> Interval:
    """Return the interval of a quantile: the values at the ranks that chance may have put there.

    W. J. Conover, "Practical Nonparametric Statistics" (1999), 3.2, by the normal approximation.
    """
    filled = [one for one in bins if one.count]
    cases = sum(one.count for one in filled)
    if not cases:
        return 0.0, inf
    reach = _Z * sqrt(share * (1 - share) / cases)
    if share + reach >= 1:
        # Of so few the highest that was seen bounds nothing.
        return quantile(filled, share=max(share - reach, 0.0)) or 0.0, inf
    low = quantile(filled, share=max(share - reach, 0.0))
    return low or 0.0, quantile(filled, share=share + reach) or inf


def ratio_interval(now: float, of_now: Interval, before: float, of_before: Interval) -> Interval:
    """Return the interval of ``now / before`` from their own intervals; none is under zero.

    On the scale of logarithms, by the recovery of variances. G. Y. Zou and A. Donner,
    "Construction of confidence limits about effect measures", Statistics in Medicine 27 (2008).
    Where one of the two is nothing, the intervals' ends are divided, which is wider.
    """
    (low, high), (low_before, high_before) = of_now, of_before
    if min(now, before, low, low_before) <= 0 or inf in (high, high_before):
        least = max(low, 0.0) / high_before if 0 < high_before < inf else 0.0
        most = high / low_before if low_before > 0 else inf
        return least, most
    middle = log(now) - log(before)
    down = sqrt((log(now) - log(low)) ** 2 + (log(high_before) - log(before)) ** 2)
    up = sqrt((log(high) - log(now)) ** 2 + (log(before) - log(low_before)) ** 2)
    return exp(middle - down), exp(middle + up)
