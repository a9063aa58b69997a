"""Look-alikes of a draft: at once where that is quick, else by the worker, and kept.

What was found of two holds while both say what they said. So after an edit the last search still
speaks for every pair that it did not touch, and the next one is asked for when somebody wants it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured

from catalog.models import Catalog
from catalog.publishing import FrozenDraft, freeze_and_check
from catalog.shelf import Shelf
from routing import encoding
from routing.background import Watch, ask_once, carrying_out, end, keep_newest
from routing.encoding import EncoderFailed
from routing.lookalikes import LookAlike, count_samples, look_alikes, part_keys
from routing.models import LookAlikeSearch
from routing.selection import Encoder, UnknownEncoder, content_hash, texts_to_embed
from routing.selection.arrays import FloatArray
from routing.selection.encoders import Legs, memory_of
from routing.vectors import count_missing, ensure_vectors

# What a look at a page does by itself: so large a draft, and so many vectors that an edit left to
# be made. What is asked for by a button may make more.
MOST_PARTS, MOST_SAMPLES, MOST_MADE = 200, 200, 16
MOST_MADE_WHEN_ASKED = 500
KEPT = 5
"""Finished searches of a catalog that are kept."""

Document = Mapping[str, Any]
Start = Callable[[LookAlikeSearch], str]
"""Hands a search to the worker and returns the name of the task."""

_found: Shelf[tuple[str, str], tuple[LookAlike, ...]] = Shelf(size=64)
_holding: Shelf[tuple[int, str], tuple[LookAlike, ...]] = Shelf(size=64)


class _NotAtOnce(Exception):
    """A search would take longer than a page may."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a draft's look-alikes.

    ``exact`` where they are those of the draft as it is; else they are what a search of an earlier
    one, ``of``, found and still holds. ``of`` is ``None`` where nobody has searched.
    """

    pairs: Sequence[LookAlike]
    exact: bool
    of: LookAlikeSearch | None = None


def known_look_alikes(*, sha256: str, value: Document) -> Known:
    """Return what is known of a document's look-alikes, the worst first.

    A small one is searched at once where hardly a vector is missing.
    """
    encoder = encoding.wanted()
    if encoder == "none":
        return Known(pairs=(), exact=True)
    try:
        pairs = _found.get(
            (sha256, encoder), lambda: _searched(value, encoder, most=MOST_MADE, patient=False)
        )
    except (_NotAtOnce, EncoderFailed, UnknownEncoder, ImproperlyConfigured):
        return _known_before(sha256=sha256, value=value, encoder=encoder)
    return Known(pairs=pairs, exact=True)


def is_quick(value: Document) -> bool:
    """Tell whether a document is small enough to be searched while somebody waits."""
    parts = len(value["tools"]) + len(value["groups"])
    local = not encoding.wanted().startswith(encoding.ENDPOINT)
    return local and parts <= MOST_PARTS and count_samples(value) <= MOST_SAMPLES


def search(
    *, catalog: Catalog, frozen: FrozenDraft, by: User | None, now: datetime, start: Start
) -> LookAlikeSearch | None:
    """Search a draft at once, or have the worker do it where that takes longer.

    Returns the search that is open already, where there is one; ``None`` without an encoder.
    """
    encoder = encoding.wanted()
    if encoder == "none":
        return None
    known = known_look_alikes(sha256=frozen.sha256, value=frozen.value)
    if known.exact and known.of is not None:
        return known.of
    asked = LookAlikeSearch(
        catalog=catalog, sha256=frozen.sha256, encoder=encoder, asked_by=by, asked_at=now
    )
    try:
        pairs = (
            known.pairs
            if known.exact
            else _searched(frozen.value, encoder, most=MOST_MADE_WHEN_ASKED, patient=False)
        )
    except (_NotAtOnce, EncoderFailed):
        asked.total = count_samples(frozen.value)
        return ask_once(asked, start=start, catalog=catalog)
    asked.finished_at = now
    asked.found = [pair.record() for pair in pairs]
    asked.save()
    _forget_old(catalog)
    return asked


def search_now(
    *, frozen: FrozenDraft, progress: Callable[[int, int], object] | None = None
) -> None:
    """Search a draft however long it takes: this process knows then. Raises what encoders do."""
    encoder = encoding.wanted()
    if encoder != "none":
        _found.get(
            (frozen.sha256, encoder),
            lambda: _searched(frozen.value, encoder, most=None, patient=True, progress=progress),
        )


def carry_out(
    one: LookAlikeSearch, *, clock: Callable[[], datetime], stopping: Callable[[], bool]
) -> None:
    """Make the vectors of a draft, search it, and keep what was found.

    Raises ``Stopping`` after the step in which ``stopping`` came true.
    """
    frozen = freeze_and_check(one.catalog)
    if frozen.sha256 != one.sha256:
        # Nobody looks at that draft any more; the search is of the one that there is.
        one.sha256 = frozen.sha256
        one.save(update_fields=["sha256"])
    vectors = len(texts_to_embed(frozen.value))
    total = vectors + count_samples(frozen.value)
    watch = Watch(one=one, stopping=stopping)
    encoding_done = False

    def progress(made: int, _of: int) -> None:
        watch(min((vectors if encoding_done else 0) + made, total), total)

    with carrying_out(one, clock=clock):
        loaded = encoding.load_encoder(one.encoder, patient=True)
        texts = texts_to_embed(frozen.value)
        made = ensure_vectors(texts=texts, encoder=loaded, progress=progress)
        encoding_done = True
        pairs = _pairs(frozen.value, loaded, made, progress=progress)
        end(one, at=clock(), made=total, total=total, found=[pair.record() for pair in pairs])
        _forget_old(one.catalog)


def newest_search(catalog: Catalog) -> LookAlikeSearch | None:
    """Return the search that was asked for last."""
    return LookAlikeSearch.objects.filter(catalog=catalog).first()


def _known_before(*, sha256: str, value: Document, encoder: str) -> Known:
    """Return what the last search of the catalog found, as far as it still holds."""
    searches = LookAlikeSearch.objects.done().filter(catalog__name=value["catalog"])
    last = searches.filter(encoder=encoder).first()
    if last is None:
        return Known(pairs=(), exact=False)
    pairs = _holding.get((last.pk, sha256), lambda: tuple(_still(last.found, value)))
    return Known(pairs=pairs, exact=last.sha256 == sha256, of=last)


def _still(records: Iterable[Mapping[str, Any]], value: Document) -> Iterable[LookAlike]:
    keys = part_keys(value)
    for one in map(LookAlike.read, records):
        if all(
            keys.get((one.kind, name)) == key for name, key in zip(one.names, one.keys, strict=True)
        ):
            yield one


def _searched(
    value: Document,
    encoder: str,
    *,
    most: int | None,
    patient: bool,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[LookAlike, ...]:
    """Search a document; raises ``_NotAtOnce`` where more than ``most`` vectors are missing."""
    if most is not None and not is_quick(value):
        raise _NotAtOnce
    texts = texts_to_embed(value)
    if most is not None and count_missing(texts=texts, encoder_name=encoder) > most:
        raise _NotAtOnce
    loaded = encoding.load_encoder(encoder, patient=patient)
    vectors = ensure_vectors(texts=texts, encoder=loaded, progress=progress)
    return tuple(_pairs(value, loaded, vectors, progress=progress))


def _pairs(
    value: Document,
    encoder: Encoder | None,
    vectors: Mapping[str, FloatArray],
    *,
    progress: Callable[[int, int], object] | None,
) -> list[LookAlike]:
    if encoder is None:
        return []
    return look_alikes(
        value, encoder=_Knowing(encoder, vectors), vectors=vectors, progress=progress
    )


class _Knowing:
    """An encoder that has the vectors of a draft's sample tasks already."""

    def __init__(self, encoder: Encoder, vectors: Mapping[str, FloatArray]) -> None:
        self.name = encoder.name
        self._encoder = encoder
        self._vectors = vectors

    @property
    def legs(self) -> Legs:
        """Return the legs of the encoder."""
        return self._encoder.legs

    def dimensions(self) -> int:
        """Return the length of a vector."""
        return self._encoder.dimensions()

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return one vector a text, those made that are not known."""
        found = {text: self._vectors.get(content_hash(text)) for text in texts}
        unknown = [text for text, vector in found.items() if vector is None]
        if unknown:
            made = memory_of(self._encoder).vectors(unknown)
            found |= dict(zip(unknown, made, strict=True))
        rows: FloatArray = np.stack([vector for vector in found.values() if vector is not None])
        return rows


def _forget_old(catalog: Catalog) -> None:
    keep_newest(LookAlikeSearch.objects.finished().filter(catalog=catalog), most=KEPT)
