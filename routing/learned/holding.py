"""Hold what was learned against what is live before it goes live, where the gate asks for it."""

from collections.abc import Callable
from datetime import datetime

from catalog.models import Catalog
from routing import background
from routing.background import Ended, Stopping
from routing.gate.rules import rules_of
from routing.gate.standing import standing_of_release
from routing.gate_checks import asking, checking
from routing.models import Fit, GateCheck, GatePolicy, Release
from routing.moves import current_move

Clock = Callable[[], datetime]


def hold(
    one: Fit,
    made: Callable[..., Release],
    *,
    clock: Clock,
    stopping: Callable[[], bool],
) -> None:
    """Have the gate check what a fit learned, if somebody set the gate up.

    ``made`` returns the release with it, as of ``now``: what is tried is what would go live. While
    a check of somebody else is under way none is made, and the page of the fit asks for one. Raises
    ``Stopping`` and ``Ended``; what was tried so far is of no use then.
    """
    catalog = one.catalog
    rules = rules_of(catalog)
    if not rules.chosen or rules.mode == GatePolicy.Mode.OFF:
        return
    release = made(now=clock())
    standing = standing_of_release(
        catalog=catalog, release=release, live=current_move(catalog), now=clock()
    )
    if not standing.checks_first or GateCheck.objects.open().filter(catalog=catalog).exists():
        return
    check = asking.ask(catalog=catalog, subject=release, by=one.asked_by, now=clock())

    def is_cancelled() -> bool:
        return not Fit.objects.open().filter(pk=one.pk).exists()

    try:
        checking.carry_out(check, clock=clock, stopping=lambda: stopping() or is_cancelled())
    except Stopping:
        background.cancel(check, now=clock())
        if is_cancelled():
            raise Ended from None
        raise


def warning(catalog: Catalog, release: Release, *, now: datetime) -> str:
    """Return what a check found, for the note of a move that is made all the same."""
    live = current_move(catalog)
    standing = standing_of_release(catalog=catalog, release=release, live=live, now=now)
    return "".join([" The gate warns: ", *map(str, standing.falls)]) if standing.falls else ""
