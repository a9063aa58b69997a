"""Handlers: the functions that do what tools promise, by the tools' names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

Handler: TypeAlias = Callable[..., Any]
H = TypeVar("H", bound=Handler)


class Handlers:
    """A register of handlers. Each is called with a ``Call`` and the arguments by name."""

    def __init__(self) -> None:
        self._by_name: dict[str, Handler] = {}

    def handler(self, *names: str) -> Callable[[H], H]:
        """Register a function under the names of tools, or under its own. Raises ``ValueError``."""

        def register(function: H) -> H:
            for name in names or (function.__name__,):
                if name in self._by_name:
                    raise ValueError(f"There is a handler for {name} already.")
                self._by_name[name] = function
            return function

        return register

    def find(self, name: str) -> Handler | None:
        """Return the handler of a tool."""
        return self._by_name.get(name)

    def missing(self, names: Iterable[str]) -> list[str]:
        """Return the names that have no handler."""
        return [name for name in names if name not in self._by_name]

    def awaited(self) -> list[str]:
        """Return the names whose handlers are to be awaited."""
        return [name for name, handler in self._by_name.items() if is_async(handler)]


class SimulatedTools(Handlers):
    """No handlers: Toolcrib answers every call, by the script of the case that the run names.

    Begin the run with ``start_run(case_id=…)``.
    """

    def missing(self, names: Iterable[str]) -> list[str]:
        """Return nothing: every tool is answered."""
        return []


def is_async(handler: Handler) -> bool:
    """Tell whether a handler is to be awaited; also of an object with ``async def __call__``."""
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(
        getattr(handler, "__call__", None)  # noqa: B004 - what it is matters, not whether
    )
