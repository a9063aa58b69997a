"""Why what was fitted is taken or not, in words that can be translated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from routing.evaluation.faults import gettext_noop

NO_ENCODER = gettext_noop("The release has no encoder.")
FEW = gettext_noop("%(cases)s labelled cases are too few; %(least)s is the least.")
NOTHING_TWICE = gettext_noop("No tool has two examples, so that nothing can be held out.")
CHANCE = gettext_noop(
    "On %(cases)s held-out cases the ranking (NDCG@10) changes by %(gain)s, which may be chance."
)
RECALL_FALLS = gettext_noop(
    "On %(cases)s held-out cases the best tool is right less often, by %(loss)s."
)
ALIKE = gettext_noop(
    "Only %(cases)s of the cases are of the rarer kind, complete or not; %(least)s is the least."
)
NO_BETTER = gettext_noop(
    "On %(cases)s held-out cases the squared error of the confidence changes by %(change)s, which "
    "may be chance."
)
BETTER_RANKING = gettext_noop(
    "On %(cases)s held-out cases the ranking (NDCG@10) goes from %(before)s to %(after)s, by more "
    "than chance."
)
BETTER_CONFIDENCE = gettext_noop(
    "On %(cases)s held-out cases the squared error of the confidence goes from %(before)s to "
    "%(after)s, by more than chance."
)
COVERAGE_FALLS = gettext_noop(
    "With it %(after)s of %(cases)s cases would be served everything that they need, without it "
    "%(before)s: fewer, by more than chance."
)


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason: a template, which is translated as it stands, and what it is filled with."""

    template: str
    values: Mapping[str, str | int] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the reason in English."""
        return self.template % self.values
