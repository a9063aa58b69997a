"""What is wrong with the input of an evaluation, all of it, each with its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

SHOWN = 20
_NO_PARAMS: Mapping[str, object] = MappingProxyType({})


def gettext_noop(message: str) -> str:
    """Mark a message for translation; the page that shows it translates it."""
    return message


NOT_UTF_8 = gettext_noop("this is not UTF-8")


@dataclass(frozen=True, slots=True)
class LineFault:
    """What is wrong with a line, so that it can be mended; ``template`` and ``params`` say it."""

    line: int
    template: str
    params: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template % self.params


class CaseFault(ValueError):
    """What is wrong with one case; the page that shows it translates ``template``.

    ``params`` can be written anywhere: of what a case calls something, no half of a character.
    """

    def __init__(self, template: str, params: Mapping[str, object] = _NO_PARAMS) -> None:
        said = {name: _writable(value) for name, value in params.items()}
        super().__init__(template % said)
        self.template = template
        self.params = said

    def at(self, line: int) -> LineFault:
        """Return the fault with the line that it lies in."""
        return LineFault(line, self.template, self.params)


class BadInput(ValueError):
    """A catalog or cases that cannot be evaluated; nothing of them has been.

    ``lines`` are the faults that lie in a line of a file, where it is one of cases.
    """

    def __init__(self, faults: Sequence[str], *, lines: Sequence[LineFault] = ()) -> None:
        shown = [*faults[:SHOWN]]
        if len(faults) > SHOWN:
            shown.append(f"and {len(faults) - SHOWN} more")
        super().__init__("\n".join(shown))
        self.faults = tuple(faults)
        self.lines = tuple(lines)


def _writable(value: object) -> object:
    if not isinstance(value, str) or encodable(value):
        return value
    return value.encode("utf-8", "replace").decode().replace("\0", "?")


def parsed_text(content: bytes, *, source: str) -> str:
    """Return UTF-8 as text, a byte order mark left out; raises ``BadInput``."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        fault = LineFault(line, NOT_UTF_8)
        raise BadInput([f"{source}:{line}: {fault}"], lines=[fault]) from None


def encodable(text: str) -> bool:
    """Whether a text is one: JSON can spell halves of characters, which no UTF-8 holds."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
