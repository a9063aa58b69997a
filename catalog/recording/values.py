"""The values ``before`` and ``after`` of an entry, and rows from them.

Of a row that was made or deleted the whole is kept; of one that changed only the fields that did,
so that a long description is not kept again with every switch of its tool. A reference is
``[row, name]``, and ``[row, name, place, position]`` where it has a place of its own; of a link
that changed only the references that went (``before``) and came (``after``) are kept. The order of
a section is ``[row, name, position]`` of the rows whose position changed.
"""

from collections.abc import Mapping
from typing import Any

from catalog.recording.rows import Reference, References, Row, same, same_references
from catalog.recording.sections import Section

Value = dict[str, Any]
ORDER = "order"


def whole_value(row: Row) -> Value:
    """Return all of a row."""
    return {**row.columns, **{name: _listed(links) for name, links in row.links.items()}}


def row_of(section: Section, value: Mapping[str, Any]) -> Row:
    """Return the row that ``whole_value`` was made from."""
    links = {link.field: references_of(value[link.field]) for link in section.links}
    return Row({name: value[name] for name in value if name not in links}, links)


def changed_values(before: Row, after: Row) -> tuple[Value, Value]:
    """Return the fields that differ, as they were and as they are; a position is of the order."""
    was: Value = {}
    now: Value = {}
    for name, value in after.columns.items():
        if name != "position" and not same(before.columns[name], value):
            was[name], now[name] = before.columns[name], value
    for name, links in after.links.items():
        if not same_references(before.links[name], links):
            was[name] = _listed(_without(before.links[name], links))
            now[name] = _listed(_without(links, before.links[name]))
    return was, now


def order_values(
    section: Section, changed: Mapping[int, tuple[Row, Row]]
) -> tuple[Value, Value] | None:
    """Return the positions that differ, each list in its own order; ``None`` where none does."""
    moved = {
        pk: rows
        for pk, rows in changed.items()
        if section.ordered and rows[0].columns["position"] != rows[1].columns["position"]
    }
    if not moved:
        return None
    return _order(section, moved, 0), _order(section, moved, 1)


def references_of(listed: list[list[Any]]) -> dict[int, Reference]:
    """Return references by row from how entries list them."""
    return {row: Reference(*rest) for row, *rest in listed}


def _order(section: Section, moved: Mapping[int, tuple[Row, Row]], when: int) -> Value:
    rows = [
        [pk, section.subject(rows[1].columns)[:64], rows[when].columns["position"]]
        for pk, rows in moved.items()
    ]
    return {ORDER: sorted(rows, key=lambda row: (row[2], row[0]))}


def _listed(links: References) -> list[list[Any]]:
    listed: list[list[Any]] = [
        [pk, reference.name]
        if reference.place is None
        else [pk, reference.name, reference.place, reference.position]
        for pk, reference in links.items()
    ]
    return sorted(listed, key=lambda one: (one[-1] if len(one) > 2 else 0, one[0]))


def _without(links: References, others: References) -> References:
    return {
        pk: reference
        for pk, reference in links.items()
        if pk not in others or reference.identity != others[pk].identity
    }
