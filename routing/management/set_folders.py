"""Folders of public sets: a catalog and some files of cases in each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from django.core.management.base import CommandError

from routing.evaluation.families import family_of
from routing.evaluation.sets import EvaluatedSet
from routing.management.evaluating import prepared, read_cases, read_catalog, run
from routing.management.vector_files import VectorFile
from routing.selection import Strategy
from routing.selection.weights import read_fitted

Compiling = Callable[[str], Mapping[str, Any]]
"""From a family to further arguments of ``compile_index``: what was fitted without that family."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFolder:
    """A folder with a catalog and files of cases that nothing was fitted on."""

    name: str
    catalog: Path
    cases: tuple[Path, ...]


def set_folders(folder: Path) -> list[SetFolder]:
    """Return the sets in a folder by name; raises ``CommandError`` if it cannot be read."""
    if not folder.is_dir():
        raise CommandError(f"{folder}: no such folder.")
    found = []
    for inner in sorted(path for path in folder.iterdir() if (path / "catalog.json").is_file()):
        parts = sorted(path for path in inner.glob("cases*.jsonl") if "train" not in _part(path))
        if parts:
            found.append(
                SetFolder(name=inner.name, catalog=inner / "catalog.json", cases=tuple(parts))
            )
    return found


def nothing_left_out(_: str) -> Mapping[str, Any]:
    """Compile with what ships, whatever the family."""
    return {}


def left_out(folds: Path, families: Iterable[str]) -> Compiling:
    """Compile with what was fitted without the family: ``folds`` has a folder for each family.

    Raises ``CommandError`` where one of them is missing or cannot be read.
    """
    fitted = {}
    for family in dict.fromkeys(families):
        try:
            fitted[family] = read_fitted(folds / family)
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise CommandError(f"{folds / family}: no fit without this family: {error}") from error
    return lambda family: {"fitted": fitted[family]}


def evaluate_folder(
    folder: SetFolder,
    *,
    strategies: Sequence[Strategy],
    encoder: str,
    processes: int,
    limit: int | None,
    vectors: Path | None,
    compiling: Compiling = nothing_left_out,
) -> list[EvaluatedSet]:
    """Return the outcomes of each file of cases; the texts of all are encoded together."""
    document = read_catalog(folder.catalog)
    by_part = {_part(path): read_cases([path], document, limit=limit) for path in folder.cases}
    every = [case for cases in by_part.values() for case in cases]
    kept = VectorFile(vectors, name=folder.name, encoder=encoder) if vectors is not None else None
    subject = prepared(
        document,
        every,
        encoder=encoder,
        processes=processes,
        kept=kept,
        compiling=compiling(family_of(folder.name)),
    )
    outcomes = run(subject, cases=every, strategies=strategies, processes=processes)
    sets = []
    start = 0
    for part, cases in by_part.items():
        stop = start + len(cases)
        of_part = {name: found.take(slice(start, stop)) for name, found in outcomes.items()}
        sets.append(
            EvaluatedSet(
                folder=folder.name, part=part, tools=len(document["tools"]), outcomes=of_part
            )
        )
        start = stop
    return sets


def _part(path: Path) -> str:
    """Return which part of a set a file holds: ``test`` for ``cases.test.jsonl``."""
    return path.name.removeprefix("cases").removesuffix(".jsonl").strip(".")
