"""Fold text, so that a search ignores letter case and accents on every database.

SQLite compares only ASCII without regard to case, and PostgreSQL needs an extension to ignore
accents; text that was folded when it was saved needs neither.
"""

import unicodedata


def fold(text: str) -> str:
    """Return text in lower case without its accents; ``Concilia la Devolución`` finds itself."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in apart if not unicodedata.combining(character))


def folded_words(query: str, *, limit: int = 10) -> list[str]:
    """Return the words of a search box, folded; what is past ``limit`` words is left out."""
    return fold(query.replace("\0", " ")).split()[:limit]
