"""Make values that fit a JSON Schema and look like what a property's name says. Pure and seeded.

What one run knows stays as it is: the order that its task names is the order of its calls, and a
payment that one tool found is the payment that the next one settles.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from random import Random
from typing import Any

from routing.simulation.patterns import matching
from routing.simulation.templates import read_corpus

OPTIONAL = 0.35
"""How often a property is there that need not be."""
_EARLIER = re.compile(
    "(_from|since|_after|starts_on|issued_on|booked_on|sent_at|received|moved_at)"
)
_REMEMBERED = re.compile("(_id|_code|_number|^sku|^representative|^customer|^carrier|^path)$")
_MOST_ITEMS = 3
_RARE = frozenset({"failed", "skipped", "missing", "damaged", "still_reserved"})


def facts_of(values: Mapping[str, str]) -> dict[str, Any]:
    """Return what a run knows from the slots of its task, by the properties that ask for it.

    Sums of money are written with two decimals, whatever the language: their digits are cents.
    """
    named: Mapping[str, list[str]] = _words()["slots"]
    return {
        name: int(re.sub(r"\D", "", values[slot])) if name.endswith("_cents") else values[slot]
        for slot in values
        for name in named.get(slot, ())
    }


def said(kind: str, *, language: str, random: Random) -> str:
    """Return one of the ways in which people say something in a language."""
    return str(random.choice(_listed(language)[kind]))


class Fitting:
    """Makes the arguments and data of one call. ``facts`` is the run's, and grows."""

    def __init__(
        self, *, random: Random, language: str, when: datetime, facts: dict[str, Any]
    ) -> None:
        self._random = random
        self._language = language
        self._when = when
        self._facts = facts

    def value(self, schema: Mapping[str, Any], *, name: str = "", fresh: bool = False) -> Any:
        """Return a value of a property ``name``; a ``fresh`` one is not what the run knows."""
        if choices := schema.get("enum"):
            return self._random.choice(choices)
        match self._kind(schema):
            case "object":
                made: Any = self._object(schema, fresh=fresh)
            case "array":
                made = self._array(schema, name)
            case "boolean":
                made = self._random.random() < 0.5
            case "integer" | "number" as kind:
                made = self._number(schema, name, whole=kind == "integer", fresh=fresh)
            case "string":
                made = self._text(schema, name, fresh=fresh)
            case "null":
                made = None
            case _:
                made = self._random.choice(_listed("any")["cell"])
        return made

    def taint(self, data: Any) -> Any:
        """Return data in which somebody has hidden an instruction, if it has a text to hide it in.

        Data of which a schema knows the form keeps it: only a text of several words grows.
        """
        if isinstance(data, dict):
            return {name: self.taint(inner) for name, inner in data.items()}
        if isinstance(data, list):
            return [self.taint(inner) for inner in data]
        if isinstance(data, str) and data.count(" ") > 1:
            return f"{data} {_listed(self._language)['taint'][0]}"
        return data

    def spoiled(self, schema: Mapping[str, Any], value: dict[str, Any]) -> dict[str, Any]:
        """Return a value with something wrong: what is required missing, or of another type."""
        required = [name for name in schema.get("required", ()) if name in value]
        if required and self._random.random() < 0.6:
            left_out = self._random.choice(required)
            return {name: inner for name, inner in value.items() if name != left_out}
        names = required or list(schema.get("properties", {}))
        return {**value, self._random.choice(names): {"value": None}} if names else value

    def _kind(self, schema: Mapping[str, Any]) -> str:
        kind = schema.get("type", "object" if "properties" in schema else "")
        if isinstance(kind, str):
            return kind
        if "null" in kind and self._random.random() < 0.15:
            return "null"
        return str(self._random.choice([one for one in kind if one != "null"] or ["null"]))

    def _object(self, schema: Mapping[str, Any], *, fresh: bool) -> dict[str, Any]:
        required = schema.get("required", ())
        return {
            name: self.value(inner, name=name, fresh=fresh)
            for name, inner in schema.get("properties", {}).items()
            if name in required or self._is_said(name)
        }

    def _is_said(self, name: str) -> bool:
        return self._random.random() < OPTIONAL or name in self._facts

    def _array(self, schema: Mapping[str, Any], name: str) -> list[Any]:
        least = schema.get("minItems", 0 if self._random.random() < 0.1 else 1)
        most = min(schema.get("maxItems", _MOST_ITEMS), max(least, _MOST_ITEMS))
        inner = schema.get("items", {})
        items: list[Any] = []
        for place in range(self._random.randint(least, most)):
            item = self.value(inner, name=name, fresh=place > 0)
            if not schema.get("uniqueItems") or item not in items:
                items.append(item)
        if len(items) < least and inner.get("type") == "string":
            items += [word for word in _listed(self._language)["options"] if word not in items]
        return items

    def _number(
        self, schema: Mapping[str, Any], name: str, *, whole: bool, fresh: bool
    ) -> int | float:
        known = self._facts.get(name)
        if isinstance(known, int) and not fresh and known >= schema.get("minimum", known):
            return known
        if "default" in schema and self._random.random() < 0.6:
            default: int | float = schema["default"]
            return default
        low: int = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
        high: int = max(low, min(schema.get("maximum", _highest(name)), _highest(name)))
        if whole:
            return self._random.randint(low, high)
        return round(low + (high - low) * self._random.random(), 1)

    def _text(self, schema: Mapping[str, Any], name: str, *, fresh: bool) -> str:
        name = _words()["same"].get(name, name)
        known = self._facts.get(name)
        if not fresh and isinstance(known, str) and fits(schema, known):
            return known
        text = self._new_text(schema, name)
        if not fresh and _REMEMBERED.search(name):
            self._facts.setdefault(name, text)
        return text

    def _new_text(self, schema: Mapping[str, Any], name: str) -> str:
        if (shape := schema.get("format")) is not None:
            return self._formatted(shape, name)
        for text in (self._code(name), self._worded(name)):
            if text is not None and fits(schema, text):
                return text
        if "pattern" in schema:
            return matching(schema["pattern"], random=self._random) or ""
        if name.endswith("_id"):
            return f"{name[:3].upper()}-{self._random.randrange(1_000, 10_000)}"
        text = str(self._random.choice(_listed(self._language)["text"]))
        while len(text) < schema.get("minLength", 0):
            text += f" {text}"
        return text[: schema.get("maxLength")]

    def _code(self, name: str) -> str | None:
        code: str | None = _words()["codes"].get(name)
        if code is None:
            return None
        number, small = self._random.randrange(1_000, 10_000), self._random.randrange(10, 30)
        return code.format(n=number, small=small, year=self._when.year, month=self._when.month)

    def _worded(self, name: str) -> str | None:
        for words in (_listed(self._language), _listed("any")):
            if name in words:
                return str(self._random.choice(words[name]))
        return None

    def _formatted(self, shape: str, name: str) -> str:
        words = _listed("any")
        if shape in {"date", "date-time"}:
            days = self._random.randrange(1, 40)
            at = self._when + timedelta(days=-days if _EARLIER.search(name) else days)
            return f"{at:%Y-%m-%d}" if shape == "date" else f"{at:%Y-%m-%dT%H:%M:%SZ}"
        host = self._random.choice(words["host"])
        if shape == "email":
            return f"{self._random.choice(words['mailbox'])}@{host}"
        if shape == "uri":
            return f"https://{host}/{self._random.randrange(1_000, 10_000)}"
        return ""


def fits(schema: Mapping[str, Any], text: str) -> bool:
    """Tell whether a text has the length and form that a schema asks for."""
    if not schema.get("minLength", 0) <= len(text) <= schema.get("maxLength", len(text)):
        return False
    return "pattern" not in schema or re.search(schema["pattern"], text) is not None


def _highest(name: str) -> int:
    if name.endswith("_cents"):
        return 250_000
    if name in _RARE:
        return 3
    return 45 if name.endswith("_days") else 120


@cache
def _words() -> dict[str, Any]:
    return read_corpus("values.json")


@cache
def _listed(language: str) -> dict[str, list[Any]]:
    words: dict[str, list[Any]] = _words()[language]
    return words
