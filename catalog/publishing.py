"""Publish a draft: freeze it, check it, and keep what was frozen for ever.

A version alone changes nothing for an agent; ``routing.releases`` makes the release of it and moves
the label.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from catalog.document import Problem, canonical_bytes, check, parse, sha256_hex, tool_content
from catalog.freezing import freeze
from catalog.models import Catalog, CatalogVersion, ToolRevision


class DraftHasProblems(Exception):
    """The draft cannot be published; ``problems`` says everything that is wrong with it."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class FrozenDraft:
    """A draft at one moment: its value, its canonical bytes and the hash of them."""

    value: Mapping[str, Any]
    content: bytes
    sha256: str
    problems: tuple[Problem, ...]


def freeze_and_check(catalog: Catalog) -> FrozenDraft:
    """Return the draft as it stands now, with everything that keeps it from being published.

    The value is read back from the bytes: what looks at it sees what will look at the version.
    """
    content = canonical_bytes(freeze(catalog))
    value = parse(content)
    return FrozenDraft(
        value=value, content=content, sha256=sha256_hex(content), problems=tuple(check(value))
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
    _keep_revisions(catalog, frozen.value, now)
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
    """Hold the catalog's row until the transaction ends, so that publishes happen one by one."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("A catalog is locked inside a transaction.")
    return Catalog.objects.select_for_update().get(pk=catalog.pk)


def _keep_revisions(catalog: Catalog, value: Mapping[str, Any], now: datetime) -> None:
    newest = dict(catalog.tool_revisions.newest().values_list("name", "revision"))
    changed = []
    for tool in value["tools"]:
        if tool["revision"] > newest.get(tool["name"], 0):
            content = canonical_bytes(tool_content(tool))
            changed.append(
                ToolRevision(
                    catalog=catalog,
                    name=tool["name"],
                    revision=tool["revision"],
                    content=content,
                    sha256=sha256_hex(content),
                    created_at=now,
                )
            )
    ToolRevision.objects.bulk_create(changed)
