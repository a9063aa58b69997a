"""Suggest groups for the tools of a draft that are in none, with the vectors that there are."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from catalog.models import Catalog
from catalog.shelf import Shelf
from routing import encoding
from routing.encoding import EncoderFailed
from routing.selection import UnknownEncoder
from routing.selection.arrays import FloatArray
from routing.suggesting import Suggestion, suggest, texts_of
from routing.vectors import count_missing, ensure_vectors, stored_vectors

# A request makes so many vectors itself, for about two seconds; the next goes on.
AT_ONCE = 128
_READ = (
    "name",
    "title",
    "description",
    "category",
    "tags",
    "aliases",
    "input_schema",
    "side_effect",
)
_log = logging.getLogger(__name__)
# By all that decides them. A list of thousands takes seconds, and is looked at more than once.
_suggestions: Shelf[bytes, Suggestion] = Shelf(size=8)


@dataclass(frozen=True, slots=True)
class Loose:
    """The tools of a draft that are in no group and not always on, in catalog order."""

    tools: tuple[Mapping[str, Any], ...]
    texts: Mapping[str, str]

    def __len__(self) -> int:
        return len(self.tools)

    def missing(self) -> int:
        """Return how many vectors are to be made before groups can be suggested."""
        return count_missing(texts=self.texts, encoder_name=_encoder_name())

    def make_vectors(self, *, most: int = AT_ONCE) -> bool:
        """Make and keep up to ``most`` of the vectors that are missing; false where none can be.

        An encoder that fails is no reason to have no groups: words alone suggest them then.
        """
        name = _encoder_name()
        try:
            encoder = encoding.load_encoder(name)
            known = stored_vectors(hashes=self.texts, encoder_name=name)
            todo = [digest for digest in self.texts if digest not in known][:most]
            ensure_vectors(texts={one: self.texts[one] for one in todo}, encoder=encoder)
        except (EncoderFailed, UnknownEncoder) as error:
            _log.warning("Groups are suggested by words alone: %s", error)
            return False
        return True

    def suggestion(self, catalog: Catalog) -> tuple[Suggestion, bool]:
        """Return groups for all of the tools, and whether words alone had to suggest them."""
        vectors = self._vectors()
        taken = sorted(catalog.groups.values_list("name", flat=True))
        told = repr((self.tools, taken, _encoder_name() if vectors else "")).encode()

        def made() -> Suggestion:
            return suggest(tools=self.tools, vectors=vectors, taken=taken)

        return _suggestions.get(sha256(told).digest(), made), not vectors

    def _vectors(self) -> Mapping[str, FloatArray]:
        """Return the vectors of all texts, or none: some tools cannot be likened to others."""
        known = stored_vectors(hashes=self.texts, encoder_name=_encoder_name())
        return known if len(known) == len(self.texts) else {}


def loose_tools(catalog: Catalog) -> Loose:
    """Return the tools of a draft that are in no group and would want one. Runs one query."""
    rows = catalog.tools.in_no_group().filter(always_on=False).order_by("position", "id")
    tools = tuple(rows.values(*_READ))
    return Loose(tools=tools, texts=texts_of(tools))


def _encoder_name() -> str:
    """Return the encoder of the settings; none where they describe none that can be."""
    try:
        return encoding.wanted()
    except ImproperlyConfigured as error:
        _log.warning("Groups are suggested by words alone: %s", error)
        return encoding.names.NONE
