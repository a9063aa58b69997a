"""Two values beside each other as JSON: the lines that went, those that came, and some around."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

# Comparing takes time by the product of both: beyond it all lines went and all came.
_MOST_COMPARED = 4_000_000

Sign = Literal[" ", "-", "+", "…"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of JSON: ``-`` went, ``+`` came, a space stayed; ``…`` stands for lines left out."""

    sign: Sign
    text: str = ""


def json_lines(before: object, after: object, *, context: int = 3) -> list[Line]:
    """Return the difference of two JSON values, with ``context`` lines around each change.

    ``None`` is a value that is not there, and has no lines. Keys are sorted, as in the canonical
    bytes of a document.
    """
    old, new = _lines(before), _lines(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    old_part, new_part = old[start : len(old) - end], new[start : len(new) - end]
    lines = [Line(" ", text) for text in old[:start]]
    lines += _compared(old_part, new_part)
    lines += [Line(" ", text) for text in old[len(old) - end :]]
    return _shortened(lines, context)


def _lines(value: object) -> list[str]:
    if value is None:
        return []
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True).split("\n")


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many lines two texts begin with alike."""
    pairs = zip(old, new, strict=False)
    return next(
        (number for number, (one, other) in enumerate(pairs) if one != other),
        min(len(old), len(new)),
    )


def _compared(old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    if len(old) * len(new) > _MOST_COMPARED:
        blocks = [("replace", 0, len(old), 0, len(new))]
    else:
        blocks = list(SequenceMatcher(None, old, new, autojunk=False).get_opcodes())
    for tag, old_from, old_to, new_from, new_to in blocks:
        if tag == "equal":
            yield from (Line(" ", text) for text in old[old_from:old_to])
            continue
        yield from (Line("-", text) for text in old[old_from:old_to])
        yield from (Line("+", text) for text in new[new_from:new_to])


def _shortened(lines: Sequence[Line], context: int) -> list[Line]:
    near = {
        around
        for number, line in enumerate(lines)
        if line.sign != " "
        for around in range(number - context, number + context + 1)
    }
    kept: list[Line] = []
    for number, line in enumerate(lines):
        if number in near:
            kept.append(line)
        elif not kept or kept[-1].sign != "…":
            kept.append(Line("…"))
    return kept
