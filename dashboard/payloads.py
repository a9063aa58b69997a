"""What an agent is sent as its tools, laid out for reading."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from routing.api.bodies import offered_tools
from routing.preview import Preview

PAYLOAD_CHARACTERS = 100_000
# OpenAI advises fewer than ten functions in a namespace.
MOST_IN_A_NAMESPACE = 9
NAMES = 100


@dataclass(frozen=True, slots=True)
class Place:
    """Some tools behind the search: those of a group, or those of none (``None``)."""

    group: str | None
    names: Sequence[str]
    count: int
    is_crowded: bool

    @property
    def left(self) -> int:
        """Return how many names the page does not list."""
        return self.count - len(self.names)


@dataclass(frozen=True, slots=True)
class Deferred:
    """What the provider's own search may load; ``has_namespaces`` where groups are sent as such."""

    places: Sequence[Place]
    count: int
    has_namespaces: bool


def deferred_of(preview: Preview, *, format_name: str) -> Deferred | None:
    """Return what stands behind the search, ``None`` where none was asked for."""
    if preview.deferred is None:
        return None
    index = preview.release.index
    deferral = preview.release.deferral(format_name)
    inside, apart = deferral.places(preview.deferred, route=preview.query.route)
    held: list[tuple[str | None, list[int]]] = [*inside.items(), (None, apart)]
    if not inside:
        homes = [(tool, int(index.home[tool])) for tool in apart]
        held = [
            (
                index.group_names[home] if home >= 0 else None,
                [tool for tool, number in homes if number == home],
            )
            for home in dict.fromkeys(number for _, number in homes)
        ]
    return Deferred(
        places=[
            Place(
                group=group,
                names=[preview.release.names[tool] for tool in tools[:NAMES]],
                count=len(tools),
                is_crowded=group in inside and len(tools) > MOST_IN_A_NAMESPACE,
            )
            for group, tools in held
            if tools
        ],
        count=len(preview.deferred),
        has_namespaces=bool(inside),
    )


def payload_of(preview: Preview, *, format_name: str) -> tuple[str, int]:
    """Return what an agent gets as its tools, laid out, and how many of them are left out."""
    selection, release = preview.selection, preview.release
    deferred = preview.deferred or ()
    encoded = release.encoded(format_name)
    sizes = [len(encoded[tool]) for tool in (*selection.tools, *deferred)]
    shown = _that_fit(sizes)
    content = offered_tools(
        release,
        selection.tools[:shown],
        requestable=selection.requestable,
        format_name=format_name,
        route=preview.query.route,
        deferred=deferred[: max(0, shown - len(selection.tools))],
    )
    laid_out = json.dumps(json.loads(content), ensure_ascii=False, indent=2)
    return laid_out, len(sizes) - shown


def _that_fit(sizes: Sequence[int]) -> int:
    """Return how many of the first fit on the page, one at least."""
    room = PAYLOAD_CHARACTERS
    for shown, size in enumerate(sizes):
        room -= size
        if room < 0 and shown:
            return shown
    return len(sizes)
