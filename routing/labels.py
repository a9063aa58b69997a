"""The labels of a catalog: where each is, who may move it, and taking one away.

They are moved in ``routing.releases``, which knows them no better than ``live``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from catalog.models import Catalog
from catalog.publishing import lock
from catalog.recording import note_deed
from routing.models import Label, LabelMove
from routing.models.release import LIVE
from routing.moves import make_move, seen_last


class UnknownLabel(Exception):
    """The catalog has no such label now."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A label and the move that brought it to where it is."""

    name: str
    protected: bool
    move: LabelMove


def labels_of(catalog: Catalog) -> list[Pointer]:
    """Return where the labels of a catalog are now: ``live`` first, then by name. Two reads."""
    protected = protected_names(catalog)
    moves = (
        LabelMove.objects.current(label=None)
        .filter(catalog=catalog)
        .select_related("by", "release__version")
        .defer("release__version__document")
    )
    found = [
        Pointer(name=move.label, protected=move.label in protected, move=move) for move in moves
    ]
    return sorted(found, key=lambda pointer: (pointer.name != LIVE, pointer.name))


def protected_names(catalog: Catalog) -> frozenset[str]:
    """Return the labels that only a publisher may move; ``live`` always is one."""
    names = catalog.labels.filter(protected=True).values_list("name", flat=True)
    return frozenset({LIVE, *names})


def is_protected(catalog: Catalog, label: str) -> bool:
    """Tell whether only a publisher may move a label, be it there or away."""
    return label in protected_names(catalog)


def protect(*, catalog: Catalog, label: str, protected: bool) -> None:
    """Keep a label for publishers, or let editors move it too; ``live`` stays as it is.

    Raises ``UnknownLabel``.
    """
    with transaction.atomic():
        if not Label.objects.filter(catalog=catalog, name=label).update(protected=protected):
            raise UnknownLabel(label)
        note_deed(
            catalog=catalog,
            action="protect_label",
            kind="labels",
            subject=label,
            after={"protected": protected},
        )


def remove_label(
    *,
    catalog: Catalog,
    label: str,
    by: User | None,
    reason: str,
    base: int | None,
    now: datetime,
) -> LabelMove:
    """Take a label away: nobody may name it any longer. Its history stays.

    Raises ``UnknownLabel`` for ``live`` and what is away already, or ``StaleBase``.
    """
    with transaction.atomic():
        catalog = lock(catalog)
        last = seen_last(catalog, label=label, base=base)
        if label == LIVE or last is None or last.removed:
            raise UnknownLabel(label)
        return make_move(
            catalog=catalog,
            label=label,
            release=last.release,
            previous=last,
            by=by,
            reason=reason,
            now=now,
            action="remove_label",
            removed=True,
        )


def bases_at(catalog: Catalog, *, seen: int | None) -> Mapping[str, int]:
    """Return the id of the last move of each label as of the move ``seen``, itself included.

    Moves of a catalog are made one by one, so that their ids are in the order of time.
    """
    if seen is None:
        return {}
    moves = LabelMove.objects.filter(catalog=catalog, pk__lte=seen).order_by("pk")
    return dict(moves.values_list("label", "pk"))
