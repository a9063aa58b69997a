"""What writing a whole document into a draft would change of it, before it is done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.diff import Kind, changes_between
from catalog.models import Catalog
from catalog.publishing import freeze_and_check
from dashboard.reviews import PartChanges, by_part, count_parts


@dataclass(frozen=True, slots=True)
class RewritePreview:
    """The changes from the draft to a document.

    ``is_kept`` tells whether a version has what the draft says now: if none has, only ``undo``
    brings it back.
    """

    draft_sha256: str
    parts: Sequence[PartChanges]
    counts: Mapping[Kind, int]
    is_kept: bool


def preview_of(catalog: Catalog, *, document: Mapping[str, Any]) -> RewritePreview:
    """Return what a draft would say otherwise, were a document written into it."""
    frozen = freeze_and_check(catalog)
    parts = list(by_part(changes_between(frozen.value, document)))
    return RewritePreview(
        draft_sha256=frozen.sha256,
        parts=parts,
        counts=count_parts(parts),
        is_kept=catalog.versions.filter(sha256=frozen.sha256).exists() or _is_empty(frozen.value),
    )


def _is_empty(document: Mapping[str, Any]) -> bool:
    return not any(
        document[section]
        for section in ("tools", "groups", "phases", "routes", "keyword_rules", "intent_rules")
    )
