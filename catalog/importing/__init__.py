"""Bring tools of a source into a draft: look first, then write; importing again is a sync.

``catalog.reading.read`` makes a ``Reading`` of a document; ``preview_import`` says what importing
it would do, and ``apply_import`` does that. ``merging``, ``comparing`` and ``preview`` are pure.
"""

from catalog.importing.applying import ImportRefused, NothingRead, PreviewStale, apply_import
from catalog.importing.draft import preview_import, sources_of
from catalog.importing.origins import copy_origins
from catalog.importing.preview import Choices, Entry, Kind, Outcome, Preview

__all__ = [
    "Choices",
    "Entry",
    "ImportRefused",
    "Kind",
    "NothingRead",
    "Outcome",
    "Preview",
    "PreviewStale",
    "apply_import",
    "copy_origins",
    "preview_import",
    "sources_of",
]
