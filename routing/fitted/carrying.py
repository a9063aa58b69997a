"""What a version is served with beside its encoder: what the release before it had learned.

Learned numbers are of tasks, and tasks do not change when a version is published. So they are
carried on for as long as what they say still holds:

- what a classifier learned of a tool counts while the tool says the same, whatever it is called
  (compiling leaves the others out); it goes where fewer than half of its tools are left;
- a calibration is of all tools together: it goes where fewer than four fifths of them are the same;
- neither outlives its encoder.

The release of the version names the very same numbers, so that no bytes are made by publishing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from catalog.shelf import Shelf
from routing import encoding
from routing.fitted.storing import compiling_with, read_classifier
from routing.models import FittedModel, Release
from routing.selection.texts import own_mark

KNOWN_TOOLS = 0.5
SAME_TOOLS = 0.8

# The tools that a classifier learned of, by its row: rows never change.
_learned: Shelf[int, frozenset[str]] = Shelf(size=64)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedWith:
    """What turns a version into answers: the release's ``encoder``, and what was learned.

    ``known`` of the ``learned`` tools of the classifier before are still what they were, and
    ``same`` is the share of all tools that say what they said: what was left out was for that.
    """

    encoder: str
    calibration: FittedModel | None = None
    classifier: FittedModel | None = None
    known: int = 0
    learned: int = 0
    same: float = 1.0
    left: tuple[str, ...] = ()
    """The kinds that the release before had and that are not carried."""

    @property
    def compiling(self) -> dict[str, Any]:
        """Return what ``compile_index`` takes beside a document and its vectors."""
        return compiling_with(calibration=self.calibration, classifier=self.classifier)

    @property
    def key(self) -> tuple[str, int | None, int | None]:
        """Return what tells this from others: two with an equal one choose alike."""
        return (
            self.encoder,
            self.calibration.pk if self.calibration else None,
            self.classifier.pk if self.classifier else None,
        )


def served_with(
    document: Mapping[str, Any], *, after: Release | None, encoder: str = ""
) -> ServedWith:
    """Return what a version of this document would be served with if it followed a release.

    ``after`` is what the label is at that would be moved to it, ``None`` where it is nowhere. The
    ``encoder`` is the one that is set now unless another is named.
    """
    encoder = encoder or encoding.current()
    if after is None or (after.calibration is None and after.classifier is None):
        return ServedWith(encoder=encoder)
    marks = [own_mark(tool) for tool in document["tools"]]
    before = [own_mark(tool) for tool in after.version.parsed()["tools"]]
    same = _same(before, marks)
    learned, known = 0, 0
    if after.classifier is not None:
        of_tools = _learned.get(after.classifier.pk, partial(_marks_of, after.classifier))
        learned, known = len(of_tools), len(of_tools.intersection(marks))
    is_same_encoder = after.encoder == encoder
    keeps_calibration = is_same_encoder and same >= SAME_TOOLS
    keeps_classifier = is_same_encoder and known > 0 and known >= KNOWN_TOOLS * learned
    left = [
        kind
        for kind, had, kept in (
            ("calibration", after.calibration, keeps_calibration),
            ("classifier", after.classifier, keeps_classifier),
        )
        if had is not None and not kept
    ]
    return ServedWith(
        encoder=encoder,
        calibration=after.calibration if keeps_calibration else None,
        classifier=after.classifier if keeps_classifier else None,
        known=known,
        learned=learned,
        same=same,
        left=tuple(left),
    )


def _same(before: list[str], after: list[str]) -> float:
    """Return the share of tools that are in both, of the greater of the two."""
    most = max(len(before), len(after))
    return len(frozenset(before).intersection(after)) / most if most else 1.0


def _marks_of(row: FittedModel) -> frozenset[str]:
    try:
        return frozenset(read_classifier(row).marks)
    except ValueError:
        return frozenset()
