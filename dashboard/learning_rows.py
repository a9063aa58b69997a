"""What a catalog has learned and what a fit says, laid out for reading."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from catalog.models import Catalog
from dashboard.charts import Chart, Series
from dashboard.eval_rows import MEASURES
from dashboard.overview_cards import written
from routing.compiled import compiled_release
from routing.learned.gathering import datasets_of
from routing.learned.origins import fits_behind
from routing.learned.reporting import why
from routing.learning.calibration import FEWEST_CASES
from routing.models import EvalCase, Fit, LabelMove, LearningSetting, Release
from routing.models.eval_data import TEST, TRAIN
from routing.models.release import LIVE

PARTS: Mapping[str, Promise] = {
    "calibration": gettext_lazy("Calibration"),
    "classifier": gettext_lazy("Classifier"),
}
ABOUT: Mapping[str, Promise] = {
    "calibration": gettext_lazy(
        "corrects the confidence, so that of selections at 0.8 about four in five are complete"
    ),
    "classifier": gettext_lazy("knows which tools tasks like this one took"),
}
_FIGURES: Mapping[str, Promise] = {name: label for name, (label, _about) in MEASURES.items()}
_OF_PROPOSALS = "proposed_"
_COUNTED = frozenset({"mean_tools"})


@dataclass(frozen=True, slots=True)
class Supply:
    """The accepted cases that a catalog can learn from and judge by, and those told apart yet."""

    learn: int
    judge: int
    accepted: int

    @property
    def neither(self) -> int:
        """How many are in neither part: not told apart yet, or near to cases of both."""
        return self.accepted - self.learn - self.judge

    @property
    def is_enough(self) -> bool:
        """Whether anything can come of a fit; cases are told apart when it begins."""
        return self.accepted >= FEWEST_CASES

    @property
    def missing(self) -> int:
        """How many more cases a fit needs at least."""
        return max(FEWEST_CASES - self.accepted, 0)


@dataclass(frozen=True, slots=True)
class Standing:
    """What is live: its release, and what that learned.

    ``fit`` is the work that it is from, ``None`` where the numbers are the shipped ones. ``known``
    of ``learned`` tools of the classifier say today what they said then. ``before`` is where a roll
    back leads: the release that ``live`` was at before it learned. ``later`` is the newest fit of a
    newer release of the same version, as ``fits_of`` has it: one that was rolled back, or that the
    gate keeps.
    """

    move: LabelMove
    release: Release
    fit: Fit | None
    learned: int
    known: int
    before: Release | None
    later: Fit | None


def supply_of(catalog: Catalog, setting: LearningSetting) -> Supply:
    """Return how many accepted cases there are to learn from."""
    accepted = EvalCase.objects.accepted()
    counted = accepted.filter(dataset__in=datasets_of(catalog, setting.datasets)).aggregate(
        accepted=Count("pk"),
        learn=Count("pk", filter=Q(part=TRAIN)),
        judge=Count("pk", filter=Q(part=TEST)),
    )
    return Supply(**counted)


def standing_of(move: LabelMove | None) -> Standing | None:
    """Return what is live and what it learned; nothing where nothing is live."""
    if move is None:
        return None
    release = move.release
    fits = fits_behind(calibration=release.calibration, classifier=release.classifier)
    index = compiled_release(release.pk).index if release.classifier_id else None
    placed = index.classifier if index is not None else None
    return Standing(
        move=move,
        release=release,
        fit=fits[0] if fits else None,
        learned=len(placed.classifier.tools) if placed is not None else 0,
        known=len(placed.tools) if placed is not None else 0,
        before=_before(move),
        later=_later(release),
    )


def fits_of(catalog: Catalog) -> QuerySet[Fit]:
    """Return the fits of a catalog, each with whether what it learned was live (``was_live``)."""
    moves = LabelMove.objects.filter(label=LIVE, release=OuterRef("release"))
    fits = Fit.objects.filter(catalog=catalog).select_related("asked_by", "release__version")
    return fits.annotate(was_live=Exists(moves))


def _later(release: Release) -> Fit | None:
    fits = fits_of(release.catalog)
    return fits.filter(
        release__version=release.version_id, release__number__gt=release.number
    ).first()


def _before(move: LabelMove) -> Release | None:
    """Return the release of the same version that was live before the last fit went live."""
    moves = LabelMove.objects.filter(
        catalog=move.catalog_id, label=LIVE, release__version=move.release.version_id
    )
    other = moves.exclude(release=move.release_id).select_related("release").first()
    newer = Fit.objects.filter(release=move.release_id).exists()
    return other.release if other is not None and newer else None


def parts_of(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the parts of a report: whether each is taken, why, and figures of held-out cases."""
    for name, part in report["parts"].items():
        before, after = part["before"] or {}, part["after"] or {}
        yield {
            "name": name,
            "label": PARTS[name],
            "about": ABOUT[name],
            "taken": part["taken"],
            "why": why(part),
            "cases": part["cases"],
            "figures": [
                (_FIGURES[key], _number(value), _number(after.get(key)))
                for key, value in before.items()
            ],
        }


def measures_of(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the measures of the cases to judge by, before and after."""
    for key, measure in report["measures"].items():
        label = _FIGURES[key.removeprefix(_OF_PROPOSALS)]
        interval = measure["interval"]
        yield {
            "label": label,
            "before": _number(measure["before"]),
            "after": _number(measure["after"]),
            "interval": _between(*interval) if interval else "",
        }


def _between(low: float, high: float) -> str:
    return _("%(low)s to %(high)s") % {"low": _signed(low), "high": _signed(high)}


def _signed(value: float) -> str:
    return f"{'' if round(value, 3) < 0 else '+'}{_number(value)}"


def _number(value: float | None) -> str:
    return "-" if value is None else number_format(round(value, 3), 3)


def reliability_chart(report: Mapping[str, Any]) -> Chart:
    """Return what confidences said and what was so, before and after, by tenths."""
    sides = {side: _by_tenth(report["reliability"][side]) for side in ("before", "after")}
    tenths = sorted({low for side in sides.values() for low in side})

    def values(side: str, key: str, scale: float = 1.0) -> list[float | None]:
        bins = sides[side]
        return [round(bins[low][key] * scale, 1) if low in bins else None for low in tenths]

    return Chart(
        id="reliability",
        title=gettext_lazy("Reliability of confidence, before and after"),
        label_title=_("Confidence"),
        labels=[
            f"{written(low, 'confidence')} - {written(low + 0.1, 'confidence')}" for low in tenths
        ],
        series=[
            Series(gettext_lazy("stated before"), values("before", "said", 100), drawn=False),
            Series(gettext_lazy("complete before"), values("before", "complete", 100)),
            Series(gettext_lazy("cases before"), values("before", "cases"), drawn=False, unit=""),
            Series(gettext_lazy("stated after"), values("after", "said", 100), drawn=False),
            Series(gettext_lazy("complete after"), values("after", "complete", 100)),
            Series(gettext_lazy("cases after"), values("after", "cases"), drawn=False, unit=""),
            Series(
                gettext_lazy("as it should be"),
                [round((low + 0.05) * 100, 1) for low in tenths],
            ),
        ]
        if tenths
        else [],
        type="line",
        unit="%",
    )


def _by_tenth(bins: Sequence[Mapping[str, Any]]) -> dict[float, Mapping[str, Any]]:
    return {round(one["low"], 1): one for one in bins}
