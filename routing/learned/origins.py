"""Which fits what was learned is from, and whether a dataset taught it what it is asked."""

from django.db.models import Q

from routing.datasets.benching import document_of
from routing.fitted.carrying import served_with
from routing.models import EvalRun, Fit, FittedModel
from routing.models.eval_data import TEST


def fits_behind(*, calibration: FittedModel | None, classifier: FittedModel | None) -> list[Fit]:
    """Return the fits that made these numbers, the newest first."""
    rows = {"calibration": calibration, "classifier": classifier}
    learned = Q()
    for kind, row in rows.items():
        if row is not None:
            learned |= Q(**{f"release__{kind}": row})
    if not learned:
        return []
    # A release also names what it carries on of another fit.
    return [
        fit
        for fit in Fit.objects.filter(learned).select_related("asked_by", "release")
        if any(
            row is not None
            and fit.release is not None
            and getattr(fit.release, f"{kind}_id") == row.pk
            and fit.report["parts"][kind]["taken"]
            for kind, row in rows.items()
        )
    ]


def taught_by(run: EvalRun) -> list[Fit]:
    """Return the fits that learned from the dataset of an evaluation what it then asked.

    There are none where it was asked the cases to judge by alone.
    """
    if run.part == TEST:
        return []
    if run.release is not None:
        learned = (run.release.calibration, run.release.classifier)
    else:
        served = served_with(document_of(run), after=run.follows, encoder=run.encoder)
        learned = (served.calibration, served.classifier)
    fits = fits_behind(calibration=learned[0], classifier=learned[1])
    return [fit for fit in fits if run.dataset.name in fit.report["datasets"]]
