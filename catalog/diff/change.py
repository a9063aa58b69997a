"""One change, said so that a person can judge it without reading JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """What happened to the thing that a change is about."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Change:
    """One change.

    ``place`` is the kind of thing and its name or number, as in ``Problem``; a removed rule has the
    number that it had. ``subject`` is what a person knows the thing by: a name, a rule's pattern.
    The sentence is ``template % params``; ``removed`` and ``added`` are the texts that went and
    came, empty where the sentence says it all. A change of a whole part has ``whole`` set.
    """

    place: tuple[str, str]
    subject: str
    kind: Kind
    template: str
    params: Mapping[str, object] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    whole: bool = False

    @property
    def message(self) -> str:
        """Return the sentence in English."""
        return self.template % self.params

    def __str__(self) -> str:
        said = f"{self.place[0]} {self.subject}: {self.message}"
        gone = "".join(f" -{text}" for text in self.removed)
        return said + gone + "".join(f" +{text}" for text in self.added)
