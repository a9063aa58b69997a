"""The gate on the command line: checked at once, printed, and let pass for a reason."""

from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from catalog.models import Catalog, CatalogVersion
from catalog.publishing import FrozenDraft, freeze_and_check
from routing.gate.rules import CASE
from routing.gate.standing import Standing, State, let_pass, standing_of, standing_of_version
from routing.gate_checks import asking, checking
from routing.models import GateCheck, GatePolicy, LabelMove

Say = Callable[[str], object]
WAYS = 5


def through_the_gate(
    catalog: Catalog, *, live: LabelMove | None, reason: str, say: Say
) -> str | None:
    """Have the draft checked where the catalog asks for it; return the hash that was.

    Returns ``None`` where nothing is asked. Raises ``CommandError`` where something falls that
    keeps it from going live and there is no ``reason``. Whoever runs commands may overrule.
    """
    frozen = freeze_and_check(catalog)
    if frozen.problems:
        return None  # the publish says what they are

    def stands() -> Standing:
        now = timezone.now()
        return standing_of(catalog=catalog, sha256=frozen.sha256, live=live, now=now)

    _pass(catalog, frozen, stands, reason=reason, say=say)
    return frozen.sha256


def version_through_the_gate(
    catalog: Catalog, version: CatalogVersion, *, live: LabelMove | None, reason: str, say: Say
) -> None:
    """Do the same for a version that ``live`` is to be moved to."""

    def stands() -> Standing:
        now = timezone.now()
        return standing_of_version(catalog=catalog, version=version, live=live, now=now)

    _pass(catalog, version, stands, reason=reason, say=say)


def _pass(
    catalog: Catalog,
    subject: FrozenDraft | CatalogVersion,
    stands: Callable[[], Standing],
    *,
    reason: str,
    say: Say,
) -> None:
    standing = stands()
    if standing.state is State.FREE or (standing.state is State.UNCHECKED and _is_idle(standing)):
        return
    if standing.state in (State.UNCHECKED, State.CHECKING):
        one = asking.ask(catalog=catalog, subject=subject, by=None, now=timezone.now())
        checking.carry_out(one, clock=timezone.now, stopping=lambda: False)
        one.refresh_from_db()
        if one.problem:
            raise CommandError(f"{GateCheck.Problem(one.problem).label} {one.detail}".strip())
        standing = stands()
    check = standing.check
    if check is not None:
        _print(check, standing, say=say)
    if standing.is_open or check is None:
        return
    if not reason.strip():
        raise CommandError(
            "The gate does not let it pass. Mend what falls, or say with --reason why it goes "
            "live all the same."
        )
    let_pass(check, reason=reason, by=None, overrule=True, now=timezone.now())


def _is_idle(standing: Standing) -> bool:
    """Tell whether nobody set the gate up."""
    return standing.rules.mode == GatePolicy.Mode.WARN and not standing.rules.chosen


def _print(check: GateCheck, standing: Standing, *, say: Say) -> None:
    for kind, said in check.report["sets"].items():
        say(_set_words("The gate set" if kind == CASE else "Last week's tasks", said))
    for way in check.report["diverted"][:WAYS]:
        before, after = ", ".join(way["before"][1]), ", ".join(way["after"][1]) or "nothing"
        say(f"  {len(way['places'])} tasks go from {before} to {after}")
    for fall in standing.falls:
        say(f"Falls: {fall}")
    if not standing.falls:
        say("Nothing falls.")


def _set_words(name: str, said: dict[str, Any]) -> str:
    words = [f"{name}: {said['n']} tasks"]
    if said["coverage"]:
        before, after = (f"{100 * one:.1f} %" for one in said["coverage"])
        words.append(f"coverage {before} -> {after}")
    if said["tools"]:
        before, after = (f"{one:.1f}" for one in said["tools"])
        words.append(f"tools {before} -> {after}")
        before, after = (f"{one:.0f}" for one in said["tokens"])
        words.append(f"tokens {before} -> {after}")
    words.append(f"{said['lost']} lost, {said['gained']} gained, {said['diverted']} go elsewhere")
    return ", ".join(words)
