"""Compile the vectors of a document: of its tools, groups and examples, as a head sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.encoders import Encoder
from routing.selection.index import Examples, Vectors
from routing.selection.scanning import compile_tools
from routing.selection.texts import content_hash, examples, first_groups, group_text, tool_texts
from routing.selection.vagueness import VAGUE_TASKS
from routing.selection.weights import Fitted, Head, NoHead, unit

Document = Mapping[str, Any]


def compile_vectors(
    document: Document,
    vectors: Mapping[str, FloatArray],
    *,
    encoder: Encoder | None,
    fitted: Fitted,
) -> Vectors | None:
    """Return the document's vectors by leg.

    ``None`` without an encoder or a tool, and where the vector of a tool or a group is missing.
    """
    if encoder is None:
        return None
    homes = first_groups(document)
    tools: Sequence[Document] = document["tools"]
    groups: Sequence[Document] = document.get("groups", ())
    try:
        of_tools = _stacked(
            [
                np.mean([vectors[content_hash(text)] for text in texts], axis=0)
                for texts in (tool_texts(tool, homes.get(tool["name"])) for tool in tools)
            ],
            encoder,
        )
        of_groups = _stacked(
            [vectors[content_hash(group_text(group))] for group in groups], encoder
        )
        vague = _stacked([vectors[content_hash(text)] for text in VAGUE_TASKS], encoder)
    except KeyError:
        return None
    if not len(of_tools):
        return None
    (leg, first), *rest = encoder.legs
    head = fitted.head_for(leg)
    second = unit(of_tools[:, rest[0][1]]) if rest else None
    shown = _examples(document, vectors, encoder, head)
    own = shown.groups[(shown.tools < 0) & (shown.groups >= 0)]
    return Vectors(
        width=first.stop,
        head=head,
        tools=compile_tools(head.tools(of_tools[:, first])),
        groups=np.asfortranarray(head.tools(of_groups[:, first])),
        vague=unit(head.tasks(vague[:, first]).mean(axis=0, keepdims=True))[0],
        examples=shown,
        groups_are_shown=2 * len(np.unique(own)) > len(groups),
        second=np.asfortranarray(second) if second is not None else None,
    )


def _examples(
    document: Document, vectors: Mapping[str, FloatArray], encoder: Encoder, head: Head | NoHead
) -> Examples:
    """Return the vectors of all examples that have one, read as tasks are."""
    homes = first_groups(document)
    numbers = {group["name"]: number for number, group in enumerate(document.get("groups", ()))}
    found: list[tuple[FloatArray, int, int]] = []
    for group in document.get("groups", ()):
        for text in examples(group):
            vector = vectors.get(content_hash(text))
            if vector is not None:
                found.append((vector, numbers[group["name"]], -1))
    for position, tool in enumerate(document["tools"]):
        home = homes.get(tool["name"])
        for text in examples(tool):
            vector = vectors.get(content_hash(text))
            if vector is not None:
                number = numbers[home["name"]] if home else -1
                found.append((vector, number, position))
    first = encoder.legs[0][1]
    stacked = _stacked([vector for vector, _, _ in found], encoder)
    return Examples(
        vectors=np.asfortranarray(head.tasks(stacked[:, first])),
        groups=np.array([group for _, group, _ in found], dtype=np.intp),
        tools=np.array([tool for _, _, tool in found], dtype=np.intp),
    )


def _stacked(rows: Sequence[FloatArray], encoder: Encoder) -> FloatArray:
    return np.array(rows, dtype=np.float32).reshape(len(rows), encoder.dimensions())
