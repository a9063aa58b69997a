"""Published documents and what follows from them, kept in this process for a while.

A document never changes, nor do its differences from another, and the same few are looked at again
and again: reading one of 5,000 tools takes a third of a second, comparing two as long again.
"""

from collections.abc import Mapping
from typing import Any

from catalog.diff import Change, changes_between
from catalog.models import CatalogVersion
from catalog.publishing import FrozenDraft
from catalog.shelf import Shelf

# The value of a large document takes some 50 megabytes.
_values: Shelf[str, Mapping[str, Any]] = Shelf(size=3)
_changes: Shelf[tuple[str | None, str], tuple[Change, ...]] = Shelf(size=16)


def document_of(version: CatalogVersion) -> Mapping[str, Any]:
    """Return the document of a version, in the shape of document.schema.json.

    It is shared: whoever wants to change it takes ``version.parsed()``.
    """
    return _values.get(version.sha256, version.parsed)


def changes_since(
    before: CatalogVersion | None, after: CatalogVersion | FrozenDraft
) -> tuple[Change, ...]:
    """Return what changed from a version, ``None`` for none, to another or to the draft."""
    key = (before.sha256 if before else None, after.sha256)
    return _changes.get(key, lambda: _found(before, after))


def _found(
    before: CatalogVersion | None, after: CatalogVersion | FrozenDraft
) -> tuple[Change, ...]:
    if before is not None and before.sha256 == after.sha256:
        return ()
    value = after.value if isinstance(after, FrozenDraft) else document_of(after)
    return tuple(changes_between(document_of(before) if before else None, value))
