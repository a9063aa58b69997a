"""Erase what was said in a run, and keep what was done."""

from datetime import datetime

from django.db import transaction

from catalog.recording import acting, note_deed
from routing.admission import NotFound
from routing.datasets.changing import forget_words_of_run
from routing.keys import note_use, within_reach
from routing.models import ApiKey, Approval, Run, Text


def erase_text(*, key: ApiKey, run_id: str, now: datetime) -> None:
    """Erase the words of a key's run, as ``erase_words`` does. Raises ``NotFound``."""
    with transaction.atomic():
        reach = within_reach(key=key.pk, everywhere=key.all_catalogs)
        run = Run.objects.filter(reach, key=key, run_id=run_id).first()
        if run is None:
            raise NotFound("There is no such run for this key.")
        with acting(via="api", name=key.name):
            erase_words(run=run, now=now)
        note_use(key=key, now=now)


@transaction.atomic
def erase_words(*, run: Run, now: datetime) -> None:
    """Erase the words of a run: tasks, history, arguments, results, reasons.

    The spans stay, and no words of the run are kept from then on. Cases that were taken from it
    go. Requests for approval that wait end: nobody can judge a call whose arguments are gone.
    Erasing twice is erasing once.
    """
    # Held against who is writing words just now: they come before this, and go, or after it.
    current = Run.objects.select_for_update().get(pk=run.pk)
    if current.text_erased_at is None:
        Run.objects.filter(pk=run.pk).update(text_erased_at=now)
        note_deed(
            catalog=run.catalog, action="erase_text", kind="runs", subject=run.run_id, now=now
        )
    Text.objects.filter(run=run).delete()
    forget_words_of_run(run)
    approvals = Approval.objects.filter(run=run)
    approvals.update(arguments=None)
    waiting = approvals.waiting(now=now).filter(requested_at__lt=now)
    waiting.update(expires_at=now)
