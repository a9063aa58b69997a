"""Many numbers at once as a language writes them, without asking for its signs each time."""

from functools import lru_cache

from django.utils.formats import get_format
from django.utils.translation import get_language


class Numerals:
    """How a language writes numbers: the sign before decimals, and the one between thousands."""

    def __init__(self, *, decimal: str, thousand: str) -> None:
        self._signs = str.maketrans({",": thousand, ".": decimal})

    def short(self, value: float) -> str:
        """Return a number with two decimals, or none where they are zeros."""
        # Nothing is added but to minus zero, which is written without its sign.
        return f"{round(value, 2) + 0:,.2f}".removesuffix(".00").translate(self._signs)


def numerals() -> Numerals:
    """Return how the language of the page writes numbers."""
    return _numerals(get_language())


@lru_cache(maxsize=16)
def _numerals(language: str | None) -> Numerals:
    return Numerals(
        decimal=str(get_format("DECIMAL_SEPARATOR", lang=language)),
        thousand=str(get_format("THOUSAND_SEPARATOR", lang=language)),
    )
