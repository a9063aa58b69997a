"""What is wrong with the input of an evaluation, all of it, each with its place."""

from __future__ import annotations

from collections.abc import Sequence

SHOWN = 20


class BadInput(ValueError):
    """A catalog or cases that cannot be evaluated; nothing of them has been."""

    def __init__(self, faults: Sequence[str]) -> None:
        shown = [*faults[:SHOWN]]
        if len(faults) > SHOWN:
            shown.append(f"and {len(faults) - SHOWN} more")
        super().__init__("\n".join(shown))
        self.faults = tuple(faults)


def parsed_text(content: bytes, *, source: str) -> str:
    """Return UTF-8 as text, a byte order mark left out; raises ``BadInput``."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise BadInput([f"{source}:{line}: this is not UTF-8"]) from None


def encodable(text: str) -> bool:
    """Whether a text is one: JSON can spell halves of characters, which no UTF-8 holds."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
