"""Ask for a fit, cancel it, and set what a catalog learns from; each deed is noted."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from catalog.models import Catalog
from catalog.publishing import lock
from catalog.recording import note_deed
from routing import background
from routing.models import EvalCase, Fit, LabelMove, LearningSetting
from routing.models.release import LIVE
from routing.moves import NothingLive, current_move

Start = Callable[[Fit], str]


class LearningAlready(Exception):
    """A fit of the catalog waits or is under way: ``fit``."""

    def __init__(self, fit: Fit) -> None:
        super().__init__(str(fit))
        self.fit = fit


def setting_of(catalog: Catalog) -> LearningSetting:
    """Return what a catalog learns from, and when; as it is at first where nobody said."""
    found = LearningSetting.objects.filter(catalog=catalog).first()
    return found or LearningSetting(catalog=catalog)


@transaction.atomic
def set_learning(
    *, catalog: Catalog, datasets: Sequence[str], on_publish: bool, now: datetime
) -> None:
    """Set what a catalog learns from, and whether it does so when a version goes live."""
    before = setting_of(catalog)
    said = {"datasets": list(datasets), "on_publish": on_publish}
    then = {"datasets": list(before.datasets), "on_publish": before.on_publish}
    if said == then:
        return
    LearningSetting.objects.update_or_create(catalog=catalog, defaults=said)
    note_deed(
        catalog=catalog,
        action="learning_set",
        kind="learning",
        subject=catalog.name,
        before=then,
        after=said,
        now=now,
    )


@transaction.atomic
def ask(
    *,
    catalog: Catalog,
    datasets: Sequence[str],
    by: User | None,
    now: datetime,
    on_publish: bool = False,
    seed: int = 0,
    start: Start | None = None,
) -> Fit:
    """Have a catalog learn from its accepted cases; notes the deed.

    Raises ``NothingLive`` and ``LearningAlready``. Without ``start`` nobody is handed it: the
    caller carries it out.
    """
    catalog = lock(catalog)
    move = current_move(catalog)
    if move is None:
        raise NothingLive
    last = Fit.objects.filter(catalog=catalog).aggregate(last=Max("number"))["last"]
    one = Fit(
        catalog=catalog,
        number=(last or 0) + 1,
        datasets=list(datasets),
        base=move.pk,
        encoder=move.release.encoder,
        on_publish=on_publish,
        seed=seed,
        asked_by=by,
        asked_at=now,
    )
    is_open = background.ask_once(one, start=start, catalog=catalog)
    if is_open is not one:
        raise LearningAlready(is_open)
    _note(one, "fit_started", now=now, by=by)
    return one


def ask_due(*, now: datetime, start: Start) -> list[Fit]:
    """Have catalogs learn that are set to when a version goes live, and one did.

    That is once for each version, as long as there are cases. What was learned of the version
    before is carried on meanwhile, as far as it holds.
    """
    begun = []
    for setting in LearningSetting.objects.filter(on_publish=True, catalog__archived=False):
        move = current_move(setting.catalog)
        if move is None:
            continue
        of_version = LabelMove.objects.filter(
            catalog=setting.catalog, label=LIVE, release__version=move.release.version
        )
        if Fit.objects.filter(base__in=of_version.values("pk")).exists():
            continue
        cases = EvalCase.objects.accepted().filter(dataset__catalog=setting.catalog)
        if setting.datasets:
            cases = cases.filter(dataset__name__in=setting.datasets)
        if not cases.exists():
            continue
        with suppress(NothingLive, LearningAlready):
            begun.append(
                ask(
                    catalog=setting.catalog,
                    datasets=setting.datasets,
                    by=move.by,
                    now=now,
                    on_publish=True,
                    start=start,
                )
            )
    return begun


def cancel(one: Fit, *, now: datetime) -> None:
    """End a fit."""
    with transaction.atomic():
        if background.cancel(one, now=now):
            _note(one, "fit_cancelled", now=now)


def _note(one: Fit, action: str, *, now: datetime, by: User | None = None) -> None:
    note_deed(
        catalog=one.catalog,
        action=action,
        kind="learning",
        subject=str(one.number),
        after={"datasets": one.datasets, "on_publish": one.on_publish},
        by=by,
        now=now,
    )
