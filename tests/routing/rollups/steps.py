"""Random steps of random runs, as agents might take them, some of them late."""

import random
from datetime import timedelta
from typing import Any

from routing.models import Span
from tests.dashboard.traffic import NOON, Traffic


class Steps:
    """Writes random steps of random runs, some of them late."""

    def __init__(self, traffic: Traffic, *, seed: int) -> None:
        self.traffic = traffic
        self.chance = random.Random(seed)
        self.selections: list[Span] = []

    def step(self) -> None:
        """Write one span, or two."""
        chance, at = self.chance, NOON - timedelta(hours=self.chance.randint(0, 30))
        if not self.selections or chance.random() < 0.4:
            served = chance.sample(["billing", "stock", "logistics"], chance.randint(0, 2))
            self.selections.append(
                self.traffic.select(
                    at=at,
                    run=chance.choice(self.selections).run
                    if self.selections and chance.random() < 0.3
                    else self.traffic.run(at=at, source=chance.choice(["api", "simulated"])),
                    groups=served,
                    groups_count=len(served),
                    offered=chance.sample(range(6), 3),
                    confidence=chance.choice([None, chance.random()]),
                    fallback=chance.choice(["", "no_match"]),
                    latency_us=chance.randint(1, 10**7),
                )
            )
            return
        selection = chance.choice(self.selections)
        fields: dict[str, Any] = chance.choice(
            [
                {"name": Span.Name.CALL, "decision": "allowed", "tool": chance.randint(0, 7)},
                {"name": Span.Name.CALL, "decision": "refused", "reason": "tool_not_offered"},
                {"name": Span.Name.RESULT, "status": "ok", "tool": 2},
                {"name": Span.Name.OUTCOME, "status": chance.choice(["solved", "failed"])},
                {"name": Span.Name.EXPAND, "group": "stock", "offered": [5], "groups_count": 3},
            ]
        )
        self.traffic.span(selection, at=at, **fields)
