"""``manage.py measure_look_alikes``: are the pairs that are told of confused by other tasks?"""

from __future__ import annotations

import random
from argparse import ArgumentParser
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from routing.evaluation.cases import Case
from routing.lookalikes.measuring import Told, measured
from routing.management.evaluating import (
    cores,
    encode_texts,
    known_encoder,
    read_cases,
    read_catalog,
)
from routing.management.options import refuse_below
from routing.management.set_folders import set_folders
from routing.selection import content_hash, load_encoder, texts_to_embed
from routing.selection.arrays import FloatArray

_LEAST_ASIDE = 5


class Command(BaseCommand):
    """Measure look-alikes on public sets."""

    help = (
        "Show some tasks of each tool as its sample tasks, look for look-alikes, and print how "
        "many of the pairs are confused by the tasks kept aside, beside the likest pairs."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument("--set", action="append", metavar="NAME", help="only these folders")
        parser.add_argument("--shown", type=int, action="append", help="sample tasks; 1, 3, 8")
        parser.add_argument("--aside", type=int, default=16, help="other tasks of each tool")
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, **options: Any) -> None:
        """Print a line a set and number of sample tasks."""
        refuse_below(options, aside=_LEAST_ASIDE, seed=0)
        encoder = known_encoder(None)
        loaded = load_encoder(encoder)
        if loaded is None:
            raise CommandError("Look-alikes need an encoder.")
        vectors_of = partial(_vectors, encoder=encoder)
        for folder in set_folders(options["folder"]):
            if options["set"] and folder.name not in options["set"]:
                continue
            document = read_catalog(folder.catalog)
            cases = read_cases(folder.cases, document)
            for shown in options["shown"] or (1, 3, 8):
                tasks = _tasks(cases, most=shown + options["aside"], seed=options["seed"])
                found, likest = measured(
                    document,
                    shown={tool: of[:shown] for tool, of in tasks.items()},
                    aside={tool: of[shown:] for tool, of in tasks.items()},
                    encoder=loaded,
                    vectors_of=vectors_of,
                )
                self.stdout.write(
                    f"{folder.name:16} {len(tasks):5} tools, {shown} shown: {_said(found)}; "
                    f"the likest: {_said(likest)}"
                )


def _said(told: Told) -> str:
    return (
        f"{told.pairs} pairs, {told.precision:.0%} confused, {told.sometimes:.0%} sometimes, "
        f"{told.recall:.0%} found"
    )


def _tasks(cases: tuple[Case, ...], *, most: int, seed: int) -> dict[str, list[str]]:
    """Return tasks of one tool alone, by that tool, where there are enough of them."""
    tasks: dict[str, list[str]] = {}
    for case in cases:
        if len(case.needs) == 1 and not case.history:
            tasks.setdefault(case.needs[0][0], []).append(case.task)
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    return {
        tool: chance.sample(of, min(most, len(of)))
        for tool, of in sorted(tasks.items())
        if len(of) >= most - _LEAST_ASIDE
    }


def _vectors(document: Mapping[str, Any], *, encoder: str) -> dict[str, FloatArray]:
    texts = list(texts_to_embed(document).values())
    made = encode_texts(texts, encoder=encoder, processes=cores(), kept=None)
    return {content_hash(text): made[text] for text in texts}
