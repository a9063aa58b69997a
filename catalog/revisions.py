"""The numbers of a tool's revisions: one number for one content.

A number is given once, to the content that a tool is first published with, and content that comes
back has the number that it had: by restoring a version, by rolling a draft back by hand, or by
taking in a version from elsewhere. So equal content has an equal hash, whichever way it came.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from catalog.document import canonical_bytes, sha256_hex, tool_content
from catalog.models import Catalog, ToolRevision


class Revisions:
    """The revisions that a catalog knows, by the name of the tool and the hash of its content."""

    def __init__(self, rows: Iterable[tuple[str, int, str]]) -> None:
        self._numbers: dict[str, dict[str, int]] = defaultdict(dict)
        self._taken: dict[str, dict[int, str]] = defaultdict(dict)
        # Of two that say the same the newer counts.
        for name, number, sha256 in sorted(rows):
            self.add(name, number, sha256)

    def add(self, name: str, number: int, sha256: str) -> None:
        """Know one more."""
        self._numbers[name][sha256] = number
        self._taken[name][number] = sha256

    def number_of(self, name: str, sha256: str) -> int:
        """Return the number of a content: its own, or the next one where it is new."""
        known = self._numbers.get(name)
        if known is None:
            return 1
        return known.get(sha256) or max(self._taken[name]) + 1

    def newest(self, name: str) -> int:
        """Return the highest number that a tool has had, 0 before the first."""
        return max(self._taken.get(name, ()), default=0)

    def has(self, name: str, sha256: str) -> bool:
        """Tell whether a tool was published with this content, or taken in with it."""
        return sha256 in self._numbers.get(name, ())

    def is_free(self, name: str, number: int) -> bool:
        """Tell whether no content of a tool has this number yet."""
        return number not in self._taken.get(name, ())


def known_revisions(catalog: Catalog) -> Revisions:
    """Return the revisions that a catalog knows. One query."""
    return Revisions(catalog.tool_revisions.values_list("name", "revision", "sha256"))


def numbers_of(
    *, tools: Iterable[Mapping[str, Any]], known: Revisions
) -> dict[str, tuple[int, int]]:
    """Return by name the number that each tool of a document carries and the one it gets here.

    A number that is free here is taken over with its content, once ``adopt`` was called.
    """
    numbers = {}
    for tool in tools:
        name, carried, sha256 = tool["name"], tool["revision"], _sha256(tool)
        free = not known.has(name, sha256) and known.is_free(name, carried)
        numbers[name] = (carried, carried if free else known.number_of(name, sha256))
    return numbers


def adopt(*, catalog: Catalog, tools: Iterable[Mapping[str, Any]], now: datetime) -> None:
    """Know the revisions of a document from elsewhere by the numbers that they carry.

    What is known already, and a number that another content has here, stays as it is: such a tool
    gets its number as any that is edited.
    """
    known = known_revisions(catalog)
    rows = []
    for tool in tools:
        name, number, content = tool["name"], tool["revision"], canonical_bytes(tool_content(tool))
        sha256 = sha256_hex(content)
        if known.has(name, sha256) or not known.is_free(name, number):
            continue
        known.add(name, number, sha256)
        rows.append(
            ToolRevision(
                catalog=catalog,
                name=name,
                revision=number,
                content=content,
                sha256=sha256,
                created_at=now,
            )
        )
    ToolRevision.objects.bulk_create(rows)


def _sha256(tool: Mapping[str, Any]) -> str:
    return sha256_hex(canonical_bytes(tool_content(tool)))
