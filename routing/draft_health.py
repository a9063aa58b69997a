"""The health of a draft, beside that of what is live.

What needs an encoder or traffic, as pairs that a task could not tell apart, joins the findings of
the catalog here, so that the page, the publish and the command say the same.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from catalog.documents import document_of
from catalog.health import Finding, findings_of, in_order, new_warnings
from catalog.models import CatalogVersion
from catalog.publishing import FrozenDraft
from catalog.shelf import Shelf
from routing.look_alike_findings import finding_of
from routing.look_alikes import known_look_alikes
from routing.models import LabelMove

# By the hash of the document.
_found: Shelf[str, tuple[Finding, ...]] = Shelf(size=32)


def draft_findings(frozen: FrozenDraft) -> Sequence[Finding]:
    """Return everything that is wrong with a draft or could be better, the gravest first.

    Look-alikes are among them as far as they are known, see ``look_alikes``.
    """
    own = _found.get(
        frozen.sha256, lambda: tuple(findings_of(frozen.value, problems=frozen.problems))
    )
    return _with_look_alikes(own, sha256=frozen.sha256, value=frozen.value)


def warnings_to_explain(*, frozen: FrozenDraft, live: LabelMove | None) -> Sequence[Finding]:
    """Return the warnings that a publish of the draft asks a reason for: those of nothing live."""
    if live is not None and live.release.version.sha256 == frozen.sha256:
        return ()
    # What is live has no errors: it was published.
    before = _findings_of_version(live.release.version) if live else ()
    return new_warnings(before, draft_findings(frozen))


def _findings_of_version(version: CatalogVersion) -> Sequence[Finding]:
    value = document_of(version)
    own = _found.get(version.sha256, lambda: tuple(findings_of(value, problems=())))
    return _with_look_alikes(own, sha256=version.sha256, value=value)


def _with_look_alikes(
    own: Sequence[Finding], *, sha256: str, value: Mapping[str, Any]
) -> Sequence[Finding]:
    known = known_look_alikes(sha256=sha256, value=value).pairs
    return in_order([*own, *map(finding_of, known)]) if known else own
