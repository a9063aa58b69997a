"""Fitted numbers as rows: kept once by their hash, and read again for an index."""

import logging
import zlib
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from catalog.models import Catalog
from routing.models import FittedModel, Release
from routing.selection import calibration as calibrations
from routing.selection import classifier_bytes as classifiers
from routing.selection.calibration import Calibration
from routing.selection.classifier import Classifier

MOST_BYTES = 256 * 1024 * 1024
"""What fitted numbers may be once they are unpacked."""

_log = logging.getLogger(__name__)


class Damaged(ValueError):
    """The bytes of a fitted model are not those that were kept."""


def keep_calibration(fitted: Calibration, *, catalog: Catalog, now: datetime) -> FittedModel:
    """Return the row of a calibration, made where equal numbers were not kept before."""
    kind, written = FittedModel.Kind.CALIBRATION, calibrations.to_bytes(fitted)
    return _keep(catalog, kind, calibrations.FORMAT, written, now=now)


def keep_classifier(fitted: Classifier, *, catalog: Catalog, now: datetime) -> FittedModel:
    """Return the row of a classifier, made where equal numbers were not kept before."""
    kind, written = FittedModel.Kind.CLASSIFIER, classifiers.to_bytes(fitted)
    return _keep(catalog, kind, classifiers.FORMAT, written, now=now)


def read_calibration(row: FittedModel) -> Calibration:
    """Return the calibration of a row; raises ``ValueError`` where it is none that is known."""
    return calibrations.from_bytes(_bytes_of(row))


def read_classifier(row: FittedModel) -> Classifier:
    """Return the classifier of a row; raises ``ValueError`` where it is none that is known."""
    return classifiers.from_bytes(_bytes_of(row))


def compiling_of(release: Release) -> dict[str, Any]:
    """Return what ``compile_index`` takes of a release beside its document and its vectors.

    What cannot be read is left out, and the log says so: a release that is asked for answers.
    """
    return compiling_with(calibration=release.calibration, classifier=release.classifier)


def compiling_with(
    *, calibration: FittedModel | None, classifier: FittedModel | None
) -> dict[str, Any]:
    """Return what ``compile_index`` takes for fitted rows; see ``compiling_of``."""
    readers: Mapping[str, Any] = {
        "calibration": (calibration, read_calibration),
        "classifier": (classifier, read_classifier),
    }
    found = {}
    for name, (row, read) in readers.items():
        if row is None:
            continue
        try:
            found[name] = read(row)
        except ValueError as error:
            _log.error("%s is left out: %s", row, error)
    return found


def _keep(
    catalog: Catalog, kind: FittedModel.Kind, form: int, content: bytes, *, now: datetime
) -> FittedModel:
    row, _ = FittedModel.objects.get_or_create(
        catalog=catalog,
        kind=kind,
        sha256=sha256(content).hexdigest(),
        defaults={"format": form, "content": zlib.compress(content), "created_at": now},
    )
    return row


def _bytes_of(row: FittedModel) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(bytes(row.content), MOST_BYTES)
    except zlib.error as error:
        raise Damaged(f"Its bytes cannot be unpacked: {error}") from error
    if unpacking.unconsumed_tail or sha256(content).hexdigest() != row.sha256:
        raise Damaged("Its bytes are not those of its hash.")
    return content
