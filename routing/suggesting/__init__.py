"""Suggest groups for the tools of a catalog, from their own texts: pure, and always the same."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from routing.selection.arrays import FloatArray
from routing.suggesting.clustering import clusters_of
from routing.suggesting.describing import describe
from routing.suggesting.likeness import rows_of
from routing.suggesting.naming import Namer
from routing.suggesting.reading import read_tools, texts_of
from routing.suggesting.serving import always_on, defaults

__all__ = ["MOST_TOOLS", "SuggestedGroup", "Suggestion", "suggest", "texts_of"]

# Models choose well among five to seven tools and worse past ten.
MOST_TOOLS = 10
# So few are one group: nothing is gained by choosing among them.
ONE_GROUP = 3


@dataclass(frozen=True, slots=True)
class SuggestedGroup:
    """A group to be: a name that a group may have, one line on when to use it, its tools' names."""

    name: str
    description: str
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Groups in catalog order, and the tools that may be served where nobody chose them.

    Every tool is in exactly one group but those that are ``always_on``, which need none.
    """

    groups: tuple[SuggestedGroup, ...]
    defaults: tuple[str, ...]
    always_on: tuple[str, ...]


def suggest(
    *,
    tools: Sequence[Mapping[str, Any]],
    vectors: Mapping[str, FloatArray],
    taken: Collection[str] = (),
    most: int = MOST_TOOLS,
) -> Suggestion:
    """Return groups of at most ``most`` tools; the same tools always make the same groups.

    ``tools`` have ``name`` and what else a document says of them (``description``, ``tags``,
    ``category``, ``input_schema``, ``side_effect``, ``aliases``). ``vectors`` are those of
    ``texts_of(tools)`` by hash; empty where there is no encoder, and words alone decide. ``taken``
    are names that no new group may have. Takes memory and time of the square of the tools' number.
    """
    languages, read = read_tools(tools)
    apart = always_on(read)
    grouped = [number for number in range(len(tools)) if number not in set(apart)]
    rows = rows_of(
        tools=[tools[number] for number in grouped],
        read=(members := [read[number] for number in grouped]),
        languages=languages,
        vectors=vectors,
    )
    found = [list(range(len(grouped)))] if 0 < len(grouped) <= min(ONE_GROUP, most) else None
    clusters = found or clusters_of(rows, most=most)
    namer = Namer(members, languages, taken=taken)
    names = {number: namer.name(clusters[number]) for number in namer.in_turn(clusters)}
    return Suggestion(
        groups=tuple(
            SuggestedGroup(
                name=names[number],
                description=describe([members[n] for n in cluster], language=languages.prose),
                tools=tuple(members[n].name for n in cluster),
            )
            for number, cluster in enumerate(clusters)
        ),
        defaults=tuple(members[n].name for n in defaults(members, rows, clusters)),
        always_on=tuple(read[number].name for number in apart),
    )
