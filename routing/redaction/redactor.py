"""Patterns, compiled and applied to texts and to JSON."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import re2

from routing.redaction.ready import Narrow, Ready

MOST_MEMORY = 1 << 20
"""Bytes that RE2 may take for one pattern; one that needs more is refused."""

_NUMBERS = range(10**6, 10**40)
"""Whole numbers whose digits are looked at; whether they are below zero does not matter."""
_BETWEEN = "\0"
"""Stands between texts that are searched together. No database holds it in one."""
# A pattern with one of these might know where a text ends, or match what stands between two.
_OF_ONE_TEXT = ("^", "$", ".", r"\A", r"\z", r"\D", r"\W", r"\S", r"\P", r"\p", r"\C", r"\x", r"\0")
_Found = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Sought:
    """A compiled pattern, and the name (in UTF-8) that stands in place of what it finds.

    ``together`` tells that it finds the same in texts whether they are searched one by one or
    together.
    """

    pattern: Any  # re2 has no types
    name: bytes
    narrow: Narrow | None = None
    needs: bytes = b""
    together: bool = True

    def found_in(self, text: bytes) -> Iterator[tuple[int, int]]:
        """Yield from where to where there is something to replace."""
        if self.needs and self.needs not in text:
            return
        for match in self.pattern.finditer(text):
            start, end = _meant(match)
            if self.narrow is None:
                yield start, end
            else:
                yield from self.narrow(text, start, end)


def compile_pattern(pattern: str, *, case_sensitive: bool) -> Any:
    """Return a compiled pattern; raises ``re2.error``."""
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = case_sensitive
    options.max_mem = MOST_MEMORY
    return re2.compile(pattern, options)


def sought_ready(ready: Ready) -> Sought:
    """Return a ready-made kind, compiled. None of them matches what stands between two texts."""
    pattern = compile_pattern(ready.pattern, case_sensitive=True)
    return Sought(pattern, ready.name.encode(), ready.narrow, ready.needs)


def sought_own(*, name: str, pattern: str) -> Sought:
    """Return an owner's pattern, compiled without regard to case; raises ``re2.error``."""
    compiled = compile_pattern(pattern, case_sensitive=False)
    together = not any(sign in pattern for sign in _OF_ONE_TEXT)
    return Sought(compiled, name.encode(), together=together)


class Redactor:
    """Puts names in place of what patterns find.

    Every pattern is looked for in the text as it was. What several of them find in one place, or
    overlapping, goes as a whole, under the name of the one that begins first, and of those the
    longest. So a name is never looked into, and no rest of what was found stays.
    """

    def __init__(
        self, sought: Sequence[Sought], *, keys: Iterable[str] = (), of_keys: str = ""
    ) -> None:
        """Take what to look for; values of ``keys`` go as a whole, under the name ``of_keys``."""
        self._sought = tuple(sought)
        self._keys = frozenset(keys)
        self._of_keys = of_keys

    def text(self, text: str) -> str:
        """Return a text without what is found in it."""
        [redacted] = self._redacted([text])
        return redacted

    def value(self, value: Any) -> Any:
        """Return a JSON value without what is found in its texts; keys stay.

        A whole number that a pattern finds in its digits becomes a text. The value itself is left
        as it is.
        """
        texts: list[str] = []
        self._collect(value, texts)
        return self._rebuilt(value, iter(self._redacted(texts)))

    def _collect(self, value: Any, texts: list[str]) -> None:
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, dict):
            for key, item in value.items():
                if not self._goes_with(key, item):
                    self._collect(item, texts)
        elif isinstance(value, list | tuple):
            for item in value:
                self._collect(item, texts)
        elif _is_long_number(value):
            texts.append(str(value))

    def _rebuilt(self, value: Any, redacted: Iterator[str]) -> Any:
        """Return a value with texts in the place of those that ``_collect`` found, in its order."""
        if isinstance(value, str):
            return next(redacted)
        if isinstance(value, dict):
            return {
                key: self._of_keys if self._goes_with(key, item) else self._rebuilt(item, redacted)
                for key, item in value.items()
            }
        if isinstance(value, list | tuple):
            return [self._rebuilt(item, redacted) for item in value]
        if _is_long_number(value):
            said = next(redacted)
            return value if said == str(value) else said
        return value

    def _goes_with(self, key: str, value: Any) -> bool:
        """Tell whether a value goes as a whole, for the name of its key."""
        if not self._keys or not isinstance(value, str | int) or isinstance(value, bool):
            return False
        plain = key.lower().replace("_", "").replace("-", "").replace(" ", "")
        return value != "" and plain in self._keys

    def _redacted(self, texts: Sequence[str]) -> Sequence[str]:
        together = _BETWEEN.join(texts)
        if len(texts) > 1 and together.count(_BETWEEN) != len(texts) - 1:
            return [self.text(text) for text in texts]
        encoded = together.encode("utf-8", "surrogatepass")
        found: list[_Found] = []
        for place, one in enumerate(self._sought):
            if one.together or len(texts) == 1:
                found += [(start, -end, place) for start, end in one.found_in(encoded)]
            else:
                found += _found_in_each(encoded, one, place)
        if not found:
            return texts
        replaced = _replaced(encoded, found, self._sought).decode("utf-8", "surrogatepass")
        return [replaced] if len(texts) == 1 else replaced.split(_BETWEEN)


def _found_in_each(encoded: bytes, sought: Sought, place: int) -> Iterator[_Found]:
    begins = 0
    for text in encoded.split(_BETWEEN.encode()):
        for start, end in sought.found_in(text):
            yield begins + start, -(begins + end), place
        begins += len(text) + len(_BETWEEN)


def _is_long_number(value: Any) -> bool:
    return isinstance(value, int) and abs(value) in _NUMBERS


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
