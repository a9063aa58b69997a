"""Patterns, compiled and applied to texts and to JSON."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import re2

from routing.redaction.ready import Narrow, Ready

MOST_MEMORY = 1 << 20
"""Bytes that RE2 may take for one pattern; one that needs more is refused."""

_NUMBERS = range(10**6, 10**40)
"""Whole numbers whose digits are looked at; whether they are below zero does not matter."""
_Found = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Sought:
    """A compiled pattern, and the name (in UTF-8) that stands in place of what it finds.

    ``anywhere`` tells that it finds the same in a text that stands among others.
    """

    pattern: Any  # re2 has no types
    name: bytes
    narrow: Narrow | None = None
    needs: bytes = b""
    anywhere: bool = True


def compile_pattern(pattern: str, *, case_sensitive: bool) -> Any:
    """Return a compiled pattern; raises ``re2.error``."""
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = case_sensitive
    options.max_mem = MOST_MEMORY
    return re2.compile(pattern, options)


def sought_ready(ready: Ready) -> Sought:
    """Return a ready-made kind, compiled."""
    pattern = compile_pattern(ready.pattern, case_sensitive=True)
    return Sought(pattern, ready.name.encode(), ready.narrow, ready.needs)


def sought_own(*, name: str, pattern: str) -> Sought:
    """Return an owner's pattern, compiled without regard to case; raises ``re2.error``."""
    # “[^x]” has no anchor, and is taken for one at the cost of some time.
    anchored = any(sign in pattern for sign in ("^", "$", r"\A", r"\z"))
    compiled = compile_pattern(pattern, case_sensitive=False)
    return Sought(compiled, name.encode(), anywhere=not anchored)


class Redactor:
    """Puts names in place of what patterns find.

    Every pattern is looked for in the text as it was. What several of them find in one place, or
    overlapping, goes as a whole, under the name of the one that begins first, and of those the
    longest. So a name is never looked into, and no rest of what was found stays.
    """

    def __init__(self, sought: Sequence[Sought], *, keys: Iterable[str] = (), of_keys: str = ""):
        """Take what to look for; values of ``keys`` go as a whole, under the name ``of_keys``."""
        self._sought = tuple(sought)
        self._keys = frozenset(keys)
        self._of_keys = of_keys

    def text(self, text: str) -> str:
        """Return a text without what is found in it."""
        return self._text(text, self._sought)

    def value(self, value: Any) -> Any:
        """Return a JSON value without what is found in its texts; keys stay.

        A whole number that a pattern finds in its digits becomes a text. The value itself is left
        as it is.
        """
        texts: list[str] = []
        _collect(value, texts)
        sought = self._sought
        if len(texts) > 1:
            # One look at all of them together; most patterns occur in none.
            together = "\n".join(texts).encode("utf-8", "surrogatepass")
            sought = tuple(
                one
                for one in sought
                if not one.anywhere
                or (one.needs in together and one.pattern.search(together) is not None)
            )
        return self._value(value, sought)

    def _value(self, value: Any, sought: Sequence[Sought]) -> Any:
        if isinstance(value, str):
            return self._text(value, sought)
        if isinstance(value, dict):
            return {
                key: self._of_keys
                if self._keys and self._is_of_keys(key, item)
                else self._value(item, sought)
                for key, item in value.items()
            }
        if isinstance(value, list | tuple):
            return [self._value(item, sought) for item in value]
        if isinstance(value, int) and abs(value) in _NUMBERS:
            said = str(value)
            redacted = self._text(said, sought)
            return value if redacted == said else redacted
        return value

    def _is_of_keys(self, key: str, value: Any) -> bool:
        if not isinstance(value, str | int) or isinstance(value, bool) or value == "":
            return False
        plain = key.lower().replace("_", "").replace("-", "").replace(" ", "")
        return plain in self._keys

    def _text(self, text: str, sought: Sequence[Sought]) -> str:
        encoded = text.encode("utf-8", "surrogatepass")
        found: list[_Found] = []
        for place, one in enumerate(sought):
            if one.needs and one.needs not in encoded:
                continue
            for match in one.pattern.finditer(encoded):
                start, end = _meant(match)
                if one.narrow is None:
                    found.append((start, -end, place))
                else:
                    found += [(a, -b, place) for a, b in one.narrow(encoded, start, end)]
        if not found:
            return text
        return _replaced(encoded, found, sought).decode("utf-8", "surrogatepass")


def _collect(value: Any, texts: list[str]) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, dict):
        for item in value.values():
            _collect(item, texts)
    elif isinstance(value, list | tuple):
        for item in value:
            _collect(item, texts)
    elif isinstance(value, int) and abs(value) in _NUMBERS:
        texts.append(str(value))


def _meant(match: Any) -> tuple[int, int]:
    """Return where the first group that took part lies, or else the whole of what was found."""
    for group in range(1, match.re.groups + 1):
        start, end = match.span(group)
        if start >= 0:
            return start, end
    whole: tuple[int, int] = match.span()
    return whole


def _replaced(text: bytes, found: list[_Found], sought: Sequence[Sought]) -> bytes:
    pieces: list[bytes] = []
    upto = 0
    # By where they begin, and of those that begin together the longest first.
    for start, minus_end, place in sorted(found):
        if -minus_end <= start:
            continue  # it found nothing, between two characters
        if start >= upto:
            pieces += [text[upto:start], sought[place].name]
        upto = max(upto, -minus_end)
    return b"".join([*pieces, text[upto:]])
