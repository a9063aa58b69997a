"""What the commands that evaluate share: read files, encode what is new, run, show progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError

from routing.encoding import EncoderFailed, load_encoder, wanted
from routing.encoding.names import ENDPOINT
from routing.evaluation.cases import Case, check_cases, parse_cases
from routing.evaluation.catalogs import parse_catalog
from routing.evaluation.encoding import encoded, texts_of_cases
from routing.evaluation.faults import BadInput
from routing.evaluation.outcomes import Outcomes
from routing.evaluation.running import Subject, evaluate
from routing.management.progress import ProgressBar
from routing.management.vector_files import VectorFile
from routing.selection import Strategy, UnknownEncoder, content_hash, texts_to_embed
from routing.selection import load_encoder as load_shipped
from routing.selection.arrays import FloatArray


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_catalog(path: Path) -> dict[str, Any]:
    """Return the document of a catalog file; raises ``CommandError`` that says what is wrong."""
    try:
        return parse_catalog(_content(path), source=str(path))
    except BadInput as error:
        raise CommandError(str(error)) from error


def read_cases(
    paths: Iterable[Path], document: Mapping[str, Any], *, limit: int | None = None
) -> tuple[Case, ...]:
    """Return the cases of files, at most ``limit`` of each; raises ``CommandError``."""
    cases: list[Case] = []
    try:
        for path in paths:
            cases += _spread(parse_cases(_content(path), source=str(path)), limit)
        check_cases(cases, document)
    except BadInput as error:
        raise CommandError(str(error)) from error
    return tuple(cases)


def _spread(cases: Sequence[Case], limit: int | None) -> Sequence[Case]:
    """Return so many cases from all over a file: neighbours are often of the same tool."""
    if limit is None or limit >= len(cases):
        return cases
    return [cases[place * len(cases) // limit] for place in range(limit)]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from error


def known_encoder(name: str | None) -> str:
    """Return the full name of an encoder, the setting's for ``None``; raises ``CommandError``."""
    try:
        chosen = name or wanted()
        load_encoder(chosen)
    except (UnknownEncoder, ImproperlyConfigured) as error:
        raise CommandError(str(error)) from error
    return chosen


def prepared(
    document: Mapping[str, Any],
    cases: Sequence[Case],
    *,
    encoder: str,
    processes: int,
    kept: VectorFile | None = None,
    known: Mapping[str, FloatArray] | None = None,
    compiling: Mapping[str, Any] | None = None,
) -> Subject:
    """Return what is to be evaluated, with every text of it encoded.

    ``known`` are vectors of the document, by content hash, that need not be made.
    """
    if encoder == "none":
        return Subject(document=document, encoder=encoder, compiling=compiling or {})
    by_hash = dict(known or {})
    listed = texts_to_embed(document)
    of_document = [text for digest, text in listed.items() if digest not in by_hash]
    of_cases = texts_of_cases(cases)
    vectors = encode_texts(
        [*of_document, *of_cases], encoder=encoder, processes=processes, kept=kept
    )
    return Subject(
        document=document,
        encoder=encoder,
        vectors=by_hash | {content_hash(text): vectors[text] for text in of_document},
        task_vectors={text: vectors[text] for text in of_cases},
        compiling=compiling or {},
    )


def encode_texts(
    texts: Sequence[str], *, encoder: str, processes: int, kept: VectorFile | None
) -> dict[str, FloatArray]:
    """Return the vectors of texts, those that are not kept made; raises ``CommandError``."""
    known = kept.get(texts) if kept is not None else {}
    missing = [text for text in texts if text not in known]
    endpoint = encoder.startswith(ENDPOINT)
    try:
        made = encoded(
            missing,
            encoder=encoder,
            # An endpoint has its own cores, and its settings are known here only.
            processes=1 if endpoint else processes,
            progress=ProgressBar(sys.stderr, "encoding"),
            loading=partial(load_encoder, patient=True) if endpoint else load_shipped,
        )
    except (EncoderFailed, UnknownEncoder, ImproperlyConfigured) as error:
        raise CommandError(str(error)) from error
    if kept is not None:
        kept.put(made)
    return known | made


def run(
    subject: Subject, *, cases: Sequence[Case], strategies: Sequence[Strategy], processes: int
) -> dict[str, Outcomes]:
    """Return the outcomes by the strategies' names."""
    outcomes = evaluate(
        subject,
        cases=cases,
        strategies=strategies,
        clock=perf_counter,
        processes=processes,
        progress=ProgressBar(sys.stderr, "selecting"),
    )
    return {strategy.value: of_strategy for strategy, of_strategy in outcomes.items()}
