"""Texts that match a pattern, drawn by chance: the codes that a tool's schema asks for. Pure.

Of regular expressions this knows what such codes are made of: literals, classes, groups of
alternatives, and how often each comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

_DIGITS = "0123456789"
_MOST = 8
"""How often something comes at most that may come as often as it likes."""
MOST_DRAWN = 2_000
"""Parts of a text that are drawn: who asks for more gets nothing, since somebody waits for it."""
MOST_MEMBERS = 1_000
"""Characters that a range of a class may have."""


class _Dice:
    """Draws, but no more than so often."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._left = MOST_DRAWN

    def one_of(self, choices: Sequence[str]) -> str:
        """Return one of some choices."""
        return self._random.choice(choices)

    def between(self, low: int, high: int) -> int:
        """Return a number, both ends among them."""
        return self._random.randint(low, high)

    def spend(self) -> None:
        """Count a part of a text; raises ``ValueError`` where it is one too many."""
        self._left -= 1
        if self._left < 0:
            raise ValueError("too much is asked for")


def matching(pattern: str, *, random: Random) -> str | None:
    """Return a text that a pattern matches as a whole; ``None`` where it says too much."""
    body = pattern.removeprefix("^").removesuffix("$")
    try:
        text, rest = _choice(body, _Dice(random))
    except (ValueError, IndexError):
        return None
    return None if rest else text


def _choice(rest: str, dice: _Dice) -> tuple[str, str]:
    """Draw one of the alternatives at the beginning of a pattern; return it and what follows."""
    alternatives = []
    while True:
        text, rest = _sequence(rest, dice)
        alternatives.append(text)
        if not rest.startswith("|"):
            return dice.one_of(alternatives), rest
        rest = rest[1:]


def _sequence(rest: str, dice: _Dice) -> tuple[str, str]:
    text = ""
    while rest and rest[0] not in "|)":
        atom = rest
        _, after = _atom(atom, dice)
        times, rest = _times(after, dice)
        text += "".join(_atom(atom, dice)[0] for _ in range(times))
    return text, rest


def _atom(rest: str, dice: _Dice) -> tuple[str, str]:
    dice.spend()
    first = rest[0]
    if first == "[":
        inside, _, after = rest[1:].partition("]")
        return dice.one_of(_members(inside)), after
    if first == "(":
        text, after = _choice(rest[1:].removeprefix("?:"), dice)
        if not after.startswith(")"):
            raise ValueError(rest)
        return text, after[1:]
    if first == "\\":
        if rest[1] == "d":
            return dice.one_of(_DIGITS), rest[2:]
        if rest[1].isalnum():
            raise ValueError(rest)
        return rest[1], rest[2:]
    if first in ".^$*+?{":
        raise ValueError(rest)
    return first, rest[1:]


def _members(inside: str) -> str:
    """Return the characters of a class such as ``A-Z0-9_``."""
    if inside.startswith("^") or "\\" in inside:
        raise ValueError(inside)
    members, place = "", 0
    while place < len(inside):
        if inside[place + 1 : place + 2] == "-" and place + 2 < len(inside):
            low, high = ord(inside[place]), ord(inside[place + 2])
            if high - low >= MOST_MEMBERS:
                raise ValueError(inside)
            members += "".join(map(chr, range(low, high + 1)))
            place += 3
        else:
            members += inside[place]
            place += 1
    return members


def _times(rest: str, dice: _Dice) -> tuple[int, str]:
    """Draw how often the atom before comes."""
    first = rest[:1]
    if first == "{":
        inside, _, after = rest[1:].partition("}")
        low, comma, high = inside.partition(",")
        if not comma:
            return int(low), after
        return dice.between(int(low), int(high or int(low) + _MOST)), after
    if first and first in "*+?":
        return dice.between(int(first == "+"), 1 if first == "?" else _MOST), rest[1:]
    return 1, rest
