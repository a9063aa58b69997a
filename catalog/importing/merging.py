"""What a source says of a tool, merged with what was edited here since it last spoke.

A three-way merge, field by field: *there* is what the source says now, *before* what it said last,
*here* what the draft has. Who alone changed a field since wins; where both did, the draft does, and
it is told.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from catalog.formats.carried import CARRIED
from catalog.reading import Found
from catalog.reading.schemas import NO_ARGUMENTS
from catalog.reading.settling import ASSUMED

# What a tool has of which its source does not speak.
UNSAID: Mapping[str, Any] = {**ASSUMED, "input_schema": NO_ARGUMENTS}
# The fields that a source can speak of, by its format.
SAYABLE: Mapping[str, frozenset[str]] = {
    **{name: frozenset(fields) for name, fields in CARRIED.items()},
    "openapi": frozenset(
        {
            "title",
            "description",
            "tags",
            "input_schema",
            "output_schema",
            "side_effect",
            "idempotent",
        }
    ),
}


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of which the draft and the source say different things.

    ``taken`` tells whether the source's value goes in. Where it does not, the field was edited
    here, and ``both`` tells whether the source has changed it as well.
    """

    field: str
    here: Any
    there: Any
    taken: bool
    both: bool = False


def said_by(found: Found) -> dict[str, Any]:
    """Return the fields that a source speaks of; its own name is kept apart."""
    return {field: found.tool[field] for field in sorted(found.said - {"name"})}


def merge(
    *,
    here: Mapping[str, Any],
    found: Found,
    before: Mapping[str, Any] | None,
    format_name: str | None,
) -> tuple[FieldChange, ...]:
    """Return the fields in which a tool of the draft is not as its source has it.

    ``before`` holds the fields that the source spoke of last time, ``None`` where it never spoke of
    the tool: then what is not empty here was written here.
    """
    said = found.said - {"name"}
    if before is not None:
        # What the source could say and no longer does is as if it had never said it.
        said |= frozenset(before) & SAYABLE.get(format_name or "", frozenset())
    return tuple(_changes(here, found, before, sorted(said)))


def _changes(
    here: Mapping[str, Any],
    found: Found,
    before: Mapping[str, Any] | None,
    fields: list[str],
) -> Iterator[FieldChange]:
    for field in fields:
        mine, theirs = here[field], found.tool[field]
        if field == "aliases":
            theirs = _joined(mine, theirs, (before or {}).get(field, ()))
        if same(mine, theirs):
            continue
        if before is None:
            yield FieldChange(field, mine, theirs, taken=field == "aliases" or mine in _EMPTY)
            continue
        last = before.get(field, UNSAID[field])
        if field == "aliases" or same(mine, last):
            yield FieldChange(field, mine, theirs, taken=True)
        else:
            yield FieldChange(field, mine, theirs, taken=False, both=not same(theirs, last))


_EMPTY: tuple[object, ...] = ("", [], None)


def _joined(mine: list[str], theirs: list[str], last: object) -> list[str]:
    """Return the aliases of both, without those that the source has withdrawn.

    An alias only lets more calls through, so that those of one side take nothing from the other.
    """
    known = last if isinstance(last, list | tuple) else ()
    gone = {alias for alias in known if alias not in theirs}
    added = [alias for alias in theirs if alias not in known and alias not in mine]
    return [alias for alias in mine if alias not in gone] + added


def same(one: Any, other: Any) -> bool:
    """Tell whether two values of JSON are equal; ``true`` is no number, and ``1.0`` is ``1``.

    Databases keep numbers, and the order of keys, in ways of their own.
    """
    return bool(one == other) and _alike(one, other)


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping):
        return all(_alike(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return all(map(_alike, one, other))
    return True
