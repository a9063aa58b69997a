"""YAML 1.2 by its core schema, made from the parser's events.

In YAML 1.1, which most libraries read, ``no`` is false and ``2015-02-22`` a date. Here both are
texts, keys are always texts, tags construct nothing, and aliases cannot grow without bound.
"""

import math
import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from catalog.reading.objects import object_of
from catalog.reading.results import Faulted

_MOST_DEPTH = 400
_MOST_NODES = 3_000_000
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_NULL = re.compile(r"~|null|Null|NULL|\Z")
_BOOLEAN = re.compile(r"true|True|TRUE|false|False|FALSE")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_MOST_DIGITS = 400


@dataclass(slots=True)
class _Node:
    """A list or an object that is being read."""

    is_object: bool
    anchor: str | None
    items: list[Any] = field(default_factory=list)
    merges: list[Any] = field(default_factory=list)
    key: str | None = None
    size: int = 1


def parse_yaml(text: str) -> Any:
    """Return the value of a YAML text; several documents are a list. Raises ``Faulted``."""
    try:
        return _Builder().built(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise Faulted("no_json", reason=" ".join(str(error).split())) from error


class _Builder:
    def __init__(self) -> None:
        self._open: list[_Node] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._documents: list[Any] = []

    def built(self, text: str) -> Any:
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, yaml.DocumentStartEvent):
                self._anchors.clear()
            elif isinstance(event, yaml.ScalarEvent):
                self._scalar(event)
            elif isinstance(event, yaml.AliasEvent):
                self._alias(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                if len(self._open) >= _MOST_DEPTH:
                    raise Faulted("too_deep", limit=_MOST_DEPTH)
                is_object = isinstance(event, yaml.MappingStartEvent)
                self._refuse_as_key()
                self._open.append(_Node(is_object, event.anchor))
            elif isinstance(event, yaml.CollectionEndEvent):
                self._close()
        return self._documents[0] if len(self._documents) == 1 else self._documents

    def _refuse_as_key(self) -> None:
        if self._open and self._open[-1].is_object and self._open[-1].key is None:
            raise Faulted("no_json", reason="a key is a list or an object")

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        top = self._open[-1] if self._open else None
        if top and top.is_object and top.key is None:
            top.key = event.value
            if event.anchor:
                self._anchors[event.anchor] = (event.value, 1)
            return
        plain = event.implicit[0] and event.style in (None, "")
        value = plain_value(event.value) if plain else event.value
        if event.anchor:
            self._anchors[event.anchor] = (value, 1)
        self._add(value, 1)

    def _alias(self, event: yaml.AliasEvent) -> None:
        self._refuse_as_key()
        if event.anchor not in self._anchors:
            raise Faulted("no_json", reason=f"*{event.anchor} stands for nothing yet")
        self._add(*self._anchors[event.anchor])

    def _close(self) -> None:
        node = self._open.pop()
        value: Any = node.items
        if node.is_object:
            merged = {key: item for merge in reversed(node.merges) for key, item in merge.items()}
            own = object_of(node.items)
            if not merged:
                value = own
            elif type(own) is dict:
                value = {**merged, **own}
            else:
                value = own
        if node.anchor:
            self._anchors[node.anchor] = (value, node.size)
        self._add(value, node.size)

    def _add(self, value: Any, size: int) -> None:
        """Put a value where it belongs; ``size`` counts what it stands for, aliases written out."""
        if not self._open:
            self._documents.append(value)
            return
        top = self._open[-1]
        top.size += size
        if top.size > _MOST_NODES:
            raise Faulted("too_many_aliases")
        if not top.is_object:
            top.items.append(value)
        elif top.key == "<<" and isinstance(value, dict):
            top.merges.append(value)
        elif top.key == "<<" and isinstance(value, list) and all(type(v) is dict for v in value):
            top.merges.extend(value)
        else:
            top.items.append((top.key, value))
        top.key = None


def plain_value(text: str) -> Any:
    """Return what an unquoted scalar is in YAML 1.2's core schema; most are texts."""
    if _NULL.fullmatch(text):
        return None
    if _BOOLEAN.fullmatch(text):
        return text.lower() == "true"
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) <= _MOST_DIGITS else math.inf
    if _BASED.fullmatch(text):
        return int(text, base=0)
    number = _FLOAT.fullmatch(text)
    return float(text) if number else math.nan if _NO_NUMBER.fullmatch(text) else text
