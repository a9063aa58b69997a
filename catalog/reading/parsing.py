"""Text to a value: JSON, several JSON values in a row, or YAML.

Nothing is overwritten unseen: an object with a key twice keeps the first value and remembers the
key, so that the entry it is in can be refused and its neighbours not.
"""

import json
import math
from typing import Any

from catalog.reading.objects import Doubled, object_of
from catalog.reading.results import Faulted
from catalog.reading.yaml_text import parse_yaml

MAX_DEPTH = 100
_MOST_DIGITS = 400  # of an integer; floats end at 309


def parse(content: bytes | str) -> Any:
    """Return the value of a text. Raises ``Faulted`` where there is none."""
    text = _decoded(content)
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        if text.lstrip()[:1] in ("{", "[") and "\n" not in text.strip():
            raise Faulted("no_json", reason=str(error)) from error
        try:
            return parse_yaml(text)
        except Faulted as fault:
            if text.lstrip()[:1] in ("{", "[") and fault.remark.code == "no_json":
                raise Faulted("no_json", reason=str(error)) from error
            raise
    except RecursionError as error:
        raise Faulted("too_deep", limit=MAX_DEPTH) from error


def parse_json(text: str) -> Any:
    """Return the value of JSON; several values in a row, as pages come, are a list of them.

    Raises ``json.JSONDecodeError`` and ``RecursionError``.
    """
    decoder = json.JSONDecoder(object_pairs_hook=object_of, parse_int=_integer)
    values: list[Any] = []
    place = 0
    stripped = text.strip()
    while place < len(stripped) or not values:
        value, place = decoder.raw_decode(stripped, place)
        values.append(value)
        while place < len(stripped) and stripped[place].isspace():
            place += 1
    return values[0] if len(values) == 1 else values


def check_plain(value: object) -> None:
    """Refuse what canonical JSON cannot say or no parser elsewhere reads; raises ``Faulted``."""
    waiting = [(value, 1)]
    while waiting:
        item, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise Faulted("too_deep", limit=MAX_DEPTH)
        # Texts first: most of what there is are texts.
        if isinstance(item, str):
            if "\0" in item or not _is_whole(item):
                raise Faulted("no_text")
        elif isinstance(item, dict):
            if isinstance(item, Doubled):
                raise Faulted("key_twice", key=item.key)
            waiting.extend((key, depth) for key in item)
            waiting.extend((inner, depth + 1) for inner in item.values())
        elif isinstance(item, list):
            waiting.extend((inner, depth + 1) for inner in item)
        elif isinstance(item, float) and not math.isfinite(item):
            raise Faulted("no_number")


def _is_whole(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _decoded(content: bytes | str) -> str:
    if isinstance(content, str):
        return content.removeprefix("\ufeff")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Faulted("no_utf8") from error


def _integer(digits: str) -> int | float:
    """Return an integer exactly; one of thousands of digits is no number anywhere."""
    return int(digits) if len(digits) <= _MOST_DIGITS else math.inf
