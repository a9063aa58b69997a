"""The sets of a folder of public data, and what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from routing.evaluation.measures import measured
from routing.evaluation.outcomes import Outcomes, joined


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedSet:
    """The outcomes of one file of cases by strategy; ``tools`` counts its catalog's."""

    folder: str
    part: str
    tools: int
    outcomes: Mapping[str, Outcomes]

    @property
    def name(self) -> str:
        """The folder and, where it has several files of cases, which one."""
        return f"{self.folder} {self.part}".strip()

    @property
    def expects_nothing(self) -> bool:
        """Whether no tool fits any of the cases."""
        return all(not outcomes.needs.any() for outcomes in self.outcomes.values())


Measures = dict[str, float | None]


def measures_of(sets: list[EvaluatedSet]) -> dict[str, dict[str, Measures]]:
    """Return the measures of each set by its name and strategy.

    Cases that no tool fits are told from the cases of their own folder: such a set's ``none_auroc``
    is over both.
    """
    found: dict[str, dict[str, Measures]] = {}
    for one in sets:
        found[one.name] = {name: measured(outcomes) for name, outcomes in one.outcomes.items()}
        if not one.expects_nothing:
            continue
        beside = [other for other in sets if other.folder == one.folder and other is not one]
        for name, outcomes in one.outcomes.items():
            pooled = joined([outcomes, *(other.outcomes[name] for other in beside)])
            found[one.name][name]["none_auroc"] = measured(pooled)["none_auroc"]
    return found
