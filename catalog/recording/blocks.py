"""Which operation a write belongs to: the one that is open for its catalog, or one of its own."""

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any

from django.db import models, router, transaction
from django.utils import timezone

from catalog.models import Catalog
from catalog.recording.ledger import Operation
from catalog.recording.sections import OWNER_OF, SECTION_OF, Link, Section

EDIT = "edit"
# A thread has a context of its own, and a connection of its own with it.
_open: ContextVar[tuple[Operation, ...]] = ContextVar("open_operations", default=())
_done: ContextVar[list[Operation] | None] = ContextVar("operations_done", default=None)


@contextmanager
def operations_done() -> Iterator[list[Operation]]:
    """Return a list that takes each operation of this thread that ends inside."""
    done: list[Operation] = []
    token = _done.set(done)
    try:
        yield done
    finally:
        _done.reset(token)


@contextmanager
def recorded(
    *,
    catalog: Catalog,
    action: str = EDIT,
    note: str = "",
    brief: bool = False,
    now: datetime | None = None,
) -> Iterator[Operation]:
    """Make one operation of every change of a draft inside, whole or not at all.

    Opens a transaction and holds the catalog's row until it ends; then writes an audit entry for
    each part that really changed, by whoever is ``acting``. ``operation.entries`` has them, and
    is empty where nothing changed; ``operation.id`` is what ``undo`` takes. Inside another block of
    the same catalog this is a part of that one, which it returns. An exception of the body undoes
    what the block did and leaves no entry.

    ``action`` is a stable code, which the pages have words for. ``brief`` keeps one entry with
    the number of parts, which cannot be undone: for filling a draft that has no parts yet, as a new
    catalog, which need not be saved yet. ``now`` is the time of the entries.
    """
    using = catalog._state.db or router.db_for_write(Catalog)  # noqa: SLF001 - public name
    with transaction.atomic(using=using):
        if outer := _operation_of(catalog, using):
            yield outer
            return
        is_there = not catalog._state.adding  # noqa: SLF001 - public name
        if is_there:
            _lock(catalog.pk, using)
        operation = Operation(catalog=catalog, using=using, action=action, note=note, brief=brief)
        if brief and is_there and any(_has_rows(catalog, using)):
            raise ValueError("A draft that has parts already is not changed in brief.")
        token = _open.set((*_open.get(), operation))
        try:
            yield operation
        finally:
            _open.reset(token)
        operation.finish(now=now or timezone.now())
        done = _done.get()
        if done is not None:
            done.append(operation)


def _operation_of(catalog: Catalog, using: str) -> Operation | None:
    for operation in _open.get():
        # Not by ==: two catalogs that are not saved yet are two.
        is_own = operation.catalog is catalog or (
            not catalog._state.adding and operation.catalog.pk == catalog.pk  # noqa: SLF001
        )
        if operation.using == using and is_own:
            return operation
    return None


def _has_rows(catalog: Catalog, using: str) -> Iterator[bool]:
    for model, section in SECTION_OF.items():
        if section.ordered:
            yield model._base_manager.using(using).filter(catalog=catalog).exists()  # noqa: SLF001


def _lock(pk: int, using: str) -> Catalog:
    # As catalog.publishing.lock does, of the database that is written.
    return Catalog.objects.using(using).select_for_update(no_key=True).get(pk=pk)


class Recording:
    """What the models tell of their writes (``catalog.models.written.Recorder``)."""

    @contextmanager
    def changing(self, rows: "models.QuerySet[Any]", *, going: bool = False) -> Iterator[None]:
        """Record a change of rows that are there, or their end."""
        section, link = _known_as(rows.model)

        def read() -> list[tuple[int, int]]:
            return list(rows.values_list(*_paths(section, link)))

        if rows.model is Catalog and going:
            # All goes with it: whoever deletes a catalog notes the deed.
            yield
            return
        with ExitStack() as stack:
            found = read()
            action = "delete" if going and link is None else EDIT
            if self._opens(stack, {catalog for _pk, catalog in found}, rows.db, action):
                found = read()  # it may have changed until the catalog was held
            for operation in _open.get():
                own = [pk for pk, catalog in found if catalog == operation.catalog.pk]
                if own and operation.using == rows.db:
                    operation.will_change(section, own, going=going and link is None)
            yield

    @contextmanager
    def adding(self, rows: Collection[models.Model], *, using: str) -> Iterator[None]:
        """Record that rows are made."""
        if not rows:
            yield
            return
        section, link = _known_as(type(next(iter(rows))))
        if section.model is Catalog:
            with self._adding_catalogs(rows, using, section):
                yield
            return
        pk_of = _pk if link is None else _owner(link)
        catalogs = _catalogs_of(rows, section, link, using)
        with ExitStack() as stack:
            self._opens(stack, set(catalogs.values()), using, EDIT if link else "add")
            by_catalog = self._by_operation(rows, catalogs, link, using)
            if link is not None:
                for operation, own in by_catalog:
                    operation.will_change(section, {pk_of(row) for row in own})
            yield
            if link is None:
                for operation, own in by_catalog:
                    operation.was_made(section, [pk_of(row) for row in own])

    @contextmanager
    def _adding_catalogs(
        self, rows: Collection[Any], using: str, section: Section
    ) -> Iterator[None]:
        with ExitStack() as stack:
            for row in rows:
                stack.enter_context(transaction.atomic(using=using))
                stack.enter_context(recorded(catalog=row, action="make"))
            operations = [(row, _operation_of(row, using)) for row in rows]
            yield
            for row, operation in operations:
                if operation:
                    operation.was_made(section, [row.pk])

    @staticmethod
    def _opens(stack: ExitStack, catalogs: Collection[int], using: str, action: str) -> bool:
        """Open an operation for each catalog that has none, and tell whether there was one."""
        known = {one.catalog.pk for one in _open.get() if one.using == using}
        new = sorted(set(catalogs) - known)
        for pk in new:
            stack.enter_context(transaction.atomic(using=using))
            stack.enter_context(recorded(catalog=_lock(pk, using), action=action))
        return bool(new)

    @staticmethod
    def _by_operation(
        rows: Collection[models.Model],
        catalogs: "dict[int, int]",
        link: Link | None,
        using: str,
    ) -> "list[tuple[Operation, list[models.Model]]]":
        key = _catalog_pk if link is None else _owner(link)
        own: dict[int, list[models.Model]] = {}
        for row in rows:
            own.setdefault(catalogs[key(row)], []).append(row)
        return [
            (operation, own[operation.catalog.pk])
            for operation in _open.get()
            if operation.using == using and operation.catalog.pk in own
        ]


def _known_as(model: type[models.Model]) -> tuple[Section, Link | None]:
    if model in SECTION_OF:
        return SECTION_OF[model], None
    return OWNER_OF[model]


def _paths(section: Section, link: Link | None) -> tuple[str, str]:
    if link is not None:
        return f"{link.owner}_id", f"{link.owner}__catalog_id"
    return ("pk", "catalog_id") if section.ordered else ("pk", "id")


def _catalogs_of(
    rows: Collection[Any], section: Section, link: Link | None, using: str
) -> dict[int, int]:
    """Return the catalog of each owner of a reference; of parts, each catalog by itself."""
    if link is None:
        return {row.catalog_id: row.catalog_id for row in rows}
    owners = {_owner(link)(row) for row in rows}
    for operation in _open.get():
        if operation.using == using and operation.knows(section, owners):
            return dict.fromkeys(owners, operation.catalog.pk)
    owned = section.model._base_manager.using(using).filter(pk__in=owners)  # noqa: SLF001
    return dict(owned.values_list("pk", "catalog_id"))


def _pk(row: models.Model) -> int:
    pk: int = row.pk
    return pk


def _catalog_pk(row: Any) -> int:
    pk: int = row.catalog_id
    return pk


def _owner(link: Link) -> Callable[[Any], int]:
    def owner(row: Any) -> int:
        pk: int = getattr(row, f"{link.owner}_id")
        return pk

    return owner
