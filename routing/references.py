"""References to a catalog: ``name``, ``name@4`` or ``name@staging``."""

import re
from dataclasses import dataclass

from routing.models.release import LIVE

# Our own expression over a short, bounded text; nobody types one here.
_REFERENCE = re.compile(
    r"(?P<catalog>[a-z][a-z0-9-]{0,62})(?:@(?:(?P<version>[1-9][0-9]{0,8})|(?P<label>[a-z][a-z0-9-]{0,62})))?"
)


class MalformedReference(ValueError):
    """A text that names no catalog."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A catalog, and the version or the label that is meant; ``label`` counts without a version."""

    catalog: str
    version: int | None = None
    label: str = LIVE


def parse_reference(text: str) -> Reference:
    """Return what a reference names; raises ``MalformedReference``."""
    match = _REFERENCE.fullmatch(text)
    if match is None:
        raise MalformedReference(
            f"“{text[:80]}” is no reference to a catalog: write name, name@4 or name@staging."
        )
    version = match["version"]
    return Reference(
        catalog=match["catalog"],
        version=int(version) if version else None,
        label=match["label"] or LIVE,
    )
