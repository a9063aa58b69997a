"""Fit both parts to cases, and decide which of them are better than what is live."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from routing.evaluation.cases import Case
from routing.evaluation.confidence import auroc, brier_skill, calibration_error
from routing.evaluation.outcomes import Outcomes
from routing.evaluation.queries import query_of
from routing.learning.calibration import Asked, fit_calibration, observe, said
from routing.learning.classifier import fit
from routing.learning.judging import coverage_falls, outcomes_on
from routing.learning.measuring import CERTAIN, verdict_on
from routing.learning.reasons import (
    BETTER_CONFIDENCE,
    COVERAGE_FALLS,
    NO_BETTER,
    Reason,
)
from routing.selection import Index
from routing.selection.calibration import Calibration
from routing.selection.classifier import Classifier, Placed

Watch = Callable[[str, int], object]
"""Told the step and how many cases it has done; what it raises ends the work."""
Figures = dict[str, float | int]
_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What came of one part: whether it is taken, why, and figures of held-out cases.

    ``before`` and ``after`` have ``ece``, ``brier_skill``, ``auroc`` or ``recall@1``, ``ndcg@10``.
    """

    taken: bool
    reason: Reason
    cases: int = 0
    before: Figures | None = None
    after: Figures | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What was learned: ``calibration`` and ``classifier`` are what is to be served with.

    That is what was fitted where it is taken, else what is live. ``parts`` say why, by name.
    ``outcomes`` are those of the cases to judge by, before and after.
    """

    calibration: Calibration | None
    classifier: Classifier | None
    parts: dict[str, Part]
    outcomes: tuple[Outcomes, Outcomes]

    @property
    def is_new(self) -> bool:
        """Whether anything was taken."""
        return any(part.taken for part in self.parts.values())


def learn(
    index: Index,
    *,
    cases: Sequence[Case],
    judges: Sequence[Case],
    seed: int,
    watch: Watch = lambda step, made: None,
) -> Learned:
    """Fit to ``cases`` what may be better than what an index has, and judge it by ``judges``.

    Each part is held against what is live. A calibration is taken where its confidence is nearer to
    what was so, a classifier where it ranks better, on cases that they were not fitted to, by more
    than chance; and then only where what is served covers no fewer cases, for all that is known.
    """
    calibration, of_calibration = calibrate(index, cases, judges, seed=seed, watch=watch)
    classifier, of_classifier = _classifier(index, cases, judges, seed=seed, watch=watch)
    before = outcomes_on(index, judges, watch=lambda made: watch("before", made))
    parts, after = _together(
        index,
        {"calibration": of_calibration, "classifier": of_classifier},
        calibration=calibration,
        classifier=classifier,
        judges=judges,
        before=before,
        seed=seed,
        watch=watch,
    )
    live = index.classifier.classifier if index.classifier is not None else None
    return Learned(
        calibration=calibration if parts["calibration"].taken else index.calibration,
        classifier=classifier if parts["classifier"].taken else live,
        parts=parts,
        outcomes=(before, after),
    )


def _together(
    index: Index,
    parts: dict[str, Part],
    *,
    calibration: Calibration | None,
    classifier: Classifier | None,
    judges: Sequence[Case],
    before: Outcomes,
    seed: int,
    watch: Watch,
) -> tuple[dict[str, Part], Outcomes]:
    """Return the parts as they are taken together, and what then comes of the cases to judge by.

    Where all that was taken costs coverage, each alone is tried, the classifier first.
    """
    wanted = [name for name, part in parts.items() if part.taken]
    choices = [wanted, ["classifier"], ["calibration"]] if len(wanted) > 1 else [wanted]
    why: Reason | None = None
    for chosen in filter(None, choices):
        tried = with_parts(
            index,
            calibration=calibration if "calibration" in chosen else None,
            classifier=classifier if "classifier" in chosen else None,
        )
        after = outcomes_on(tried, judges, watch=lambda made: watch("after", made))
        falls = coverage_falls(before, after, seed=seed) if len(judges) else None
        if falls is None:
            return _refused(parts, [name for name in wanted if name not in chosen], why), after
        shares = {"before": f"{falls.before:.1%}", "after": f"{falls.after:.1%}"}
        why = Reason(COVERAGE_FALLS, {"cases": falls.cases, **shares})
    return _refused(parts, wanted, why), before


def _refused(parts: dict[str, Part], names: Sequence[str], why: Reason | None) -> dict[str, Part]:
    return {
        name: replace(part, taken=False, reason=why or part.reason) if name in names else part
        for name, part in parts.items()
    }


def with_parts(
    index: Index, *, calibration: Calibration | None, classifier: Classifier | None
) -> Index:
    """Return an index with what was fitted in the place of what it has; ``None`` leaves that."""
    placed = index.classifier
    if classifier is not None:
        placed = Placed.among(classifier, position=index.position, marks=index.marks)
    return replace(index, calibration=calibration or index.calibration, classifier=placed)


def calibrate(
    index: Index,
    cases: Sequence[Case],
    judges: Sequence[Case],
    *,
    seed: int,
    watch: Watch = lambda step, made: None,
) -> tuple[Calibration | None, Part]:
    """Return a calibration that was fitted to cases, and whether it is better than what is live.

    That is by what it says of cases held out, ``judges`` among them.
    """
    seen = observe(index, _asked(index, cases), watch=lambda made: watch("trying", made))
    others = observe(index, _asked(index, judges), watch=lambda made: watch("judging", made))
    found = fit_calibration(index, seen, seed=seed)
    if found.calibration is None:
        return None, Part(taken=False, reason=found.reason or Reason(NO_BETTER))
    told = said(found.calibration.logistic, others.values)
    live = index.calibration
    if live is not None and live.way is seen.way:
        # What is live may have been fitted to the same cases: only the others tell.
        first = said(live.logistic, others.values)
        complete = others.complete
    else:
        first = np.append(seen.shipped, others.shipped)
        told = np.append(found.told, told)
        complete = np.append(seen.complete, others.complete)
    better, reason = _nearer(first, told, complete.astype(np.float64))
    part = Part(
        taken=better,
        reason=reason,
        cases=len(complete),
        before=_confidence_figures(first, complete),
        after=_confidence_figures(told, complete),
    )
    return found.calibration, part


def _nearer(first: _Floats, told: _Floats, complete: _Floats) -> tuple[bool, Reason]:
    """Tell whether confidences are nearer to what was so by more than chance, and why."""
    errors = (first - complete) ** 2, (told - complete) ** 2
    gains = errors[0] - errors[1]
    count = len(gains)
    gain = float(gains.mean()) if count else 0.0
    error = float(gains.std(ddof=1) / count**0.5) if count > 1 else 0.0
    if not count or gain <= CERTAIN * error:
        return False, Reason(NO_BETTER, {"cases": count, "change": f"{-gain:+.4f}"})
    said_of: dict[str, str | int] = {
        "cases": count,
        "before": f"{errors[0].mean():.4f}",
        "after": f"{errors[1].mean():.4f}",
    }
    return True, Reason(BETTER_CONFIDENCE, said_of)


def _confidence_figures(confidence: _Floats, complete: npt.NDArray[np.bool_]) -> Figures:
    found = {
        "ece": calibration_error(confidence, complete),
        "brier_skill": brier_skill(confidence, complete),
        "auroc": auroc(confidence, complete),
    }
    return {name: round(value, 4) for name, value in found.items() if value is not None}


def _classifier(
    index: Index, cases: Sequence[Case], judges: Sequence[Case], *, seed: int, watch: Watch
) -> tuple[Classifier | None, Part]:
    bare = replace(index, classifier=None, calibration=None)
    fitting = fit(bare, cases, seed=seed, watch=lambda: watch("fitting", 0))
    model = fitting.classifier
    if model is None:
        return None, Part(taken=False, reason=fitting.reason)
    held = model.held_out
    part = Part(
        taken=fitting.accepted,
        reason=fitting.reason,
        cases=held.cases,
        before={"recall@1": held.untrained_recall, "ndcg@10": held.untrained_ndcg},
        after={"recall@1": held.trained_recall, "ndcg@10": held.trained_ndcg},
    )
    if not fitting.accepted or index.classifier is None:
        return model, part
    # What is live knows some of these cases: only the others tell.
    expecting = [case for case in judges if case.needs]
    first = outcomes_on(index, expecting)
    other = outcomes_on(with_parts(index, calibration=None, classifier=model), expecting)
    if not expecting:
        return model, replace(part, taken=False, reason=Reason(NO_BETTER, {"cases": 0}))
    recalls = [one.met[:, 0] / np.maximum(one.needs, 1) for one in (first, other)]
    gains = np.column_stack([recalls[1] - recalls[0], other.ndcg - first.ndcg])
    taken, reason = verdict_on(gains, first.ndcg, np.ones(len(gains)))
    return model, Part(
        taken=taken,
        reason=reason,
        cases=len(gains),
        before=_ranking_figures(recalls[0], first.ndcg),
        after=_ranking_figures(recalls[1], other.ndcg),
    )


def _ranking_figures(recall: _Floats, ndcg: _Floats) -> Figures:
    return {"recall@1": round(float(recall.mean()), 4), "ndcg@10": round(float(ndcg.mean()), 4)}


def _asked(index: Index, cases: Sequence[Case]) -> list[Asked]:
    """Return cases as they are asked; what always-on tools meet needs nothing more."""
    always = frozenset(index.always_on)
    found = []
    for case in cases:
        needs = [frozenset(index.position[name] for name in need) for need in case.needs]
        needs = [need for need in needs if not need & always]
        if needs:
            found.append(Asked(query_of(case, index), needs))
    return found
