"""Rows of a draft, each of whose writes is told to the recorder before it happens.

Whichever way the ORM writes them: ``save`` and ``delete``, and ``update``, ``delete``,
``bulk_create`` and ``bulk_update`` of a queryset, also those that related managers call. Signals
would not do: Django sends none for an update, nor for many rows at once. ``catalog.recording`` is
the recorder; it needs the models, so that it makes itself known here instead of being imported.
"""

from collections.abc import Collection, Iterable
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from django.db import models, router
from django.db.models.base import ModelBase


class Recorder(Protocol):
    """What is told of writes. The write happens inside the context that it returns."""

    def changing(
        self, rows: "models.QuerySet[Any]", *, going: bool = False
    ) -> AbstractContextManager[None]:
        """Return a context for a change of rows, or for their end where ``going``."""

    def adding(self, rows: Collection[models.Model], *, using: str) -> AbstractContextManager[None]:
        """Return a context for new rows; when it ends they have their primary keys."""


_told: list[Recorder] = []


def tell(recorder: Recorder) -> None:
    """Tell ``recorder`` of every write from now on, and no other."""
    _told[:] = [recorder]


RowT = TypeVar("RowT", bound=models.Model)


class WrittenQuerySet(models.QuerySet[RowT]):
    """Reads and writes of rows of a draft."""

    def update(self, **kwargs: Any) -> int:
        """Update the rows in one statement."""
        with _told[0].changing(self):
            return super().update(**kwargs)

    def delete(self) -> tuple[int, dict[str, int]]:
        """Delete the rows, and what refers to them."""
        with _told[0].changing(self, going=True):
            return super().delete()

    def bulk_create(self, objs: Iterable[RowT], *args: Any, **kwargs: Any) -> list[RowT]:
        """Create rows in one statement.

        Raises ``ValueError`` where parts that exist would be skipped or changed by it: then nobody
        could say which of them were made. A tool's place in a group may be skipped.
        """
        made = list(objs)
        if kwargs.get("update_conflicts") or (kwargs.get("ignore_conflicts") and _are_parts(made)):
            raise ValueError("Parts of a draft are made or changed, not the one or the other.")
        with _told[0].adding(made, using=self.db):
            return super().bulk_create(made, *args, **kwargs)

    def bulk_update(self, objs: Iterable[RowT], *args: Any, **kwargs: Any) -> int:
        """Write fields of many rows in one statement."""
        changed = list(objs)
        pks = [row.pk for row in changed]
        with _told[0].changing(_plain(self.model, self.db).filter(pk__in=pks)):
            return super().bulk_update(changed, *args, **kwargs)

    update.alters_data = True  # type: ignore[attr-defined]
    delete.alters_data = delete.queryset_only = True  # type: ignore[attr-defined]
    bulk_create.alters_data = bulk_update.alters_data = True  # type: ignore[attr-defined]


class WrittenManager(models.Manager[RowT]):
    """The manager of rows that have no reads of their own."""

    def get_queryset(self) -> WrittenQuerySet[RowT]:
        """Return all rows, whose writes are told."""
        return WrittenQuerySet(self.model, using=self._db)


class WrittenModel(models.Model):
    """A row whose own ``save`` and ``delete`` are told as well."""

    class Meta:
        abstract = True

    def save(
        self,
        *,
        force_insert: bool | tuple[ModelBase, ...] = False,
        force_update: bool = False,
        using: str | None = None,
        update_fields: Iterable[str] | None = None,
    ) -> None:
        """Save the row."""
        database = using or router.db_for_write(type(self), instance=self)
        told = (
            _told[0].adding([self], using=database)
            if self._state.adding
            else _told[0].changing(self._own(database))
        )
        with told:
            super().save(
                force_insert=force_insert,
                force_update=force_update,
                using=using,
                update_fields=update_fields,
            )

    def delete(
        self, using: str | None = None, keep_parents: bool = False
    ) -> tuple[int, dict[str, int]]:
        """Delete the row, and what refers to it."""
        database = using or router.db_for_write(type(self), instance=self)
        with _told[0].changing(self._own(database), going=True):
            return super().delete(using=using, keep_parents=keep_parents)

    save.alters_data = delete.alters_data = True  # type: ignore[attr-defined]

    def _own(self, using: str) -> "models.QuerySet[Any]":
        return _plain(type(self), using).filter(pk=self.pk)


def _plain(model: type[models.Model], using: str) -> "models.QuerySet[Any]":
    return model._base_manager.using(using).all()  # noqa: SLF001 - Django's public name


def _are_parts(rows: list[Any]) -> bool:
    return any(hasattr(row, "catalog_id") for row in rows)
