"""``manage.py evaluate_sets``: every strategy on every set of a folder, as a page."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from routing.evaluation.families import family_of
from routing.evaluation.page import quality_page
from routing.evaluation.sets import EvaluatedSet, measures_of
from routing.management.evaluating import cores, known_encoder
from routing.management.options import file_to_write, made_folder, refuse_below
from routing.management.set_folders import (
    Compiling,
    SetFolder,
    evaluate_folder,
    left_out,
    nothing_left_out,
    set_folders,
)
from routing.selection import Strategy

DEFAULT_STRATEGIES = ("auto", "embedding", "hierarchical", "rules+embedding")


class Command(BaseCommand):
    """Measure strategies on all sets of a folder and write the page about it."""

    help = (
        "Measure strategies on every cases*.jsonl of every folder in DIR, training parts left out, "
        "and write a page in Markdown."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument("--out", type=Path, metavar="FILE", help="printed unless told")
        parser.add_argument(
            "--strategy",
            action="append",
            choices=[strategy.value for strategy in Strategy],
            help=f"may be repeated, the first in detail; {', '.join(DEFAULT_STRATEGIES)} if none",
        )
        parser.add_argument("--set", action="append", metavar="NAME", help="only these folders")
        parser.add_argument("--limit", type=int, help="only so many cases of each file")
        parser.add_argument("--encoder", help="another than the setting's; or none")
        parser.add_argument("--processes", type=int, default=cores(), help="all cores unless told")
        parser.add_argument("--seed", type=int, default=0, help="of the intervals")
        parser.add_argument(
            "--folds",
            type=Path,
            metavar="DIR",
            help="folders of weights by family, each fitted without it; what ships unless told",
        )
        parser.add_argument("--json", type=Path, metavar="FILE", help="all measures as JSON, too")
        parser.add_argument(
            "--vectors", type=Path, metavar="DIR", help="keep vectors here from run to run"
        )

    def handle(self, **options: Any) -> None:
        """Evaluate folder by folder, and write."""
        refuse_below(options, limit=1, processes=1, seed=0)
        encoder = known_encoder(options["encoder"])
        names = list(dict.fromkeys(options["strategy"] or DEFAULT_STRATEGIES))
        folders = _chosen(options["folder"], options["set"])
        folds: Path | None = options["folds"]
        for out in filter(None, (options["json"], options["out"])):
            file_to_write(out)
        vectors: Path | None = options["vectors"]
        if vectors is not None:
            made_folder(vectors)
        compiling: Compiling = nothing_left_out
        if folds is not None:
            compiling = left_out(folds, [family_of(folder.name) for folder in folders])
        sets: list[EvaluatedSet] = []
        for folder in folders:
            self.stderr.write(folder.name)
            sets += evaluate_folder(
                folder,
                strategies=[Strategy(name) for name in names],
                encoder=encoder,
                processes=options["processes"],
                limit=options["limit"],
                vectors=vectors,
                compiling=compiling,
            )
        page = quality_page(
            sets,
            main=names[0],
            about=_about(encoder=encoder, limit=options["limit"], left_out=folds is not None),
            command="manage.py evaluate_sets",
            seed=options["seed"],
        )
        if options["json"] is not None:
            options["json"].write_text(json.dumps(measures_of(sets), indent=1) + "\n", "utf-8")
        if options["out"] is not None:
            options["out"].write_text(page, "utf-8")
        else:
            self.stdout.write(page)


def _chosen(folder: Path, names: list[str] | None) -> list[SetFolder]:
    found = set_folders(folder)
    unknown = set(names or ()) - {one.name for one in found}
    if unknown:
        raise CommandError(f"{folder} has no set {', '.join(sorted(unknown))}.")
    chosen = [one for one in found if not names or one.name in names]
    if not chosen:
        raise CommandError(f"{folder}: no folder in it has a catalog.json and cases.")
    return chosen


def _about(*, encoder: str, limit: int | None, left_out: bool) -> list[str]:
    some = f", {limit} cases of each" if limit else ""
    weights = (
        "Each set was measured with weights that were fitted without its whole family: metatool; "
        "bfcl and bfcl_multiturn; stabletoolbench; clinc150 and banking77; sealtools; acebench."
        if left_out
        else "The shipped weights were fitted on parts of these families: what they say of tasks "
        "that nobody fitted on is said by weights with the family left out."
    )
    return [
        f"Measured on public sets{some}, with the encoder `{encoder}`, the catalogs' threshold of "
        "0.6, their cap of 7 and no default tools. A time is that of the selection alone, the "
        "task's vectors in memory, while all cores are busy.",
        weights,
    ]
