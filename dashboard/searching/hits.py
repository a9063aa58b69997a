"""What a search finds, as pages show it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that was found: what it is called, what it says of itself, where it is."""

    title: str
    url: str
    catalog: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """Some hits of one kind, the best first; ``next`` is what to read on after, 0 at the end."""

    kind: str
    label: str | Promise
    icon: str
    hits: Sequence[Hit]
    next: int = 0
