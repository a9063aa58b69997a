"""Make the mechanical fix of a finding: a change of the draft that needs no decision of its own."""

from catalog.health import Finding, Mend, MendKind, findings_of
from catalog.models import Catalog
from catalog.publishing import freeze_and_check
from catalog.recording import recorded


class NothingToMend(Exception):
    """The draft has no such finding, or no longer, or it needs a person's decision."""


def mend_finding(*, catalog: Catalog, key: str) -> Finding:
    """Mend the finding of the draft that ``key`` names (``Finding.key``) and return it.

    The draft is read again under a lock, so that what was mended or changed meanwhile stays as it
    is. Raises ``NothingToMend``.
    """
    with recorded(catalog=catalog, action="mend"):
        frozen = freeze_and_check(catalog)
        for finding in findings_of(frozen.value, problems=frozen.problems):
            if finding.mend is not None and finding.key == key:
                _make(catalog, finding.place, finding.mend)
                return finding
        raise NothingToMend(key)


def _make(catalog: Catalog, place: tuple[str, str], mend: Mend) -> None:
    kind, name = place
    if mend.kind is MendKind.DELETE_RULE:
        # The number of a rule is its place in the order in which the draft is frozen.
        rules = getattr(catalog, kind.replace("_", ""))
        rules.all()[int(name) - 1].delete()
        return
    part = (catalog.groups if kind == "groups" else catalog.tools).get(name=name)
    field, value = _change(mend)
    setattr(part, field, value)
    part.save(update_fields=[field])


def _change(mend: Mend) -> tuple[str, object]:
    if mend.kind is MendKind.CLEAR_FLAG:
        return mend.value, False
    if mend.kind is MendKind.REQUIRE_APPROVAL:
        return "needs_approval", True
    return "description", mend.value
