"""The reviewed cases that a catalog learns from, as they can be asked of a version."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.models import Catalog
from routing.datasets.naming import names_of_document, names_of_draft, on_version
from routing.datasets.rows import value_of
from routing.datasets.splitting import split
from routing.evaluation.cases import Case
from routing.models import EvalDataset
from routing.models.eval_data import TEST, TRAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Accepted cases: those to ``learn`` from and those to ``judge`` by.

    ``datasets`` are those that they are of, with how many of them; ``passed_over`` counts what
    names a tool that the version does not have, or is in neither part.
    """

    learn: tuple[Case, ...]
    judge: tuple[Case, ...]
    datasets: Mapping[str, int]
    passed_over: int


def datasets_of(catalog: Catalog, names: Sequence[str]) -> list[EvalDataset]:
    """Return the datasets of a catalog that are named, all where none is."""
    found = EvalDataset.objects.filter(catalog=catalog).order_by("name")
    return list(found.filter(name__in=names) if names else found)


def gathered(
    catalog: Catalog, names: Sequence[str], *, document: Mapping[str, Any], patient: bool
) -> Material:
    """Return the accepted cases of datasets as a version can be asked them.

    What two datasets ask alike counts once, and to judge by where either says so: nothing is
    learned from what another dataset judges by. A patient one tells cases into parts first, and
    raises what encoders do.
    """
    known = names_of_document(document, later=names_of_draft(catalog))
    parts: dict[str, tuple[str, Case]] = {}
    counted: dict[str, int] = {}
    passed_over = 0
    for dataset in datasets_of(catalog, names):
        if patient:
            split(dataset, patient=True)
        for row in dataset.cases.accepted():
            case = on_version(value_of(row), known)
            if case is None or row.part not in (TRAIN, TEST):
                passed_over += 1
                continue
            counted[dataset.name] = counted.get(dataset.name, 0) + 1
            before = parts.get(row.digest)
            part = TEST if before is not None and before[0] == TEST else row.part
            parts[row.digest] = (part, case)
    cases = list(parts.values())
    return Material(
        learn=tuple(case for part, case in cases if part == TRAIN),
        judge=tuple(case for part, case in cases if part == TEST),
        datasets=counted,
        passed_over=passed_over,
    )
