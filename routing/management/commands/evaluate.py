"""``manage.py evaluate``: how well strategies choose, measured on labelled cases."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from routing.evaluation.families import family_of
from routing.evaluation.outcomes import Outcomes
from routing.evaluation.report import report, table
from routing.evaluation.running import Subject
from routing.learning.sampling import sampled
from routing.management.against import compared
from routing.management.datasets import of_dataset
from routing.management.evaluating import (
    cores,
    known_encoder,
    prepared,
    read_cases,
    read_catalog,
    run,
)
from routing.management.learning import taught, told
from routing.management.options import made_folder, refuse_below
from routing.management.published import encoder_of, named_release, vectors_of
from routing.management.set_folders import left_out
from routing.management.vector_files import VectorFile
from routing.selection import Strategy


class Command(BaseCommand):
    """Measure strategies on cases: of files with no database, or of a published release."""

    help = (
        "Measure strategies on labelled cases. Either --files CATALOG CASES…, with no database and "
        "no default tools, or REF --dataset D for a published release, whose result is kept."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("ref", nargs="?", help="name, name@4 or name@staging")
        parser.add_argument(
            "--files",
            nargs="+",
            type=Path,
            metavar="FILE",
            help="catalog.json and one or more cases.jsonl; several are measured as one",
        )
        parser.add_argument(
            "--dataset",
            action="append",
            metavar="D",
            help="for REF: a dataset of its catalog, or a file of cases; files may be several",
        )
        parser.add_argument(
            "--against",
            metavar="REF",
            help="of a dataset: compare with another version, or with the draft as name@draft",
        )
        parser.add_argument(
            "--part", choices=["train", "test"], help="of a dataset: only this part"
        )
        parser.add_argument("--train", type=Path, metavar="FILE", help="cases to fit to")
        parser.add_argument("--train-each", type=int, metavar="N", help="at most N of them a tool")
        parser.add_argument(
            "--train-share", type=float, default=1.0, help="only those of this share of the tools"
        )
        parser.add_argument(
            "--strategy",
            action="append",
            choices=[strategy.value for strategy in Strategy],
            help="may be repeated; the catalog's own unless told",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("--intervals", action="store_true", help="95 %% bootstrap intervals")
        parser.add_argument("--seed", type=int, default=0, help="of the bootstrap and of a fit")
        parser.add_argument("--curve", action="store_true", help="coverage against size as well")
        parser.add_argument("--limit", type=int, help="only so many cases of each file")
        parser.add_argument("--encoder", help="with --files: another than the setting's; or none")
        parser.add_argument("--processes", type=int, default=cores(), help="all cores unless told")
        parser.add_argument(
            "--folds",
            type=Path,
            metavar="DIR",
            help="with --files: weights by family, as fit_shipped writes them; without the set's",
        )
        parser.add_argument(
            "--vectors", type=Path, metavar="DIR", help="keep vectors here from run to run"
        )

    def handle(self, **options: Any) -> None:
        """Evaluate and print."""
        refuse_below(options, limit=1, processes=1, train_each=1, seed=0)
        if not 0 < options["train_share"] <= 1:
            raise CommandError("--train-share is above 0 and at most 1.")
        if (options["ref"] is None) == (options["files"] is None):
            raise CommandError("Name either a catalog (REF) or --files.")
        options["strategy"] = list(dict.fromkeys(options["strategy"] or ()))
        if options["against"]:
            self.stdout.write(compared(options))
            return
        outcomes = _of_release(options) if options["ref"] else _of_files(options)
        seed = options["seed"] if options["intervals"] else None
        value = report(outcomes, seed=seed, curve=options["curve"])
        if options["json"]:
            self.stdout.write(json.dumps(value, ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n".join(table(value)))
        for name, measures in value["strategies"].items():
            if measures["failure_rate"]:
                self.stderr.write(
                    f"{name}: for {measures['failure_rate']:.1%} of the cases it could not be "
                    "served, and auto answered."
                )


def _of_files(options: dict[str, Any]) -> dict[str, Outcomes]:
    if len(options["files"]) < 2:
        raise CommandError("--files: a catalog and at least one file of cases.")
    if options["dataset"]:
        raise CommandError("--dataset goes with REF; cases follow the catalog in --files.")
    catalog, *paths = options["files"]
    document = read_catalog(catalog)
    cases = read_cases(paths, document, limit=options["limit"])
    encoder = known_encoder(options["encoder"])
    kept = None
    if options["vectors"] is not None:
        name = catalog.resolve().parent.name
        kept = VectorFile(made_folder(options["vectors"]), name=name, encoder=encoder)
    family = family_of(catalog.resolve().parent.name)
    folds = options["folds"]
    subject = prepared(
        document,
        cases,
        encoder=encoder,
        processes=options["processes"],
        kept=kept,
        compiling=left_out(folds, [family])(family) if folds is not None else None,
    )
    subject = _trained(subject, options, kept=kept)
    default = ("auto", "classifier") if options["train"] else ("auto",)
    strategies = [Strategy(name) for name in options["strategy"] or default]
    return run(subject, cases=cases, strategies=strategies, processes=options["processes"])


def _trained(subject: Subject, options: dict[str, Any], *, kept: VectorFile | None) -> Subject:
    """Return the subject with what was fitted to ``--train``, as far as it is accepted."""
    if options["train"] is None:
        return subject
    cases = sampled(
        read_cases([options["train"]], subject.document),
        each=options["train_each"],
        share=options["train_share"],
        seed=options["seed"],
    )
    one = taught(subject, cases, seed=options["seed"], processes=options["processes"], kept=kept)
    sys.stderr.write("\n".join(told(one)) + "\n")
    return one.subject


def _of_release(options: dict[str, Any]) -> dict[str, Outcomes]:
    for name in ("encoder", "vectors", "folds"):
        if options[name] is not None:
            raise CommandError(f"--{name} goes with --files; a release has its own.")
    if not options["dataset"]:
        raise CommandError("Name the cases: --dataset D, a dataset or a file.")
    paths = [Path(name) for name in options["dataset"]]
    if not any(path.is_file() for path in paths):
        return of_dataset(options)
    missing = [path for path in paths if not path.is_file()]
    if missing:
        raise CommandError(f"--dataset {missing[0]}: no such file.")
    release = named_release(options["ref"])
    cases = read_cases(paths, release.document, limit=options["limit"])
    subject = prepared(
        release.document,
        cases,
        encoder=encoder_of(release),
        processes=options["processes"],
        known=vectors_of(release),
    )
    subject = _trained(subject, options, kept=None)
    strategies = [Strategy(name) for name in options["strategy"] or ()]
    return run(
        subject,
        cases=cases,
        strategies=strategies or [release.index.settings.strategy],
        processes=options["processes"],
    )
