"""What is wrong with a document, said so that a person can mend it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


def gettext_noop(message: str) -> str:
    """Mark a message for translation; the page that shows it translates it."""
    return message


@dataclass(frozen=True, slots=True)
class SchemaFault:
    """What keeps a value from being a JSON Schema.

    ``path`` are the steps to where it lies, joined by ``/``; ``None`` where no place is known. What
    the schema library says of a fault stays English: it is a parameter, not a template.
    """

    template: str
    params: Mapping[str, object] = field(default_factory=dict)
    path: str | None = None

    def __str__(self) -> str:
        return self.template % self.params


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault.

    ``place`` is where to mend it: the kind of thing (``tools``, ``groups``, ``phases``, ``routes``,
    ``keyword_rules``, ``settings`` …) and its name or number. ``template`` with ``params`` is the
    message, in which a parameter may be a ``SchemaFault``; ``code`` stays the same when the wording
    changes.
    """

    code: str
    place: tuple[str, str]
    template: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """Return the message in English."""
        return self.template % self.params

    def __str__(self) -> str:
        return f"{self.place[0]} {self.place[1]}: {self.message}"
