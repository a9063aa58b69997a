"""Where a document stands with the gate, and what keeps it from going live.

Asked inside the transaction that moves ``live``: what was checked is then what goes live.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from catalog.models import Catalog, CatalogVersion
from catalog.publishing import lock
from catalog.recording import note_deed
from routing import encoding
from routing.gate.rules import Rules, rules_of
from routing.gate.verdict import Fall, falls
from routing.models import GateCheck, GatePolicy, LabelMove, Release
from routing.models.release import LIVE

COUNTS_FOR = timedelta(hours=24)
"""So long a check counts: last week's tasks are others by then, and so may the cases be."""


class State(StrEnum):
    """Where a document stands."""

    FREE = "free"  # nothing is asked of it
    UNCHECKED = "unchecked"
    CHECKING = "checking"
    PASSED = "passed"
    FELL = "fell"
    LET = "let"  # it fell, and somebody said why it goes live all the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a document stands by the ``rules`` of now.

    ``check`` is the newest of this very document against what is live, also one that is under way,
    went wrong or does not count any more; ``falls`` are those of one that counts.
    """

    rules: Rules
    state: State
    check: GateCheck | None = None
    falls: Sequence[Fall] = ()

    @property
    def checks_first(self) -> bool:
        """Tell whether it is checked before it goes live: where somebody set the gate up so."""
        return self.state in (State.UNCHECKED, State.CHECKING) and self.rules.chosen

    @property
    def is_open(self) -> bool:
        """Tell whether the document may go live."""
        return not self.rules.enforces or self.state in (State.FREE, State.PASSED, State.LET)

    @property
    def blocks(self) -> bool:
        """Tell whether it fell, and only an administrator may let it pass."""
        return self.state is State.FELL and self.rules.mode == GatePolicy.Mode.BLOCK

    @property
    def asks(self) -> bool:
        """Tell whether it fell, and goes live for a reason."""
        return self.state is State.FELL and self.rules.mode == GatePolicy.Mode.REASON


class GateClosed(Exception):
    """The gate keeps a document from going live; ``standing`` says why."""

    def __init__(self, standing: Standing) -> None:
        said = "; ".join(map(str, standing.falls))
        super().__init__(said or "It was not checked against what is live.")
        self.standing = standing


class NotLetPass(Exception):
    """A check cannot be let pass so: it did not fall, or the gate blocks and nobody overruled."""


def standing_of(
    *, catalog: Catalog, sha256: str, live: LabelMove | None, now: datetime
) -> Standing:
    """Return where a document of a hash stands that would follow what is live."""
    rules = rules_of(catalog)
    if rules.mode == GatePolicy.Mode.OFF or live is None:
        return Standing(rules=rules, state=State.FREE)
    if live.release.version.sha256 == sha256:
        return Standing(rules=rules, state=State.FREE)
    checks = GateCheck.objects.filter(catalog=catalog, sha256=sha256, release=None)
    return _newest(rules, checks, live=live, now=now)


def _newest(
    rules: Rules, checks: QuerySet[GateCheck], *, live: LabelMove, now: datetime
) -> Standing:
    """Return the standing by the newest of some checks that was made as the gate asks today."""
    # With another encoder something else goes live than was tried.
    checks = checks.filter(against=live.release_id, encoder=encoding.current())
    # What was tried is much to read, and nobody asks for it here.
    checks = checks.defer("cases", "tasks").select_related("let_by", "asked_by")
    check = next((one for one in checks if one.asked == rules.asked()), None)
    return _standing(rules, check, now=now)


def _standing(rules: Rules, check: GateCheck | None, *, now: datetime) -> Standing:
    if check is None:
        return Standing(rules=rules, state=State.UNCHECKED)
    if check.finished_at is None:
        return Standing(rules=rules, state=State.CHECKING, check=check)
    if check.problem or check.finished_at <= now - COUNTS_FOR:
        return Standing(rules=rules, state=State.UNCHECKED, check=check)
    fell = falls(check.report, rules)
    state = State.PASSED
    if fell:
        is_let = check.let_at is not None
        counts = check.overruled or rules.mode != GatePolicy.Mode.BLOCK
        state = State.LET if is_let and counts else State.FELL
    return Standing(rules=rules, state=state, check=check, falls=fell)


def demand(*, catalog: Catalog, sha256: str, live: LabelMove | None, now: datetime) -> None:
    """Raise ``GateClosed`` where a document may not go live."""
    standing = standing_of(catalog=catalog, sha256=sha256, live=live, now=now)
    if not standing.is_open:
        raise GateClosed(standing)


def standing_of_version(
    *, catalog: Catalog, version: CatalogVersion, live: LabelMove | None, now: datetime
) -> Standing:
    """Return where a version stands; nothing is asked of one that was live once."""
    moves = LabelMove.objects.filter(catalog=catalog, label=LIVE)
    if moves.filter(release__version=version).exists():
        return Standing(rules=rules_of(catalog), state=State.FREE)
    return standing_of(catalog=catalog, sha256=version.sha256, live=live, now=now)


def demand_of_version(
    *, catalog: Catalog, version: CatalogVersion, live: LabelMove | None, now: datetime
) -> None:
    """Raise ``GateClosed`` where a version may not go live; one that was live once always may."""
    standing = standing_of_version(catalog=catalog, version=version, live=live, now=now)
    if not standing.is_open:
        raise GateClosed(standing)


def standing_of_release(
    *, catalog: Catalog, release: Release, live: LabelMove | None, now: datetime
) -> Standing:
    """Return where a release stands that learned something; one that was live once is free."""
    rules = rules_of(catalog)
    moves = LabelMove.objects.filter(catalog=catalog, label=LIVE, release=release)
    if rules.mode == GatePolicy.Mode.OFF or live is None or moves.exists():
        return Standing(rules=rules, state=State.FREE)
    checks = GateCheck.objects.filter(catalog=catalog, release=release)
    return _newest(rules, checks, live=live, now=now)


def demand_of_release(
    *, catalog: Catalog, release: Release, live: LabelMove | None, now: datetime
) -> None:
    """Raise ``GateClosed`` where what was learned may not go live."""
    standing = standing_of_release(catalog=catalog, release=release, live=live, now=now)
    if not standing.is_open:
        raise GateClosed(standing)


def let_pass(
    check: GateCheck, *, reason: str, by: User | None, overrule: bool, now: datetime
) -> None:
    """Have a check that fell count as passed, for a reason that the audit log keeps.

    ``overrule`` says that ``by`` may open a gate that blocks. Raises ``NotLetPass``.
    """
    with transaction.atomic():
        catalog = lock(check.catalog)
        check.refresh_from_db()
        rules = rules_of(catalog)
        standing = _standing(rules, check, now=now)
        blocks = rules.mode == GatePolicy.Mode.BLOCK
        if standing.state is not State.FELL or not reason.strip() or (blocks and not overrule):
            raise NotLetPass
        check.reason, check.let_by, check.let_at = reason.strip(), by, now
        check.overruled = overrule
        check.save(update_fields=["reason", "let_by", "let_at", "overruled"])
        note_deed(
            catalog=catalog,
            action="gate_overruled" if blocks else "gate_passed",
            kind="gate",
            subject=check.sha256[:12],
            after={"check": check.pk, "falls": [fall.code for fall in standing.falls]},
            note=reason.strip(),
            by=by,
            now=now,
        )
