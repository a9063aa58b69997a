"""Who acts: kept for the length of a request or a command, so that no function passes it along."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User


@dataclass(frozen=True, slots=True)
class Actor:
    """A person, and the way by which they act: ``page``, ``command`` or ``api``.

    ``by`` may be lazy, as that of a request is: it is asked for only where something is recorded.
    ``name`` is for who has no account, such as a key of the API.
    """

    by: "User | AnonymousUser | None" = None
    via: str = "command"
    name: str = ""

    @property
    def person(self) -> "User | None":
        """Return the account, if there is one."""
        return self.by if self.by is not None and self.by.is_authenticated else None

    @property
    def by_name(self) -> str:
        """Return the name to keep."""
        return self.person.get_username() if self.person else self.name


_actor: ContextVar[Actor] = ContextVar("actor", default=Actor())  # noqa: B039 - it is frozen


@contextmanager
def acting(
    *, by: "User | AnonymousUser | None" = None, via: str = "command", name: str = ""
) -> Iterator[None]:
    """Record what is done inside as done by ``by``, in this thread.

    A middleware does so for each request of a page; a command does so where it knows a person.
    Outside of any it is a command of nobody's.
    """
    token = _actor.set(Actor(by=by, via=via, name=name))
    try:
        yield
    finally:
        _actor.reset(token)


def current_actor() -> Actor:
    """Return who acts now."""
    return _actor.get()
