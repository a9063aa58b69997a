"""What a task would be served at many thresholds and caps, inclusive or not, read only once.

Reading a task is most of what a selection takes, and neither the cap nor the threshold bears on it.
So it is read once, proposed once a cap, and of the thresholds only those at which something else
may be proposed are asked again: a proposal stands up to its own confidence, since all that a
strategy asks of the threshold is whether something is surer than that. One that is not sure enough
falls back, there and at every higher threshold.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from routing.selection.explanation import Verdicts
from routing.selection.index import Index
from routing.selection.pipeline import Settled, propose, resolve, settle
from routing.selection.reading import Reading
from routing.selection.strategies.contract import Proposal, Request
from routing.selection.types import Circumstances, ConfidenceSource, Query


@dataclass(frozen=True, slots=True)
class Offer:
    """What is served of the candidates, by position, whatever the order."""

    tools: frozenset[int]
    fallback: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """An index at each of some thresholds, in rising order."""

    thresholds: tuple[float, ...]
    indexes: tuple[Index, ...]

    @classmethod
    def over(cls, index: Index, thresholds: Sequence[float]) -> Sweep:
        """Return the sweep of an index over thresholds in any order, each once."""
        rising = tuple(sorted(set(thresholds)))
        indexes = [replace(index, settings=replace(index.settings, threshold=t)) for t in rising]
        return cls(thresholds=rising, indexes=tuple(indexes))

    def offers(
        self, query: Query, *, caps: Sequence[int], inclusive: Sequence[bool] = (False, True)
    ) -> Mapping[tuple[bool, int], list[Offer]]:
        """Return an offer a threshold, for each cap, inclusive or not; raises what ``select`` does.

        They are those of selections without circuits or exploration. Always-on tools are left out,
        and the query opens no groups.
        """
        request, verdicts = resolve(query, self.indexes[0], Circumstances())
        readings: dict[Hashable, Reading] = {}
        return {
            (wide, cap): list(
                self._rising(replace(request, cap=cap, inclusive=wide, readings=readings), verdicts)
            )
            for wide in inclusive
            for cap in caps
        }

    def _rising(self, request: Request, verdicts: Verdicts) -> Iterator[Offer]:
        asked = request.query.strategy or request.index.settings.strategy
        proposal: Proposal | None = None
        offer: Offer | None = None
        fell = False
        for threshold, index in zip(self.thresholds, self.indexes, strict=True):
            if offer is None or not (fell or _stands(proposal, threshold)):
                at = replace(request, index=index)
                if offer is None or _bears_on_proposals(index):
                    proposal, _failure = propose(at, asked)
                offer = _offer(settle(at, proposal, (), verdicts))
                fell = not _stands(proposal, threshold)
            yield offer


def _bears_on_proposals(index: Index) -> bool:
    """Tell whether strategies ask the threshold what they propose, not only the pipeline."""
    return bool(index.intent_rules) or index.groups_are_shown or index.classifier is not None


def _stands(proposal: Proposal | None, threshold: float) -> bool:
    """Tell whether a proposal is sure enough for a threshold."""
    if proposal is None or proposal.confidence_source is ConfidenceSource.ASSUMED:
        return True
    return proposal.confidence >= threshold


def _offer(settled: Settled) -> Offer:
    return Offer(frozenset(settled.chosen), settled.fallback is not None)
