"""Carry a fit out: gather cases, fit, judge, and put live what is better and passes the gate.

It takes seconds to a minute and keeps nothing on the way: where a worker is killed or asked to stop
the next one begins it again, with the same seed, and so with the same end.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any

import numpy as np
from django.db import transaction

from routing import encoding
from routing.background import Ended, Watch, carrying_out, end
from routing.encoding.names import ReleaseEncoder
from routing.evaluation.cases import Case
from routing.fitted.storing import compiling_of, keep_calibration, keep_classifier
from routing.gate.standing import GateClosed
from routing.learned.gathering import Material, gathered
from routing.learned.holding import hold, warning
from routing.learned.moving import put_live, release_with
from routing.learned.reporting import report_of
from routing.learning.deciding import Learned, learn
from routing.models import Fit, Release
from routing.moves import StaleBase, current_move
from routing.selection import Index, compile_index, texts_to_embed
from routing.vectors import ensure_vectors

MOST_LEARNED = 20_000
MOST_JUDGED = 3_000
"""Cases that are looked at: more would make it no better, and longer."""

Clock = Callable[[], datetime]
Progress = Callable[[int, int], object]


def carry_out(
    one: Fit,
    *,
    clock: Clock,
    stopping: Callable[[], bool],
    progress: Progress = lambda made, total: None,
) -> None:
    """Learn, and write down what came of it; ``live`` is moved where anything was better.

    Raises ``Stopping`` between two steps where ``stopping`` came true.
    """
    watch = Watch(one=one, stopping=stopping, progress=progress)
    try:
        with carrying_out(one, clock=clock):
            release = _release(one)
            index = index_of(release)
            document = release.version.parsed()
            material = _some(
                gathered(one.catalog, one.datasets, document=document, patient=True), seed=one.seed
            )
            steps = _Steps(material, watch)
            learned = learn(
                index, cases=material.learn, judges=material.judge, seed=one.seed, watch=steps
            )
            said = report_of(learned, material, release=release, seed=one.seed)
            if learned.is_new:
                hold(one, partial(_release_with, one, learned), clock=clock, stopping=stopping)
            _finish(one, learned, said, now=clock(), steps=steps.total)
    except StaleBase:
        end(one, at=clock(), problem=Fit.Problem.STALE_BASE)


def index_of(release: Release) -> Index:
    """Return a release as it answers now, with an encoder that is waited for."""
    document = release.version.parsed()
    name = ReleaseEncoder.parse(release.encoder).encoder
    encoder = encoding.load_encoder(name, patient=True)
    vectors = ensure_vectors(texts=texts_to_embed(document), encoder=encoder)
    return compile_index(document, encoder=encoder, vectors=vectors, **compiling_of(release))


def _release(one: Fit) -> Release:
    """Return the release that is live; raises ``StaleBase`` where it is another by now."""
    move = current_move(one.catalog)
    if move is None or move.pk != one.base:
        raise StaleBase(move)
    return move.release


def _some(material: Material, *, seed: int) -> Material:
    return Material(
        learn=_drawn(material.learn, MOST_LEARNED, seed),
        judge=_drawn(material.judge, MOST_JUDGED, seed),
        datasets=material.datasets,
        passed_over=material.passed_over,
    )


def _drawn(cases: tuple[Case, ...], most: int, seed: int) -> tuple[Case, ...]:
    if len(cases) <= most:
        return cases
    chosen = np.random.default_rng(seed).permutation(len(cases))[:most]
    return tuple(cases[place] for place in np.sort(chosen).tolist())


@transaction.atomic
def _finish(
    one: Fit, learned: Learned, said: Mapping[str, Any], *, now: datetime, steps: int
) -> None:
    """Put live what was learned, where the gate lets it, and end the fit, both or neither.

    A worker that is killed between the two would leave a fit that nobody can finish: its base is
    gone. Raises ``Ended`` where somebody was faster, and ``StaleBase``.
    """
    if not Fit.objects.open().select_for_update().filter(pk=one.pk).exists():
        raise Ended
    release = _release_with(one, learned, now=now) if learned.is_new else None
    if release is not None:
        with suppress(GateClosed):  # it is ready then, and its page says what keeps it
            put_live(
                catalog=one.catalog,
                release=release,
                base=one.base,
                by=one.asked_by,
                reason=_reason(said) + warning(one.catalog, release, now=now),
                now=now,
            )
    end(one, at=now, report=said, release=release, made=steps, total=steps)


def _release_with(one: Fit, learned: Learned, *, now: datetime) -> Release:
    """Keep what was learned and return a release with it; raises ``StaleBase``."""
    calibration = classifier = None
    if learned.calibration is not None:
        calibration = keep_calibration(learned.calibration, catalog=one.catalog, now=now)
    if learned.classifier is not None:
        classifier = keep_classifier(learned.classifier, catalog=one.catalog, now=now)
    return release_with(
        catalog=one.catalog,
        base=one.base,
        calibration=calibration,
        classifier=classifier,
        now=now,
    )


def _reason(said: Mapping[str, Any]) -> str:
    names = ", ".join(name for name, part in said["parts"].items() if part["taken"])
    return f"Learned from {said['learn']} reviewed cases: {names}."


class _Steps:
    """Tells a watch how far a fit is by the step that it is at."""

    def __init__(self, material: Material, watch: Watch) -> None:
        self._watch = watch
        learn, judge = len(material.learn), len(material.judge)
        self._before = {
            "trying": 0,
            "judging": learn,
            "fitting": learn + judge,
            "before": 2 * learn + judge,
            "after": 2 * learn + 2 * judge,
        }
        self.total = 2 * learn + 3 * judge

    def __call__(self, step: str, made: int) -> None:
        """Say that so much of a step is done; raises ``Ended`` and ``Stopping``."""
        self._watch(min(self._before[step] + made, self.total), self.total)
