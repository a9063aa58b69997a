"""What is wrong with arguments or data: where, and said so that a model can mend it.

A message never quotes the value that it is about: it stays on record when the run's words are
erased, and a model knows what it sent.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

MOST_FAULTS = 50
"""A list of 10,000 wrong numbers is told by its first ones."""
LONGEST = 400
_SHOWN = 30
# What stands for the value in a message.
MASK = "the value"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong; ``path`` is like ``items[2].price``, empty for the value as a whole."""

    path: str
    message: str


def faults_of(errors: Iterable[jsonschema_rs.ValidationError]) -> tuple[Fault, ...]:
    """Return what a validator found, each thing at its place, ``MOST_FAULTS`` at most."""
    faults: dict[Fault, None] = {}
    for error in errors:
        for fault in _faults(error):
            faults[fault] = None
            if len(faults) == MOST_FAULTS:
                return tuple(faults)
    return tuple(faults)


def path_of(steps: Sequence[str | int]) -> str:
    """Return a place as the API writes it."""
    path = ""
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        elif step.isidentifier():
            path += f".{step}" if path else step
        else:
            path += f'["{_cut(step, 80)}"]'
    return path


def _faults(error: jsonschema_rs.ValidationError) -> Iterator[Fault]:
    kind: Any = error.kind
    steps = list(error.instance_path)
    if kind.name == "required":
        yield Fault(path_of([*steps, kind.property]), "is required and missing")
    elif kind.name in {"additionalProperties", "unevaluatedProperties"}:
        for name in kind.unexpected[:_SHOWN]:
            yield Fault(path_of([*steps, name]), "is not among the properties that are known here")
    else:
        yield Fault(path_of(steps), _cut(_message(error), LONGEST))


def _message(error: jsonschema_rs.ValidationError) -> str:
    kind: Any = error.kind
    if kind.name == "falseSchema":
        return "must not be given"
    if kind.name not in {"anyOf", "oneOf"} or not getattr(kind, "context", None):
        return _without_value(error.message)
    branches = []
    for branch in kind.context[:4]:
        inner = faults_of(branch[:3])
        branches.append(", ".join(f"{one.path or MASK} {one.message}" for one in inner))
    if not any(branches):
        return _without_value(error.message)
    return "fits none of the shapes that are allowed: " + "; or ".join(filter(None, branches))


def _without_value(message: str) -> str:
    return message.removeprefix(MASK + " ")


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
