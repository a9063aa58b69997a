"""What writing a whole document into a draft would change of it, before it is done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.diff import changes_between
from catalog.models import Catalog
from catalog.publishing import freeze_and_check
from catalog.views.requests import PageRequest
from dashboard.forms.catalogs import RewriteForm
from dashboard.reviews import PartChanges, by_part, shown_parts


@dataclass(frozen=True, slots=True)
class RewritePreview:
    """The changes from the draft to a document.

    ``is_kept`` tells whether a version has what the draft says now: if none has, only ``undo``
    brings it back.
    """

    draft_sha256: str
    parts: Sequence[PartChanges]
    is_kept: bool


def preview_of(catalog: Catalog, *, document: Mapping[str, Any]) -> RewritePreview:
    """Return what a draft would say otherwise, were a document written into it."""
    frozen = freeze_and_check(catalog)
    parts = list(by_part(changes_between(frozen.value, document)))
    return RewritePreview(
        draft_sha256=frozen.sha256,
        parts=parts,
        is_kept=catalog.versions.filter(sha256=frozen.sha256).exists() or _is_empty(frozen.value),
    )


def rewrite_context(request: PageRequest, preview: RewritePreview) -> dict[str, object]:
    """Return what a page shows of it, with the form that asks for it; a reason sent stays there."""
    seen = {"reviewed": preview.draft_sha256}
    form = RewriteForm(initial=seen)
    if request.method == "POST":
        form = RewriteForm({**seen, "reason": request.POST.get("reason", "")})
    return {"preview": preview, "form": form, **shown_parts(preview.parts)}


def _is_empty(document: Mapping[str, Any]) -> bool:
    return not any(
        document[section]
        for section in ("tools", "groups", "phases", "routes", "keyword_rules", "intent_rules")
    )
