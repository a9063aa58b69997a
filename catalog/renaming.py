"""A new name of a part: where the draft follows it, and who keeps the old one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from catalog.models.part import Part
from catalog.uses import Use, parts_that_name

Keeper = Callable[[Part, str], Iterable[str]]
"""Says of a part and its old name, each in a sentence, what still goes by that."""

_keepers: list[Keeper] = []


@dataclass(frozen=True, slots=True)
class Renaming:
    """What a new name means: the parts that go by it, and what keeps the old one, in sentences."""

    was: str
    now: str
    followed: tuple[Use, ...]
    kept: tuple[str, ...]


def ask_too(keeper: Keeper) -> None:
    """Ask ``keeper`` as well whenever a part was renamed; for what is built upon the draft."""
    if keeper not in _keepers:
        _keepers.append(keeper)


def renaming_of(*, part: Part, was: str) -> Renaming | None:
    """Return what the new name of a part means; ``None`` where it is the old one."""
    if str(part) == was:
        return None
    kept = tuple(said for keeper in _keepers for said in keeper(part, was))
    return Renaming(was=was, now=str(part), followed=tuple(parts_that_name(part)), kept=kept)
