"""Publish a draft: freeze it, check it, and keep what was frozen for ever.

A version alone changes nothing for an agent; ``routing.releases`` makes the release of it and moves
the label.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from catalog.document import Problem, check
from catalog.freezing import Frozen, frozen_draft
from catalog.frozen_tools import FrozenTool
from catalog.models import Catalog, CatalogVersion, ToolRevision
from catalog.shelf import Shelf


class DraftHasProblems(Exception):
    """The draft cannot be published; ``problems`` says everything that is wrong with it."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class FrozenDraft:
    """A draft at one moment: its value, its canonical bytes and the hash of them.

    Parts of the value are shared with other looks at the draft: it is read only. ``tools`` are its
    tools with the number of each's revision.
    """

    value: Mapping[str, Any]
    content: bytes
    sha256: str
    problems: tuple[Problem, ...]
    tools: tuple[tuple[FrozenTool, int], ...]


# What is wrong with a document, by its hash: the same draft is looked at again and again.
_problems: Shelf[str, tuple[Problem, ...]] = Shelf(size=64)


def freeze_and_check(catalog: Catalog) -> FrozenDraft:
    """Return the draft as it stands now, with everything that keeps it from being published.

    The value is read back from the bytes: what looks at it sees what will look at the version.
    """
    return checked(frozen_draft(catalog))


def checked(frozen: Frozen) -> FrozenDraft:
    """Return a frozen draft with everything that keeps it from being published. Nothing is read."""
    return FrozenDraft(
        value=frozen.value,
        content=frozen.content,
        sha256=frozen.sha256,
        problems=_problems.get(frozen.sha256, lambda: tuple(check(frozen.value))),
        tools=frozen.tools,
    )


def make_version(
    *,
    catalog: Catalog,
    frozen: FrozenDraft,
    note: str,
    author: User | None,
    now: datetime,
) -> CatalogVersion:
    """Keep a frozen draft as the next version, with the revisions of the tools that changed.

    Must run inside a transaction that holds the catalog's row (``lock``). Where the newest version
    has the same content it is returned and nothing is made. Raises ``DraftHasProblems``.
    """
    if frozen.problems:
        raise DraftHasProblems(list(frozen.problems))
    newest = catalog.versions.order_by("-number").first()
    if newest is not None and newest.sha256 == frozen.sha256:
        return newest
    _keep_revisions(catalog, frozen.tools, now)
    return CatalogVersion.objects.create(
        catalog=catalog,
        number=1 if newest is None else newest.number + 1,
        document=frozen.content,
        sha256=frozen.sha256,
        note=note,
        author=author,
        created_at=now,
    )


def lock(catalog: Catalog) -> Catalog:
    """Hold the catalog's row until the transaction ends, so that changes happen one by one.

    Rows that refer to it can be added meanwhile: agents are answered while an edit takes its time.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("A catalog is locked inside a transaction.")
    return Catalog.objects.select_for_update(no_key=True).get(pk=catalog.pk)


def _keep_revisions(
    catalog: Catalog, tools: Iterable[tuple[FrozenTool, int]], now: datetime
) -> None:
    newest = dict(catalog.tool_revisions.newest().values_list("name", "revision"))
    ToolRevision.objects.keep(
        (
            (tool.name, revision, tool.content, tool.sha256)
            for tool, revision in tools
            if revision > newest.get(tool.name, 0)
        ),
        catalog=catalog,
        now=now,
    )
