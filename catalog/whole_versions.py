"""Whole versions in and out of a draft: restored from the catalog's own, or read from a file.

What ``document`` of a version holds is written into the draft exactly, so that publishing the draft
unchanged makes the same bytes again.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any

import jsonschema_rs

from catalog.document import canonical_bytes, check, parse, sha256_hex
from catalog.document.problems import gettext_noop
from catalog.models import Catalog, CatalogVersion
from catalog.publishing import freeze_and_check
from catalog.recording import Operation, recorded
from catalog.recording.sections import SECTIONS, Section
from catalog.revisions import adopt, known_revisions, numbers_of
from catalog.rewriting import write_document

MOST_FAULTS = 20
_NAMED = ("tools", "groups", "phases", "routes")
# Problems of a document that no draft can have, either; the others can be mended there.
_UNWRITABLE = frozenset({"unknown_name", "colliding_names", "reserved_name"})


_MOST: Mapping[str, float | None] = {
    "FloatField": sys.float_info.max,
    "PositiveIntegerField": 2**31 - 1,
    "PositiveSmallIntegerField": 2**15 - 1,
    "TextField": None,
}
# What is counted on from it has to fit, too.
_LAST_REVISION = 10**9
_TWICE = gettext_noop("“%(name)s” is there twice in “%(section)s”.")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a file is no version: ``template % params``, to be translated where it is shown."""

    template: str
    params: Mapping[str, object]

    def __str__(self) -> str:
        return self.template % self.params


class NotAVersion(Exception):
    """A file is not what was exported from a catalog; ``faults`` say why."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


class DraftMoved(Exception):
    """The draft was changed after its reader last looked at it."""


@dataclass(frozen=True, slots=True)
class ReadVersion:
    """A version that was read from a file.

    ``content`` are its canonical bytes and ``sha256`` is over them; ``as_exported`` tells whether
    the file has these very bytes.
    """

    value: Mapping[str, Any]
    content: bytes
    sha256: str
    as_exported: bool


@dataclass(frozen=True, slots=True)
class Renumbered:
    """A tool that carries one revision number in a file and gets another one here."""

    name: str
    carried: int
    given: int


def read_version(data: bytes, *, sha256: str = "") -> ReadVersion:
    """Read the document of a version, and check it against the hash that it should have.

    ``sha256`` is hexadecimal, empty where none is known. Raises ``NotAVersion``.
    """
    try:
        value = parse(data)
        content = canonical_bytes(value)
    except (ValueError, RecursionError) as error:
        said = gettext_noop("This is not a document of a version: %(reason)s")
        raise NotAVersion(Fault(said, {"reason": str(error)[:200]})) from error
    found = sha256_hex(content)
    if sha256 and sha256.strip().lower() not in {found, sha256_hex(data)}:
        said = gettext_noop("The SHA-256 of this file is %(found)s, and should be %(expected)s.")
        raise NotAVersion(Fault(said, {"found": found, "expected": sha256.strip()}))
    if faults := list(islice(_faults(value), MOST_FAULTS)):
        raise NotAVersion(*faults)
    return ReadVersion(value=value, content=content, sha256=found, as_exported=content == data)


def renumbered(*, catalog: Catalog, version: ReadVersion) -> list[Renumbered]:
    """Return the tools whose revision numbers cannot be kept here.

    Either the content has another number here already, or the number has another content.
    """
    numbers = numbers_of(tools=version.value["tools"], known=known_revisions(catalog))
    return [
        Renumbered(name=name, carried=carried, given=given)
        for name, (carried, given) in numbers.items()
        if carried != given
    ]


def take_in(
    *,
    catalog: Catalog,
    version: ReadVersion,
    reviewed_sha256: str | None,
    now: datetime,
    note: str = "",
) -> Operation:
    """Make the draft say what a version from a file says, its revision numbers included.

    ``reviewed_sha256`` is the hash of the draft that was looked at; ``None`` takes it as it is.
    Raises ``DraftMoved``.
    """
    with recorded(catalog=catalog, action="import_version", note=note, now=now) as operation:
        _refuse_if_moved(catalog, reviewed_sha256)
        adopt(catalog=catalog, tools=version.value["tools"], now=now)
        write_document(catalog=catalog, document=version.value)
    return operation


def restore(
    *, version: CatalogVersion, reviewed_sha256: str | None, now: datetime, note: str = ""
) -> Operation:
    """Make the draft of a version's catalog say what the version says; raises ``DraftMoved``."""
    catalog = version.catalog
    with recorded(catalog=catalog, action="restore", note=note or str(version), now=now) as done:
        _refuse_if_moved(catalog, reviewed_sha256)
        write_document(catalog=catalog, document=version.parsed())
    return done


def _refuse_if_moved(catalog: Catalog, reviewed_sha256: str | None) -> None:
    current = Catalog.objects.get(pk=catalog.pk)
    if reviewed_sha256 is not None and freeze_and_check(current).sha256 != reviewed_sha256:
        raise DraftMoved


def _faults(value: Mapping[str, Any]) -> Iterator[Fault]:
    """Find what keeps a document from being a draft."""
    wrong_shape = False
    for error in _shape().iter_errors(value):
        wrong_shape = True
        path = "/".join(map(str, error.instance_path))
        said = gettext_noop("At /%(path)s: %(message)s")
        yield Fault(said, {"path": path[:200], "message": error.message[:200]})
    if wrong_shape:
        return
    if any("\0" in text for text in _texts(value)):
        yield Fault(gettext_noop("No database takes the character U+0000."), {})
    for section in _NAMED:
        counted = Counter(part["name"] for part in value[section])
        for name, times in counted.items():
            if times > 1:
                yield Fault(_TWICE, {"name": name, "section": section})
    channels = Counter((rule["kind"], rule["value"]) for rule in value["channel_rules"])
    for channel, times in channels.items():
        if times > 1:
            yield Fault(_TWICE, {"name": " ".join(channel)[:200], "section": "channel_rules"})
    yield from _unfit(value)
    for problem in check(value):
        if problem.code in _UNWRITABLE:
            yield Fault(problem.template, problem.params)


def _unfit(value: Mapping[str, Any]) -> Iterator[Fault]:
    """Find the values that are too long or too large for their columns."""
    routes = [
        {**route, **{f"budget_{kind}": most for kind, most in route["budget"].items()}}
        for route in value["routes"]
    ]
    for kind, section in SECTIONS.items():
        parts = [value] if kind == "settings" else routes if kind == "routes" else value[kind]
        bounds = [*_bounds(section), *([("revision", _LAST_REVISION)] if kind == "tools" else [])]
        for number, part in enumerate(parts, 1):
            for column, most in bounds:
                one = part.get(column)
                if one is None or (len(one) if isinstance(one, str) else one) <= most:
                    continue
                said = gettext_noop("“%(column)s” of no. %(number)d in “%(section)s” is too large.")
                yield Fault(said, {"column": column, "number": number, "section": kind})


def _bounds(section: Section) -> Iterator[tuple[str, float]]:
    """Return what bounds a section's texts and numbers on every database."""
    for column in section.columns:
        field = section.model._meta.get_field(column)  # noqa: SLF001 - Django's public name
        most = _MOST.get(field.get_internal_type(), field.max_length)
        if most is not None:
            yield column, most


def _texts(value: object) -> Iterator[str]:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, list):
            waiting += item


@cache
def _shape() -> Any:
    content = files("catalog.document").joinpath("document.schema.json").read_bytes()
    return jsonschema_rs.validator_for(json.loads(content))
