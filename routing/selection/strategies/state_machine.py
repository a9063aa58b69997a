"""A fixed set of tools for each state of a run, and only the moves that the machine has."""

from __future__ import annotations

from routing.selection.index import IllegalTransition, Phase
from routing.selection.strategies.contract import Proposal, Request
from routing.selection.strategies.phase import propose_phase
from routing.selection.types import Strategy


class StateMachine:
    """Serve what the phase names, if the run may be in that phase next.

    A run may stay where it is. Where nothing is known of a run (``came_from`` is ``None``) every
    phase may begin.
    """

    name = Strategy.STATE_MACHINE

    def propose(self, request: Request) -> Proposal | None:
        """Return the phase's tools; ``None`` without a phase or where none may be served.

        Raises ``IllegalTransition`` for a phase that the run's own does not lead to.
        """
        if request.phase is not None:
            check_transition(request.came_from, request.phase)
        return propose_phase(request, name=self.name)


def check_transition(before: Phase | None, after: Phase) -> None:
    """Raise ``IllegalTransition`` if a run in one phase may not be in the other next."""
    if before is None or after.name == before.name or after.name in before.next:
        return
    if not before.next:
        raise IllegalTransition(
            f"The phase {before.name!r} is the last one: it leads nowhere, not to {after.name!r}."
        )
    follow = ", ".join(map(repr, before.next))
    raise IllegalTransition(
        f"The phase {before.name!r} does not lead to {after.name!r}; it leads to {follow}."
    )
