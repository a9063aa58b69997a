"""Releases in the middle of a transaction: those that this process has compiled before."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from routing.compiled import CompiledRelease, compiled_release, shelf

P = ParamSpec("P")
T = TypeVar("T")


class NotCompiled(Exception):
    """A release is needed in the middle of a transaction, and would be compiled in it."""

    def __init__(self, pk: int) -> None:
        super().__init__(pk)
        self.pk = pk


def release_at_hand(pk: int) -> CompiledRelease:
    """Return a release that this process has compiled before; raises ``NotCompiled``."""

    def missing() -> CompiledRelease:
        raise NotCompiled(pk)

    return shelf.get(pk, missing)


def compiling_first(work: Callable[P, T]) -> Callable[P, T]:
    """Return a transaction that compiles what ``release_at_hand`` lacks outside, and begins again.

    Compiling takes seconds, and a transaction of SQLite keeps every other writer waiting.
    """

    @wraps(work)
    def begin(*args: P.args, **named: P.kwargs) -> T:
        while True:
            try:
                return work(*args, **named)
            except NotCompiled as lacking:
                compiled_release(lacking.pk)

    return begin
