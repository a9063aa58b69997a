"""Make rows of a draft what they should be: the one way back from values to rows.

Undo and ``catalog.rewriting`` share it. All sections are written together, in an order in which no
name is there twice at any moment and no reference points to a row that is not there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from catalog.models import Catalog
from catalog.recording.rows import AT_ONCE, Row, batches, same
from catalog.recording.sections import SECTIONS, Link, Section


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A row as it is and as it should be; ``None`` is "not there"."""

    now: Row | None
    wanted: Row | None


# Columns that others are worked out from; see the ``derive`` of tools and groups.
DERIVED_FROM = frozenset({"name", "title", "description", "tags", "input_schema"})
KINDS_OF_VALUES = 50

# By section and primary key. A row that is made has the primary key that it should have.
Plan = Mapping[str, Mapping[int, Rewrite]]


def write_rows(
    *, catalog: Catalog, plan: Plan, before_deleting: Callable[[], None] = lambda: None
) -> None:
    """Write what a plan wants. Runs a bounded number of statements for each thousand rows.

    Belongs inside ``recorded`` of the catalog. ``before_deleting`` is called when the references
    that go are gone, and may raise. Raises ``IntegrityError`` where a name is taken by a row that
    the plan does not know.
    """
    parts = [(SECTIONS[kind], rewrites) for kind, rewrites in plan.items()]
    for section, rewrites in parts:
        for link in section.links:
            _unlink(link, rewrites)
    before_deleting()
    for section, rewrites in parts:
        gone = [pk for pk, one in rewrites.items() if one.now and not one.wanted]
        for some in batches(gone):
            section.model.objects.filter(pk__in=some).delete()
    for section, rewrites in parts:
        _change(section, catalog, rewrites)
        made = [
            _instance(section, catalog, pk, one.wanted)
            for pk, one in rewrites.items()
            if one.wanted and not one.now
        ]
        section.model.objects.bulk_create(made)
    for section, rewrites in parts:
        for link in section.links:
            _link(link, rewrites)


def _unlink(link: Link, rewrites: Mapping[int, Rewrite]) -> None:
    gone: list[tuple[int, int]] = []
    for pk, one in rewrites.items():
        if one.now and one.wanted:
            wanted = one.wanted.links[link.field]
            gone += [
                (pk, target)
                for target, reference in one.now.links[link.field].items()
                if target not in wanted or reference.place != wanted[target].place
            ]
    rows = link.through._default_manager  # noqa: SLF001 - Django's public name
    pks = _reference_pks(link, gone)
    for some in batches(pks):
        rows.filter(pk__in=some).delete()


def _reference_pks(link: Link, pairs: list[tuple[int, int]]) -> list[int]:
    wanted, found = set(pairs), []
    rows = link.through._base_manager.all()  # noqa: SLF001 - Django's public name
    for owners in batches(sorted({owner for owner, _target in pairs})):
        some = rows.filter(**{f"{link.owner}__in": owners})
        found += [
            pk
            for pk, owner, target in some.values_list("pk", f"{link.owner}_id", f"{link.target}_id")
            if (owner, target) in wanted
        ]
    return found


def _change(section: Section, catalog: Catalog, rewrites: Mapping[int, Rewrite]) -> None:
    """Write the columns that differ; those that must be unlike others pass through a value apart.

    SQLite and PostgreSQL check each row as it is written: two names that are exchanged would be the
    same for a moment.
    """
    changed: dict[int, tuple[Row, frozenset[str]]] = {}
    for pk, one in rewrites.items():
        if one.now and one.wanted:
            now, wanted = one.now.columns, one.wanted.columns
            fields = frozenset(name for name in wanted if not same(now[name], wanted[name]))
            if fields:
                changed[pk] = one.wanted, fields
    unlike = {pk for pk, (_row, fields) in changed.items() if fields.intersection(section.unique)}
    if len(unlike) > 1 or (unlike and _makes_or_ends(rewrites)):
        _set_apart(section, unlike)
        for pk in unlike:
            row, fields = changed[pk]
            changed[pk] = row, fields.union(section.unique)
    if section.model is Catalog:
        for row, fields in changed.values():
            Catalog.objects.filter(pk=catalog.pk).update(
                **{name: row.columns[name] for name in fields}
            )
            for name in fields:
                setattr(catalog, name, row.columns[name])
        return
    by_fields: dict[frozenset[str], list[Any]] = {}
    for pk, (row, fields) in changed.items():
        by_fields.setdefault(fields, []).append(_instance(section, catalog, pk, row))
    for fields, rows in by_fields.items():
        if fields & DERIVED_FROM:
            derived = _derive(section, rows)
            section.model.objects.bulk_update(rows, [*fields, *derived], batch_size=AT_ONCE)
        else:
            _write_alike(section, sorted(fields), rows)


def _write_alike(section: Section, fields: list[str], rows: list[Any]) -> None:
    """Write rows that get the same values in one statement, if there are few kinds of values."""
    alike: dict[str, list[Any]] = {}
    for row in rows:
        alike.setdefault(repr([getattr(row, name) for name in fields]), []).append(row)
    if len(alike) > KINDS_OF_VALUES:
        section.model.objects.bulk_update(rows, fields, batch_size=AT_ONCE)
        return
    for some in alike.values():
        values = {name: getattr(some[0], name) for name in fields}
        for pks in batches([row.pk for row in some]):
            section.model.objects.filter(pk__in=pks).update(**values)


def _makes_or_ends(rewrites: Mapping[int, Rewrite]) -> bool:
    return any(not (one.now and one.wanted) for one in rewrites.values())


def _set_apart(section: Section, pks: set[int]) -> None:
    rows = [section.model(pk=pk) for pk in pks]
    for row in rows:
        for name in section.unique:
            setattr(row, name, False if name == "initial" else f"~{row.pk}")
    section.model.objects.bulk_update(rows, section.unique, batch_size=AT_ONCE)


def _derive(section: Section, rows: list[Any]) -> tuple[str, ...]:
    """Work out what is kept beside the columns, and say in which columns."""
    derived = {"tools": ("tokens", "search_text"), "groups": ("search_text",)}
    if section.kind in derived:
        for row in rows:
            row.derive()
    return derived.get(section.kind, ())


def _instance(section: Section, catalog: Catalog, pk: int, row: Row) -> Any:
    return section.model(pk=pk, catalog=catalog, **row.columns)


def _link(link: Link, rewrites: Mapping[int, Rewrite]) -> None:
    made: list[Any] = []
    moved: list[Any] = []
    for pk, one in rewrites.items():
        if one.wanted is None:
            continue
        now = one.now.links[link.field] if one.now else {}
        for target, reference in one.wanted.links[link.field].items():
            row = link.through(**{f"{link.owner}_id": pk, f"{link.target}_id": target})
            if link.placed:
                row.pk, row.position = reference.place, reference.position  # type: ignore[attr-defined]
            was = now.get(target)
            if was is None or was.place != reference.place:
                made.append(row)
            elif was.position != reference.position:
                moved.append(row)
    rows: Any = link.through._default_manager  # noqa: SLF001 - Django's public name
    rows.bulk_create(made)
    if moved:
        rows.bulk_update(moved, ["position"], batch_size=AT_ONCE)
