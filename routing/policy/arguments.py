"""Arguments: read as the tool's schema has them, checked, and known again by their hash."""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NoReturn

import jsonschema_rs

from routing.policy.faults import MASK, Fault, faults_of, path_of

# No database and no UTF-8 can hold these.
_UNSAFE = re.compile("[\0\ud800-\udfff]")
_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Checked:
    """Arguments without the nulls that only strictness put there, and what is wrong with them.

    ``sha256`` is over their canonical JSON: equal arguments have equal hashes, whatever the order
    of their properties and however their numbers are written.
    """

    value: Mapping[str, Any]
    sha256: str
    faults: tuple[Fault, ...] = ()


class Schema:
    """A JSON Schema of a tool, compiled. ``formats`` tells whether ``format`` is an assertion."""

    def __init__(self, schema: Mapping[str, Any], *, formats: bool) -> None:
        self._validator = jsonschema_rs.validator_for(
            dict(schema),
            validate_formats=formats,
            mask=MASK,
            retriever=_refuse,
            # Linear in the text, whatever the pattern.
            pattern_options=jsonschema_rs.RegexOptions(),
        )

    def faults(self, value: object) -> tuple[Fault, ...]:
        """Return everything that is wrong with a value."""
        return faults_of(self._validator.iter_errors(value))

    def is_valid(self, value: object) -> bool:
        """Tell whether nothing is wrong with a value."""
        return self._validator.is_valid(value)

    def places(self, value: object) -> Iterator[tuple[str | int, ...]]:
        """Return where something is wrong, in the branches of a choice too."""
        waiting = list(self._validator.iter_errors(value))
        while waiting:
            error = waiting.pop()
            yield tuple(error.instance_path)
            kind: Any = error.kind
            for branch in getattr(kind, "context", None) or ():
                waiting.extend(branch)


def check_arguments(schema: Schema, arguments: Mapping[str, Any]) -> Checked:
    """Return arguments as they are meant, with what is wrong with them."""
    value = without_idle_nulls(schema, arguments)
    return Checked(value=value, sha256=canonical_sha256(value), faults=schema.faults(value))


def without_idle_nulls(schema: Schema, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Leave out each null that the schema does not accept; one that is required is then missing.

    Strict schemas have every property required and the optional ones nullable, so that an agent
    sends null for what it would leave out. A null that the schema accepts has a meaning and stays.
    """
    if schema.is_valid(arguments):
        return arguments
    left: Any = deepcopy(arguments)
    for _ in range(_ROUNDS):
        idle = [place for place in set(schema.places(left)) if _is_null(left, place)]
        if not idle:
            break
        for place in idle:
            _leave_out(left, place)
    return left  # type: ignore[no-any-return]


def _is_null(value: Any, place: tuple[str | int, ...]) -> bool:
    if not place or not isinstance(place[-1], str):
        return False  # an item of a list cannot be left out
    for step in place:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return False
    return value is None


def _leave_out(value: Any, place: tuple[str | int, ...]) -> None:
    for step in place[:-1]:
        value = value[step]
    value.pop(place[-1], None)


def unsafe_places(value: object, *, at: str) -> Iterator[Fault]:
    """Find what no database holds and no canonical JSON says: U+0000, half pairs, infinities."""
    waiting: list[tuple[tuple[str | int, ...], object]] = [((), value)]
    while waiting:
        steps, item = waiting.pop()
        if isinstance(item, dict):
            if any(_UNSAFE.search(name) for name in item):
                yield _unsafe(at, steps, "has a name with U+0000 or half of a surrogate pair")
            waiting.extend(((*steps, name), inner) for name, inner in item.items())
        elif isinstance(item, list):
            waiting.extend(((*steps, number), inner) for number, inner in enumerate(item))
        elif isinstance(item, str) and _UNSAFE.search(item):
            yield _unsafe(at, steps, "must hold neither U+0000 nor half of a surrogate pair")
        elif isinstance(item, float) and not math.isfinite(item):
            yield _unsafe(at, steps, "is a number that is too large")


def _unsafe(at: str, steps: tuple[str | int, ...], message: str) -> Fault:
    return Fault(_UNSAFE.sub("\ufffd", path_of((at, *steps))), message)


def canonical_json(value: object) -> str:
    """Return the canonical JSON of a value: keys sorted, no spaces, equal numbers written alike."""
    return json.dumps(
        _numbers_alike(value),
        ensure_ascii=False,
        allow_nan=False,
        sort_keys=True,
        separators=(",", ":"),
    )


def canonical_sha256(value: object) -> str:
    """Return the SHA-256 of a value's canonical JSON, in hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode("utf-8")).hexdigest()


def _numbers_alike(value: Any) -> Any:
    """Return a value in which a whole number is an integer: JSON Schema holds 1.0 for 1 too."""
    if isinstance(value, dict):
        return {name: _numbers_alike(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_numbers_alike(inner) for inner in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"“{uri}” points outside this schema.")
