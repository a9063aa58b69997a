"""``manage.py fit_shipped``: fit again the numbers that ship with a selection."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from routing.evaluation.cases import Case
from routing.evaluation.encoding import texts_of_cases
from routing.learning.shipped.fitting import fit_all
from routing.learning.shipped.looking import ENCODER
from routing.learning.shipped.material import (
    NOTHING_TASKS,
    Material,
    Part,
    sample,
    smaller,
    with_examples,
)
from routing.management.evaluating import (
    cores,
    encode_texts,
    known_encoder,
    read_cases,
    read_catalog,
)
from routing.management.options import made_folder, refuse_below
from routing.management.vector_files import VectorFile
from routing.selection import texts_to_embed
from routing.selection.weights import SHIPPED, write_fitted

FILES = (
    # Where a set has a part for training, no other is read. A weight makes up for what is rare.
    ("metatool", "cases.train.jsonl", 1.0),
    ("metatool", "cases.multi.jsonl", 1.0),
    ("stabletoolbench", "cases.jsonl", 2.0),
    ("bfcl", "cases.live.jsonl", 1.5),
    ("bfcl", "cases.synthetic.jsonl", 1.5),
    ("bfcl_multiturn", "cases.turns.jsonl", 1.5),
    ("bfcl_multiturn", "cases.conversations.jsonl", 0.5),
    ("clinc150", "cases.train.jsonl", 1.0),
    ("clinc150", "cases.none.jsonl", 0.2),
    ("banking77", "cases.train.jsonl", 0.7),
    ("sealtools", "cases.train.jsonl", 1.0),
    ("sealtools", "cases.test.jsonl", 1.0),
    ("sealtools", "cases.test_out_domain.jsonl", 1.0),
    ("acebench_en", "cases.jsonl", 1.0),
    ("acebench_zh", "cases.jsonl", 1.0),
)

EXAMPLES = {
    ("clinc150", "cases.train.jsonl"): (5, 0),
    ("bfcl_multiturn", "cases.turns.jsonl"): (5, 0),
    ("banking77", "cases.train.jsonl"): (0, 2),
    ("metatool", "cases.train.jsonl"): (0, 2),
}
"""How many examples each group and each tool of a part are given."""
SMALLER = (20, 50)
"""How many tools of a catalog make a smaller one."""
DERIVED_SHARE = 0.5
"""What a derived part weighs beside the one that it was made of."""
FEWEST = 20


class Command(BaseCommand):
    """Fit head, combination and confidence on public sets, and write them."""

    help = (
        "Fit the numbers that ship with a selection on the public sets in DIR; with --folds also "
        "without each family of sets, for evaluate_sets to measure by."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument("--out", type=Path, default=SHIPPED, help="where what ships is written")
        parser.add_argument("--folds", type=Path, help="write the fits without a family here")
        parser.add_argument("--most", type=int, default=600, help="cases of each file")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--processes", type=int, default=cores(), help="all cores unless told")
        parser.add_argument(
            "--vectors", type=Path, metavar="DIR", help="keep vectors here from run to run"
        )

    def handle(self, **options: Any) -> None:
        """Encode, fit and write."""
        refuse_below(options, most=1, processes=1, seed=0)
        known_encoder(ENCODER)
        parts = _parts(options["folder"], most=options["most"], seed=options["seed"])
        for folder in filter(None, (options["out"], options["folds"], options["vectors"])):
            made_folder(folder)
        vectors = options["vectors"]
        material = Material(
            parts=parts,
            vectors=encode_texts(
                _texts(parts),
                encoder=ENCODER,
                processes=options["processes"],
                kept=VectorFile(vectors, name="fit", encoder=ENCODER) if vectors else None,
            ),
            processes=options["processes"],
            seed=options["seed"],
        )
        families = material.families if options["folds"] else ()
        for family, fitted in fit_all(material, without=[None, *families], say=self.stderr.write):
            out = options["out"] if family is None else options["folds"] / family
            write_fitted(fitted, out)
            self.stdout.write(f"{out}: fitted {f'without {family}' if family else 'on all'}")


def _parts(folder: Path, *, most: int, seed: int) -> tuple[Part, ...]:
    missing = [name for name, file, _ in FILES if not (folder / name / file).is_file()]
    if missing:
        raise CommandError(f"{folder} lacks the sets {', '.join(dict.fromkeys(missing))}.")
    documents = {
        name: read_catalog(folder / name / "catalog.json")
        for name in dict.fromkeys(name for name, _, _ in FILES)
    }
    parts: list[Part] = []
    for name, file, weight in FILES:
        cases = read_cases([folder / name / file], documents[name])
        whole = Part(folder=name, name=file, document=documents[name], cases=cases, weight=weight)
        part = replace(whole, cases=sample(cases, most, seed=seed))
        parts.append(part)
        parts += _derived(whole, part, most=most, seed=seed)
    return tuple(parts)


def _derived(whole: Part, part: Part, *, most: int, seed: int) -> list[Part]:
    """Return parts as owners' catalogs are: some tools only, or with examples."""
    made = [smaller(part, tools=tools, seed=seed) for tools in SMALLER]
    counts = EXAMPLES.get((part.folder, part.name))
    if counts is not None:
        groups, tools = counts
        shown = with_examples(whole, of_groups=groups, of_tools=tools, seed=seed, most=most)
        made += [shown, *(smaller(shown, tools=size, seed=seed) for size in SMALLER)]
    return [
        replace(one, weight=part.weight * DERIVED_SHARE)
        for one in made
        if len(one.cases) >= FEWEST and any(case.needs for case in one.cases)
    ]


def _texts(parts: tuple[Part, ...]) -> list[str]:
    """Return every text that the encoder reads in a fit."""
    said = [Case(where="nothing", task=task, needs=()) for task in NOTHING_TASKS]
    found = texts_of_cases([case for part in parts for case in part.cases] + said)
    for part in parts:
        found.extend(texts_to_embed(part.document).values())
    return list(dict.fromkeys(found))
