"""Compile a document into an index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from routing.selection.arrays import FloatArray, IntArray
from routing.selection.calibration import Calibration, mark_of
from routing.selection.classifier import Classifier, Placed
from routing.selection.compiling_routes import (
    Allowed,
    compile_route,
    compile_routes,
    positions,
)
from routing.selection.compiling_vectors import compile_vectors
from routing.selection.encoders import Encoder
from routing.selection.index import Filled, Group, Index, Phase, Settings
from routing.selection.lexical import compile_lexicon
from routing.selection.naming import compile_names
from routing.selection.rules import compile_channels, compile_intent_rule, compile_keyword_rule
from routing.selection.stemming import language_of, stems
from routing.selection.texts import (
    first_groups,
    own_mark,
    prose,
    tool_terms,
)
from routing.selection.types import Strategy
from routing.selection.weights import Fitted, read_fitted

Document = Mapping[str, Any]


def compile_index(
    document: Document,
    *,
    encoder: Encoder | None,
    vectors: Mapping[str, FloatArray],
    fitted: Fitted | None = None,
    classifier: Classifier | None = None,
    calibration: Calibration | None = None,
) -> Index:
    """Return the index of a document.

    ``vectors`` holds L2-normalised vectors by ``content_hash`` for what ``texts_to_embed`` lists.
    Without an encoder, or with a tool's or a group's vector missing, the index compares tasks by
    words only. ``fitted`` are the numbers to weigh the evidence by, the shipped ones for ``None``.
    A ``classifier`` of another encoder's vectors is left out, and so is a ``calibration`` of other
    evidence or of other shipped numbers.
    Raises ``BadPattern`` for a keyword rule that RE2 does not take.
    """
    fitted = fitted or read_fitted()
    tools: Sequence[Document] = document["tools"]
    names = tuple(tool["name"] for tool in tools)
    position = {name: place for place, name in enumerate(names)}
    groups = _groups(document, position)
    always_on = tuple(position[name] for name in document.get("always_on", ()))
    rank, home = _order(len(tools), groups, always_on)
    homes = first_groups(document)
    language = language_of(prose(document))
    legs = [name for name, _ in encoder.legs] if encoder is not None else []
    counts = np.array([len(group.members) for group in groups.values()], dtype=np.intp)
    selectable = np.ones(len(tools), dtype=np.bool_)
    selectable[list(always_on)] = False
    member_tools = _concatenated([group.members for group in groups.values()])
    member_offsets = np.concatenate([[0], counts.cumsum()])
    allowed = Allowed(
        enabled=np.array([tool.get("enabled", True) for tool in tools], dtype=np.bool_),
        selectable=selectable,
        member_tools=member_tools,
        member_offsets=member_offsets,
    )
    compiled = (
        compile_vectors(document, vectors, encoder=encoder, fitted=fitted) if encoder else None
    )
    index = Index(
        catalog=document.get("catalog", ""),
        settings=_settings(document),
        tools=names,
        position=position,
        capabilities=_capabilities(tools),
        enabled=allowed.enabled,
        reads=np.array([tool.get("side_effect") == "read" for tool in tools], dtype=np.bool_),
        rank=rank,
        home=home,
        marks=tuple(map(own_mark, tools)),
        always_on=always_on,
        default_tools=tuple(position[name] for name in document.get("default_tools", ())),
        selectable=selectable,
        groups=groups,
        group_names=tuple(groups),
        member_tools=member_tools,
        member_offsets=member_offsets,
        member_counts=counts,
        filled=_filled(counts),
        tool_groups=_tool_groups(len(tools), groups),
        phases=_phases(document, position, groups),
        routes=compile_routes(document, position, groups, allowed),
        unrouted=compile_route(
            None,
            tools=np.ones(len(tools), dtype=np.bool_),
            groups=tuple(groups),
            group_mask=np.ones(len(groups), dtype=np.bool_),
            allowed=allowed,
        ),
        keyword_rules=tuple(
            compile_keyword_rule(rule, position) for rule in document.get("keyword_rules", ())
        ),
        intent_rules=tuple(
            compile_intent_rule(rule, position) for rule in document.get("intent_rules", ())
        ),
        channels=compile_channels(document.get("channel_rules", ())),
        language=language,
        names=compile_names(names, language),
        tool_lexicon=compile_lexicon(
            [stems(tool_terms(tool, homes.get(tool["name"])), language) for tool in tools]
        ),
        weights=fitted.weights_for(legs),
        weights_of_words=fitted.weights_for(()),
        encoder=encoder,
        vectors=compiled,
        classifier=_placed(classifier, encoder, tools),
    )
    return replace(index, calibration=calibration) if _holds(calibration, index) else index


def _holds(calibration: Calibration | None, index: Index) -> bool:
    """Tell whether a calibration is of the evidence that an index has."""
    if calibration is None:
        return False
    seen_with = index.encoder.name if index.encoder is not None and index.semantic else "none"
    numbers = index.weights if index.semantic else index.weights_of_words
    return (calibration.encoder, calibration.weights) == (seen_with, mark_of(numbers))


def _placed(
    classifier: Classifier | None, encoder: Encoder | None, tools: Sequence[Document]
) -> Placed | None:
    if classifier is None or encoder is None or encoder.name != classifier.encoder:
        return None
    by_name: dict[str, int] = {tool["name"]: place for place, tool in enumerate(tools)}
    for place, tool in enumerate(tools):
        for alias in tool.get("aliases") or ():
            by_name.setdefault(alias, place)
    placed = Placed.among(classifier, position=by_name, marks=[own_mark(tool) for tool in tools])
    return placed if len(placed.tools) else None


def _settings(document: Document) -> Settings:
    settings = document.get("settings", {})
    return Settings(
        strategy=Strategy(settings.get("strategy", Strategy.AUTO)),
        threshold=float(settings.get("threshold", 0.6)),
        max_tools=int(settings.get("max_tools", 7)),
        inclusive=bool(settings.get("inclusive", False)),
        initial_phase=settings.get("initial_phase"),
    )


def _groups(document: Document, position: Mapping[str, int]) -> dict[str, Group]:
    return {
        group["name"]: Group(
            name=group["name"],
            number=number,
            members=positions(group.get("tools", ()), position),
        )
        for number, group in enumerate(document.get("groups", ()))
    }


def _filled(counts: IntArray) -> Filled:
    groups = np.nonzero(counts)[0]
    full = counts[groups]
    return Filled(
        groups=groups,
        starts=full.cumsum() - full,
        places=np.repeat(np.arange(len(groups)), full),
    )


def _order(
    size: int, groups: Mapping[str, Group], always_on: Sequence[int]
) -> tuple[IntArray, IntArray]:
    """Return every tool's place in catalog order and the number of its first group, or -1."""
    home = np.full(size, -1, dtype=np.intp)
    last = set(always_on)
    ordered: list[int] = []
    for group in groups.values():
        for tool in group.members.tolist():
            if home[tool] == -1:
                home[tool] = group.number
                if tool not in last:
                    ordered.append(tool)
    ordered += [tool for tool in range(size) if home[tool] == -1 and tool not in last]
    ordered += always_on
    rank = np.empty(size, dtype=np.intp)
    rank[ordered] = np.arange(size)
    return rank, home


def _capabilities(tools: Sequence[Document]) -> dict[str, IntArray]:
    by_name: dict[str, list[int]] = {}
    for place, tool in enumerate(tools):
        if tool.get("capability"):
            by_name.setdefault(tool["capability"], []).append(place)
    return {name: np.array(places, dtype=np.intp) for name, places in by_name.items()}


def _phases(
    document: Document, position: Mapping[str, int], groups: Mapping[str, Group]
) -> dict[str, Phase]:
    phases: dict[str, Phase] = {}
    for phase in document.get("phases", ()):
        own = [position[name] for name in phase.get("tools", ())]
        grouped = [tool for name in phase.get("groups", ()) for tool in groups[name].members]
        phases[phase["name"]] = Phase(
            name=phase["name"],
            tools=tuple(dict.fromkeys([*own, *map(int, grouped)])),
            next=tuple(phase.get("next", ())),
        )
    return phases


def _tool_groups(size: int, groups: Mapping[str, Group]) -> IntArray:
    """Return the numbers of every tool's groups, filled up with -1 to the same length."""
    listed: list[list[int]] = [[] for _ in range(size)]
    for group in groups.values():
        for tool in group.members.tolist():
            listed[tool].append(group.number)
    most = max((len(numbers) for numbers in listed), default=0) or 1
    padded = [numbers + [-1] * (most - len(numbers)) for numbers in listed]
    return np.array(padded, dtype=np.intp).reshape(size, most)


def _concatenated(arrays: Sequence[IntArray]) -> IntArray:
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.intp)
