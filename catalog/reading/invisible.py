"""Characters that a person does not see and a model reads."""

import re
import unicodedata

# Variation selectors in a row carry hidden bytes; one alone chooses how an emoji looks.
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
# What scripts and emoji are joined by, and what lays text out.
_KEPT = frozenset("\t\n\r\u200c\u200d")


def without_invisible(text: str) -> tuple[str, list[str]]:
    """Return a text without controls and format characters, and those that were in it.

    They are named ``U+202E``, each as often as it occurred.
    """
    if text.isascii() and text.isprintable():
        return text, []
    found = [
        character
        for character in text
        if character not in _KEPT and unicodedata.category(character) in ("Cc", "Cf")
    ]
    hidden = "".join(_SELECTORS.findall(text))
    left = _SELECTORS.sub("", text)
    if found:
        gone = frozenset(found)
        left = "".join(character for character in left if character not in gone)
    return left, [f"U+{ord(character):04X}" for character in (*found, *hidden)]
