"""Erase words for their age: what was done stays on record, what was said does not."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import monotonic

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest

from catalog.models import Catalog
from catalog.recording import note_deed
from routing.datasets.changing import forget_undecided
from routing.models import Approval, Run, Text, TextAge
from routing.texts.windows import runs_of

STEP = 1_000
"""Texts, of whichever catalog, that a step goes past."""
AGAIN = timedelta(hours=1)
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def erase_for(
    seconds: float, *, now: datetime, clock: Callable[[], float] = monotonic, step: int = STEP
) -> bool:
    """Erase what is older than its catalog keeps it, for at most about so many seconds.

    A catalog that is done is looked at again after an hour, and so is one whose setting is new: a
    slip can be undone as long. Tells whether all are done.
    """
    end = clock() + seconds
    for catalog in _due(now=now):
        age, until = _age_of(catalog), now - timedelta(days=catalog.text_days or 0)
        if age.days != catalog.text_days:
            # Words that a longer time had spared may lie before where it was.
            age.days, age.place, age.looked_at = catalog.text_days, BEGINNING, now
            age.save(update_fields=["days", "place", "looked_at"])
            continue
        while age.place < until:
            age.place, _erased = _step(catalog, after=age.place, until=until, most=step)
            # Somebody may have erased more by hand meanwhile.
            upto = Greatest(F("upto"), age.place)
            TextAge.objects.filter(pk=age.pk).update(place=age.place, upto=upto)
            if clock() >= end and age.place < until:
                return False
        _forget_copies(catalog, until=until, now=now)
        age.looked_at = now
        age.save(update_fields=["looked_at"])
    return True


def erase_older(*, catalog: Catalog, until: datetime, now: datetime, step: int = STEP) -> int:
    """Erase all words of a catalog's runs of up to a time, and return how many texts that was.

    Requests for approval that wait keep their arguments. It goes in short steps; one that was
    broken off can be begun again.
    """
    place, erased = BEGINNING, 0
    while place < until:
        place, count = _step(catalog, after=place, until=until, most=step)
        erased += count
    _forget_copies(catalog, until=until, now=now)
    with transaction.atomic():
        age = _age_of(catalog)
        TextAge.objects.filter(pk=age.pk, upto__lt=until).update(upto=until)
        said = {"until": until.isoformat(timespec="seconds"), "texts": erased}
        note_deed(catalog=catalog, action="erase_texts", kind="runs", after=said, now=now)
    return erased


def words_are_erased(run: Run, *, said_at: datetime) -> bool:
    """Tell whether words that were said in a run were erased, on request or for their age."""
    if run.text_erased_at is not None:
        return True
    return TextAge.objects.filter(catalog=run.catalog_id, upto__gte=said_at).exists()


def _due(*, now: datetime) -> "QuerySet[Catalog]":
    looked_at = Q(text_age__looked_at__gt=now - AGAIN, text_age__days=F("text_days"))
    return Catalog.objects.filter(text_days__isnull=False).exclude(looked_at).order_by("id")


def _age_of(catalog: Catalog) -> TextAge:
    age, _is_new = TextAge.objects.get_or_create(
        catalog=catalog, defaults={"upto": BEGINNING, "place": BEGINNING}
    )
    return age


def _step(catalog: Catalog, *, after: datetime, until: datetime, most: int) -> tuple[datetime, int]:
    """Erase the next words after a time; return up to when none are left, and how many went.

    A window of the table is gone past, whoever's the words in it are, so that a step takes no
    longer where they are another catalog's.
    """
    texts = Text.objects.order_by("time").values_list("time", "pk", "run_id")
    rows = list(texts.filter(time__gt=after, time__lte=until)[:most])
    through = until
    if len(rows) == most:
        through = rows[-1][0]
        rows += texts.filter(time=through)  # those of the same time that the window cut off
    own = runs_of(catalog.pk, {run for _time, _pk, run in rows})
    gone = {pk for _time, pk, run in rows if run in own}
    erased, _by_model = Text.objects.filter(pk__in=gone).delete()
    return through, erased


def _forget_copies(catalog: Catalog, *, until: datetime, now: datetime) -> None:
    """Erase what was said elsewhere too: what people were asked about, and cases for them."""
    forget_undecided(catalog, until=until)
    over = Approval.objects.over(now=now).filter(catalog=catalog, arguments__isnull=False)
    over.filter(requested_at__lte=until).update(arguments=None)
