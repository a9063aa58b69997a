"""JSON for people to read: indented, nothing in it hidden, long values folded."""

import json
import unicodedata
from dataclasses import dataclass

_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
FOLDED_LINES, FOLDED_CHARACTERS = 15, 1200


@dataclass(frozen=True, slots=True)
class Readable:
    """A value as indented JSON; a long one begins with ``head``."""

    text: str

    @property
    def lines(self) -> int:
        """Return how many lines it has."""
        return self.text.count("\n") + 1

    @property
    def is_long(self) -> bool:
        """Tell whether it is more than a page shows at once."""
        return self.lines > FOLDED_LINES or len(self.text) > FOLDED_CHARACTERS

    @property
    def head(self) -> str:
        """Return how it begins."""
        first = "\n".join(self.text.split("\n", FOLDED_LINES)[:FOLDED_LINES])
        return first[:FOLDED_CHARACTERS]


def readable(value: object) -> Readable:
    """Return a JSON value for people.

    Characters that are not seen, or that turn the direction of what follows, are written as
    escapes: whoever decides on a call must see all that is sent.
    """
    return Readable(shown(json.dumps(value, ensure_ascii=False, indent=2)))


def shown(text: str) -> str:
    """Return a text with characters that are not seen as escapes; line ends stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        _escaped(one) if one != "\n" and unicodedata.category(one) in _HIDDEN else one
        for one in text
    )


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))
