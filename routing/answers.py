"""What the services answer with, before it is put into bytes."""

from collections.abc import Sequence
from dataclasses import dataclass

from catalog.document import REQUEST_GROUP
from routing.compiled import CompiledRelease
from routing.selection import ModelAnswer, Selection


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of what is offered, and of everything that the same route could offer."""

    selected: int
    catalog: int

    @property
    def saved(self) -> float:
        """Return the share that the selection saves, 0 to 1."""
        if not self.catalog:
            return 0.0
        return round(max(0.0, 1 - self.selected / self.catalog), 3)


@dataclass(frozen=True, slots=True)
class SelectionAnswer:
    """A selection that is on record; ``router`` is what a router model said, if one was asked.

    ``deferred`` are the tools that the provider's own search may load beside; none without it.
    """

    id: str
    run_id: str
    release: CompiledRelease
    selection: Selection
    tokens: Tokens
    format: str
    router: ModelAnswer | None = None
    route: str | None = None
    deferred: tuple[int, ...] = ()

    @property
    def tool_names(self) -> list[str]:
        """Return what is offered by name, ``request_group`` last."""
        return offered_names(
            self.release, self.selection.tools, request_group=bool(self.selection.requestable)
        )


@dataclass(frozen=True, slots=True)
class ExpansionAnswer:
    """A group that was opened after a selection; tools are positions, in the group's order.

    ``added`` follow what the agent holds; ``loaded`` it holds already, deferred.
    """

    id: str
    run_id: str
    release: CompiledRelease
    group: str
    groups: tuple[str, ...]
    added: tuple[int, ...]
    tool_names: tuple[str, ...]
    tokens: Tokens
    format: str
    route: str | None = None
    loaded: tuple[int, ...] = ()


def offered_names(
    release: CompiledRelease,
    tools: Sequence[int],
    *,
    request_group: bool,
    added: Sequence[int] = (),
) -> list[str]:
    """Return tool names as an agent holds them: what expansions added follows ``request_group``."""
    names = [release.names[tool] for tool in tools]
    if request_group:
        names.append(REQUEST_GROUP)
    return names + [release.names[tool] for tool in added]
