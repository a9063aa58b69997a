"""The health of a draft, beside that of what is live.

What needs an encoder or traffic, as pairs that a task could not tell apart, joins the findings of
the catalog here, so that the page, the publish and the command say the same.
"""

from collections.abc import Sequence

from catalog.health import Finding, findings_of, new_warnings
from catalog.publishing import FrozenDraft
from routing.models import LabelMove


def draft_findings(frozen: FrozenDraft) -> list[Finding]:
    """Return everything that is wrong with a draft or could be better, the gravest first."""
    return findings_of(frozen.value, problems=frozen.problems)


def warnings_to_explain(*, frozen: FrozenDraft, live: LabelMove | None) -> Sequence[Finding]:
    """Return the warnings that a publish of the draft asks a reason for: those of nothing live."""
    if live is not None and live.release.version.sha256 == frozen.sha256:
        return ()
    # What is live has no errors: it was published.
    before = findings_of(live.release.version.parsed(), problems=()) if live else []
    return new_warnings(before, draft_findings(frozen))
