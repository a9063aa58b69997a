"""Everything that may be served: the baseline that a selection is compared with."""

from __future__ import annotations

import numpy as np

from routing.selection.strategies.contract import Proposal, Request, groups_of
from routing.selection.types import Strategy, Why


class AllTools:
    """Serve every candidate, whatever the task and the cap."""

    name = Strategy.ALL

    def propose(self, request: Request) -> Proposal | None:
        """Return all candidates; ``None`` if there are none."""
        ranked = tuple(np.flatnonzero(request.candidates).tolist())
        if not ranked:
            return None
        return Proposal(
            decided_by=self.name,
            ranked=ranked,
            reasons=dict.fromkeys(ranked, Why.ALL),
            groups=groups_of(request, ranked),
            capped=False,
        )
