"""What one run adds to the counts of which hours: a pure function of its spans.

Counts over many runs are sums of it. When a run has new spans, what it adds now less what it added
before is what to add: a span that comes late, or a second outcome, corrects the hours that it
concerns.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from routing.rollups.sections import MILLION, Section, confidence_bin, latency_bin

Sums = dict[tuple[int, Section], Counter[str]]
"""Counts by key, by hour and section."""

_DEFAULTED = frozenset({"low_confidence", "no_match"})
_CHOSE_NOTHING = _DEFAULTED | {"nothing_available"}
_FAILED = frozenset({"failed", "needs_human"})


class SpanRow(NamedTuple):
    """What counting reads of a span, as ``routing.models.Span`` has it."""

    id: int
    name: str
    selection: int | None
    release: int
    hour: int
    groups: Sequence[str]
    groups_count: int
    group: str
    confidence: float | None
    strategy: str
    decided_by: str
    fallback: str
    offered: Sequence[int]
    latency_us: int
    tokens_selected: int
    tokens_catalog: int
    explored: bool
    status: str
    tool: int | None
    decision: str
    reason: str


ToolName = Callable[[int, int], str]
"""Returns the name of a tool from its release and its position there."""


def contribution(spans: Sequence[SpanRow], *, began: int, tool_name: ToolName) -> Sums:
    """Return what a run adds that began in an hour. ``spans`` are in the order of their ids."""
    sums: Sums = defaultdict(Counter)
    if not spans:
        return sums
    selections = [span for span in spans if span.name == "tool_route"]
    following: dict[int, list[SpanRow]] = defaultdict(list)
    for span in spans:
        if span.selection is not None:
            following[span.selection].append(span)
    for selection in selections:
        _count_selection(selection, following[selection.id], sums)
        offered = sums[selection.hour, Section.TOOLS]
        offered.update(f"offered:{tool_name(selection.release, at)}" for at in selection.offered)
    by_id = {selection.id: selection for selection in selections}
    for span in spans:
        _count_step(span, by_id.get(span.selection or 0), tool_name, sums)
    _count_run(spans, selections, began, tool_name, sums)
    return sums


def complete(selection: SpanRow, following: Sequence[SpanRow]) -> bool | None:
    """Tell whether a selection had offered everything that its run called; ``None`` without calls.

    ``following`` are the spans that name it. A call that was refused for want of an approval, a
    scope or a budget says nothing of it; a selection in its stead that names a tool says that the
    agent had called one that was not offered.
    """
    offered = set(selection.offered)
    told = [
        span.decision == "allowed" and span.tool in offered
        for span in following
        if span.decision == "allowed"
        or span.reason == "tool_not_offered"
        or (span.name == "tool_route" and span.tool is not None)
    ]
    return all(told) if told else None


def _count_selection(selection: SpanRow, following: Sequence[SpanRow], sums: Sums) -> None:
    counts = sums[selection.hour, Section.SELECTIONS]
    counts["n"] += 1
    counts["opened"] += selection.groups_count > 0
    counts["groups"] += selection.groups_count
    counts["offered"] += len(selection.offered)
    counts["tokens_selected"] += selection.tokens_selected
    counts["tokens_catalog"] += selection.tokens_catalog
    counts["explored"] += selection.explored
    counts[f"decided:{selection.decided_by}"] += 1
    if selection.fallback not in _CHOSE_NOTHING and selection.decided_by != "all":
        counts[f"chose:{selection.groups_count}"] += selection.groups_count > 0
    if selection.fallback:
        counts[f"fallback:{selection.fallback}"] += 1
    expansions = [span for span in following if span.name == "tool_route_expand"]
    if expansions:
        # The last one holds what all of them added up to.
        last = expansions[-1]
        counts["expanded"] += 1
        counts["unopened"] += selection.groups_count == 0
        counts["more_groups"] += last.groups_count - selection.groups_count
        counts["more_tokens"] += last.tokens_selected - selection.tokens_selected
    label = complete(selection, following)
    if label is not None:
        counts["complete" if label else "incomplete"] += 1
    sums[selection.hour, Section.LATENCY][latency_bin(selection.latency_us)] += 1
    if selection.confidence is not None:
        _count_confidence(selection, selection.confidence, label, sums)


def _count_confidence(
    selection: SpanRow, confidence: float, label: bool | None, sums: Sums
) -> None:
    millionths = round(confidence * MILLION)
    counts = sums[selection.hour, Section.SELECTIONS]
    counts["estimated"] += 1
    counts["confidence"] += millionths
    at = confidence_bin(confidence)
    counts = sums[selection.hour, Section.CONFIDENCE]
    defaulted = selection.fallback in _DEFAULTED
    counts[f"{'fell' if defaulted else 'served'}:{at}"] += 1
    # Whether default tools were enough says nothing of what was not served for want of confidence.
    if label is not None and not defaulted:
        counts[f"labelled:{at}"] += 1
        counts[f"complete:{at}"] += label
        counts[f"sum:{at}"] += millionths


def _count_step(span: SpanRow, selection: SpanRow | None, tool_name: ToolName, sums: Sums) -> None:
    if span.name == "tool_route_expand":
        counts = sums[span.hour, Section.ASKED]
        counts[f"group:{span.group}"] += 1
        served = selection.groups if selection else ()
        counts.update(f"from:{group}>{span.group}" for group in served or ("",))
        tools = sums[span.hour, Section.TOOLS]
        tools.update(f"added:{tool_name(span.release, at)}" for at in span.offered)
    elif span.name == "tool_call":
        counts = sums[span.hour, Section.CALLS]
        counts[f"decision:{span.decision}"] += 1
        if span.decision == "refused":
            counts[f"refused:{span.reason}"] += 1
        _count_tool(span, selection, tool_name, sums)
    elif span.name == "tool_result":
        sums[span.hour, Section.CALLS][f"status:{span.status}"] += 1


def _count_tool(call: SpanRow, selection: SpanRow | None, tool_name: ToolName, sums: Sums) -> None:
    if call.tool is None:
        return
    counts, name = sums[call.hour, Section.TOOLS], tool_name(call.release, call.tool)
    if call.reason == "tool_not_offered":
        counts[f"missed:{name}"] += 1
        return
    counts[f"tried:{name}"] += 1
    if call.decision == "allowed":
        counts[f"used:{name}"] += 1
        if selection is not None and call.tool not in selection.offered:
            counts[f"used_added:{name}"] += 1


def _facts(spans: Sequence[SpanRow], tool_name: ToolName) -> set[str]:
    """Return what is so of a run, whichever of its spans says it, each fact once."""
    facts = set()
    for span in spans:
        if span.name == "tool_route":
            facts |= {f"group:{group}" for group in span.groups}
            facts |= {f"strategy:{span.strategy}", f"decided:{span.decided_by}"}
            facts |= {f"release:{span.release}", f"fallback:{span.fallback}"}
            if span.confidence is not None:
                facts.add(f"confidence:{confidence_bin(span.confidence)}")
            if span.explored:
                facts.add("explored")
        elif span.name == "tool_route_expand":
            facts |= {f"asked:{span.group}", "expanded"}
        elif span.name == "tool_call":
            facts.add(f"decision:{span.decision}")
            if span.decision == "refused":
                facts.add(f"refused:{span.reason}")
            if span.tool is not None:
                kind = "missed" if span.reason == "tool_not_offered" else "called"
                facts.add(f"{kind}:{tool_name(span.release, span.tool)}")
        elif span.name == "tool_result":
            facts.add(f"status:{span.status}")
    return facts


def _count_run(
    spans: Sequence[SpanRow],
    selections: Sequence[SpanRow],
    began: int,
    tool_name: ToolName,
    sums: Sums,
) -> None:
    outcomes = [span.status for span in spans if span.name == "outcome"]
    asked = {span.group for span in spans if span.name == "tool_route_expand"}
    outcome = outcomes[-1] if outcomes else ""
    counts = sums[began, Section.RUNS]
    counts["n"] += 1
    counts[f"outcome:{outcome}"] += 1
    silent = outcome in _FAILED and not asked
    counts["silent"] += silent
    facts = sums[began, Section.FACTS]
    facts[f"outcome:{outcome}"] += 1
    facts["silent"] += silent
    facts.update(_facts(spans, tool_name))
    if selections:
        first = selections[0]
        facts.update({f"began:{group}": 1 for group in first.groups})
        counts = sums[first.hour, Section.BEGAN]
        for group in first.groups or ("",):
            counts[f"runs:{group}"] += 1
            counts.update(f"asked:{group}>{another}" for another in asked)
