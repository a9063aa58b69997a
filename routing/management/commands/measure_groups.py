"""``manage.py measure_groups``: how well suggested groups agree with those that people made."""

import json
from argparse import ArgumentParser
from collections.abc import Hashable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError

from routing import encoding
from routing.encoding import load_encoder
from routing.management.grouped_sets import GroupedSet, read_grouped
from routing.management.grouping_baselines import best_within, first_words, k_means
from routing.selection.arrays import FloatArray
from routing.selection.texts import content_hash
from routing.suggesting import MOST_TOOLS, suggest, texts_of
from routing.suggesting.measures import adjusted_rand, purity
from routing.suggesting.reading import text_of

SEEDS = 10
# Tools of a group, on average, for k-means: as many as models choose well among.
A_GROUP = 7
_BATCH = 64
_HEAD = (
    "| set | tools | true groups | groups | suggested | words alone | k-means | first word | best |"
)


class Command(BaseCommand):
    """Suggest groups for tools whose groups are known, and compare."""

    help = (
        "Suggest groups for the tools of each FILE, a catalog with groups or an OpenAPI document "
        "with tags, none of which the suggestion sees, and print a table in Markdown of adjusted "
        "Rand index / purity beside baselines."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument(
            "--toolsets", type=Path, metavar="FILE", help="groups by name, with their tools' names"
        )
        parser.add_argument("--least", type=int, default=1, help="tools of a true group")
        parser.add_argument("--groups", type=int, default=60, help="only the largest so many")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a row for each file, and the mean."""
        toolsets = _toolsets(options["toolsets"])
        rows = []
        self.stdout.write(_HEAD)
        self.stdout.write("|---|---|---|---|---|---|---|---|---|")
        for path in options["files"]:
            one = read_grouped(
                path,
                toolsets=toolsets,
                least=options["least"],
                most_groups=options["groups"],
            )
            rows.append(found := _measured(one))
            sizes = f"{len(one.tools)} | {len(set(one.groups))} | {found[0][0]:.0f}"
            self.stdout.write(f"| {one.name} | {sizes} | {_shown(found[1:])} |")
        means = zip(*(row[1:] for row in rows), strict=True)
        shown = " | ".join(
            f"{mean(r for r, _ in c):.2f} / {mean(p for _, p in c):.2f}" for c in means
        )
        self.stdout.write(f"| mean | | | | {shown} |")


def _shown(pairs: Sequence[tuple[float, float]]) -> str:
    return " | ".join(f"{rand:.2f} / {pure:.2f}" for rand, pure in pairs)


def _measured(one: GroupedSet) -> list[tuple[float, float]]:
    """Return how many groups were suggested, then the measures of each way to group."""
    vectors = _vectors(one)
    suggested = _suggested(one, vectors)
    rows = np.stack([vectors[content_hash(text_of(tool))] for tool in one.tools])
    wanted = -(-len(one.tools) // A_GROUP)
    tries = [
        _compared(k_means(rows.copy(), clusters=wanted, seed=seed), one.groups)
        for seed in range(SEEDS)
    ]
    return [
        (len(set(suggested)), 0),
        _compared(suggested, one.groups),
        _compared(_suggested(one, {}), one.groups),
        (mean(rand for rand, _ in tries), mean(pure for _, pure in tries)),
        _compared(first_words([tool["name"] for tool in one.tools]), one.groups),
        _compared(best_within(one.groups, most=MOST_TOOLS), one.groups),
    ]


def _suggested(one: GroupedSet, vectors: dict[str, FloatArray]) -> list[str]:
    """Return the suggested group of each tool, its own name for one that needs none."""
    found = suggest(tools=one.tools, vectors=vectors)
    homes = {name: group.name for group in found.groups for name in group.tools}
    return [homes.get(tool["name"], tool["name"]) for tool in one.tools]


def _compared(found: Sequence[Hashable], true: Sequence[Hashable]) -> tuple[float, float]:
    return adjusted_rand(found, true), purity(found, true)


def _vectors(one: GroupedSet) -> dict[str, FloatArray]:
    encoder = load_encoder(encoding.wanted(), patient=True)
    if encoder is None:
        raise CommandError("ENCODER is none: there are no vectors to compare by.")
    texts = texts_of(one.tools)
    waiting = sorted(texts, key=lambda digest: (len(texts[digest]), digest))
    made: dict[str, FloatArray] = {}
    for start in range(0, len(waiting), _BATCH):
        batch = waiting[start : start + _BATCH]
        found = np.asarray(encoder.encode([texts[one] for one in batch]), dtype=np.float32)
        made |= dict(zip(batch, found, strict=True))
    return made


def _toolsets(path: Path | None) -> dict[str, list[str]]:
    if path is None:
        return {}
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"{path}: {error}") from error
    if not isinstance(value, dict):
        raise CommandError(f"{path}: groups by name, each a list of its tools, belong here.")
    return value
