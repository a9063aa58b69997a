"""Data that a JSON Schema accepts, drawn by chance from a seed; and data that it refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from routing.policy.arguments import Schema

Matching = Callable[[str, Random], str | None]
"""Draws a text that a pattern matches, or none."""

TRIES = 20
DEEPEST = 4
MOST_PARTS = 8
MOST_VALUES = 2_000
LONGEST_TEXT = 10_000
"""What is made at most of a schema that asks for more than anybody would wait for."""
_MOST_ITEMS = 3
_ODD = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
_WORDS = ("alder", "birch", "cedar", "hazel", "larch", "maple", "rowan", "willow")
_FORMATS = {
    "date": "2026-03-0{n}",
    "date-time": "2026-03-0{n}T09:30:00Z",
    "time": "09:3{n}:00Z",
    "email": "person{n}@example.com",
    "uri": "https://example.com/{n}",
    "uuid": "0195d3a0-0000-7000-8000-00000000000{n}",
    "ipv4": "192.0.2.{n}",
    "hostname": "host{n}.example.com",
}


def sample(
    schema: Mapping[str, Any], *, random: Random, matching: Matching, tries: int = TRIES
) -> tuple[Any] | None:
    """Return data that a schema accepts, in a tuple of one; ``None`` where none was found.

    What is required is there, and half of what is not.
    """
    validator = Schema(schema, formats=True)
    for _ in range(tries):
        try:
            made = _Sampler(schema, random, matching).value(schema, depth=0)
        except _ODD:
            continue  # the schema says something that this knows nothing of
        if validator.is_valid(made):
            return (made,)
    return None


def spoiled(schema: Mapping[str, Any], value: Any) -> tuple[Any] | None:
    """Return data that a schema refuses, near to data that it accepts; ``None`` if it takes all."""
    validator = Schema(schema, formats=False)
    return next(((one,) for one in _near(value) if not validator.is_valid(one)), None)


def with_text(schema: Mapping[str, Any] | None, value: Any, text: str) -> tuple[Any] | None:
    """Return data with a text added to one of its own, which the schema still accepts.

    Where no text may grow, an object has a ``note`` more if it may; ``None`` where nothing holds.
    """
    validator = None if schema is None else Schema(schema, formats=False)
    for one in (*_grown(value, text), *_noted(value, text)):
        if validator is None or validator.is_valid(one):
            return (one,)
    return None


def _near(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for name in value:
            yield {other: inner for other, inner in value.items() if other != name}
        for name in value:
            yield {**value, name: {"unexpected": [None]}}
    yield from ("<html>502 Bad Gateway</html>", None, [], {}, 0)


def _grown(value: Any, text: str) -> Iterator[Any]:
    """Yield values in which one text has grown, those of several words first."""
    places = sorted(_texts(value, ()), key=lambda place: " " not in str(_at(value, place)))
    for place in places:
        yield _put(value, place, f"{_at(value, place)} {text}")


def _noted(value: Any, text: str) -> Iterator[Any]:
    if isinstance(value, dict):
        yield {**value, "note": text}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        yield [{**value[0], "note": text}, *value[1:]]
    if isinstance(value, list):
        yield [*value, text]


def _texts(value: Any, place: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, str):
        yield place
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner, (*place, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _texts(inner, (*place, number))


def _at(value: Any, place: tuple[Any, ...]) -> Any:
    for step in place:
        value = value[step]
    return value


def _put(value: Any, place: tuple[Any, ...], text: str) -> Any:
    if not place:
        return text
    first, rest = place[0], place[1:]
    if isinstance(value, dict):
        return {**value, first: _put(value[first], rest, text)}
    return [_put(inner, rest, text) if n == first else inner for n, inner in enumerate(value)]


class _Sampler:
    """Draws values of one schema, whose own definitions it follows."""

    def __init__(self, root: Mapping[str, Any], random: Random, matching: Matching) -> None:
        self._root = root
        self._random = random
        self._matching = matching
        self._left = MOST_VALUES

    def value(self, schema: Any, *, depth: int) -> Any:
        self._left -= 1
        if self._left < 0:
            raise ValueError("the schema asks for too much")
        if not isinstance(schema, Mapping):
            return "any"  # true: everything goes
        schema = self._whole(schema, depth)
        if "const" in schema:
            return schema["const"]
        if choices := schema.get("enum"):
            return self._random.choice(choices)
        made: Any = None
        match self._kind(schema):
            case "object":
                made = self._object(schema, depth)
            case "array":
                made = self._array(schema, depth)
            case "boolean":
                made = self._random.random() < 0.5
            case "integer" | "number" as kind:
                made = self._number(schema, whole=kind == "integer")
            case "string":
                made = self._text(schema)
        return made

    def _whole(self, schema: Mapping[str, Any], depth: int) -> Mapping[str, Any]:
        """Return a schema with what it refers to, all of its parts and one of its choices."""
        found = dict(schema)
        for _ in range(MOST_PARTS):
            parts = [*found.pop("allOf", ())]
            if isinstance(ref := found.pop("$ref", None), str):
                parts.append(self._named(ref))
            for options in (found.pop("anyOf", ()), found.pop("oneOf", ())):
                # Deep down the first: it is the plainest as a rule, and ends soonest.
                some = list(options)[: 1 if depth >= DEEPEST else None]
                parts += [self._random.choice(some)] if some else []
            if not parts:
                break
            for part in parts:
                found = _merged(found, part) if isinstance(part, Mapping) else found
        return found

    def _named(self, ref: str) -> Mapping[str, Any]:
        found: Any = self._root
        for step in ref.removeprefix("#").strip("/").split("/"):
            if step:
                found = found.get(step.replace("~1", "/").replace("~0", "~"), {})
        return found if isinstance(found, Mapping) else {}

    def _kind(self, schema: Mapping[str, Any]) -> str:
        kind = schema.get("type")
        if isinstance(kind, list):
            some = [one for one in kind if one != "null"] or ["null"]
            return str(self._random.choice(some))
        if isinstance(kind, str):
            return kind
        if "properties" in schema or "required" in schema:
            return "object"
        return "array" if "items" in schema else "string"

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        required = list(schema.get("required", ()))
        known: Mapping[str, Any] = schema.get("properties", {})
        said = [
            name
            for name in known
            if name in required or (depth < DEEPEST and self._random.random() < 0.5)
        ]
        said += [name for name in required if name not in known]
        made = {name: self.value(known.get(name, {}), depth=depth + 1) for name in said}
        others = schema.get("additionalProperties")
        for number in range(schema.get("minProperties", 0) - len(made)):
            made[f"key_{number}"] = self.value(
                others if isinstance(others, Mapping) else {}, depth=depth + 1
            )
        return made

    def _array(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        least = schema.get("minItems", 0 if depth >= DEEPEST else 1)
        most = min(schema.get("maxItems", _MOST_ITEMS), max(least, _MOST_ITEMS))
        if depth >= DEEPEST:
            most = least
        first = list(schema.get("prefixItems", ()))
        inner = schema.get("items", {})
        items: list[Any] = []
        for place in range(self._random.randint(least, max(least, most))):
            of = first[place] if place < len(first) else inner
            item = self.value(of, depth=depth + 1)
            if not schema.get("uniqueItems") or item not in items:
                items.append(item)
        return items

    def _number(self, schema: Mapping[str, Any], *, whole: bool) -> int | float:
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
        high = schema.get("maximum", schema.get("exclusiveMaximum", max(low, 0) + 100))
        step = schema.get("multipleOf")
        if step:
            least, most = int(-(-low // step)), int(high // step)
            made = step * self._random.randint(least, max(least, most))
            return int(made) if whole else float(made)
        if whole:
            # Both ends may be left out.
            above, below = "exclusiveMinimum" in schema, "exclusiveMaximum" in schema
            low, high = int(-(-low // 1)) + above, int(high // 1) - below
            return self._random.randint(low, max(low, high))
        return float(round(low + (high - low) * (0.1 + 0.8 * self._random.random()), 2))

    def _text(self, schema: Mapping[str, Any]) -> str:
        number = self._random.randrange(1, 10)
        if (shape := _FORMATS.get(schema.get("format", ""))) is not None:
            return shape.format(n=number)
        if "pattern" in schema:
            made = self._matching(schema["pattern"], self._random)
            if made is not None:
                return made
        if schema.get("minLength", 0) > LONGEST_TEXT:
            raise ValueError("the schema asks for too long a text")
        text = f"{self._random.choice(_WORDS)} {self._random.choice(_WORDS)}"
        while len(text) < schema.get("minLength", 0):
            text += f" {self._random.choice(_WORDS)}"
        return text[: schema.get("maxLength")]


def _merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return what both schemas say, as far as a value can be drawn from it."""
    found = {**other, **one}
    if "properties" in one and "properties" in other:
        found["properties"] = {**other["properties"], **one["properties"]}
    if "required" in one and "required" in other:
        found["required"] = [*dict.fromkeys([*one["required"], *other["required"]])]
    if "allOf" in one and "allOf" in other:
        found["allOf"] = [*one["allOf"], *other["allOf"]]
    return found
