"""One canonical name a tool: up to 64 letters, digits, ``_`` and ``-``, no digit or ``-`` first."""

import hashlib
import re
import unicodedata

LONGEST = 64
_CANONICAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_OTHER = re.compile(r"[^A-Za-z0-9_-]+")
_DIGITS = 8


def canonical_name(original: str) -> str:
    """Return a name that every provider takes; one that is so already stays as it is.

    Accents are dropped, and each run of other characters becomes ``_``. A name that loses letters
    or is cut ends in a hash of the original, so that it depends on nothing but itself.
    """
    if _CANONICAL.fullmatch(original):
        return original
    folded = unicodedata.normalize("NFKD", original)
    bare = "".join(character for character in folded if not unicodedata.combining(character))
    cleaned = _OTHER.sub("_", bare).strip("_")
    lossy = any(character.isalnum() and not character.isascii() for character in bare)
    if not cleaned.strip("-"):
        cleaned = "tool"
        lossy = True
    if not (cleaned[0].isalpha() or cleaned[0] == "_"):
        cleaned = f"_{cleaned}"
    return hashed(cleaned, of=original) if lossy or len(cleaned) > LONGEST else cleaned


def hashed(name: str, *, of: str) -> str:
    """Return a name cut to leave room for a hash of what it is a name of."""
    digest = hashlib.sha256(of.encode("utf-8", "replace")).hexdigest()[:_DIGITS]
    return f"{name[: LONGEST - _DIGITS - 1].rstrip('_-') or 'tool'}_{digest}"
