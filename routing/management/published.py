"""A published release, named on the command line, as something to evaluate."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.management.base import CommandError

from routing.compiled import CompiledRelease
from routing.encoding import EncoderFailed
from routing.management.catalogs import named_catalog
from routing.moves import NothingLive
from routing.preview import compiled_label, compiled_version
from routing.references import MalformedReference, parse_reference
from routing.selection import texts_to_embed
from routing.selection.arrays import FloatArray
from routing.vectors import ensure_vectors


def named_release(ref: str) -> CompiledRelease:
    """Return what a reference names; raises ``CommandError`` where nothing is published by it."""
    try:
        reference = parse_reference(ref)
    except MalformedReference as error:
        raise CommandError(str(error)) from error
    catalog = named_catalog(reference.catalog)
    try:
        if reference.version is None:
            return compiled_label(catalog, reference.label)
        version = catalog.versions.filter(number=reference.version).first()
        if version is None:
            raise NothingLive
        return compiled_version(version)
    except NothingLive as error:
        raise CommandError(f"“{ref}” is not published.") from error


def encoder_of(release: CompiledRelease) -> str:
    """Return the name of the encoder that a release compares tasks with, or ``none``."""
    return release.index.encoder.name if release.index.encoder is not None else "none"


def vectors_of(release: CompiledRelease) -> Mapping[str, FloatArray]:
    """Return the vectors of a release's document, by content hash; raises ``CommandError``."""
    try:
        return ensure_vectors(texts=texts_to_embed(release.document), encoder=release.index.encoder)
    except EncoderFailed as error:
        raise CommandError(str(error)) from error
