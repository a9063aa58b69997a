"""The jobs of the background worker. Each is a row of the database until it is done."""

import threading
from datetime import datetime

from django.utils import timezone
from django_tasks import task

from routing.models import Preparation
from routing.preparing import Stopping, carry_out, follow_setting, give_up, hand_over

# Set when the worker of this process is asked to stop: what a job is at goes on with the next one.
stopping = threading.Event()


@task()
def prepare(preparation: int) -> None:
    """Make the vectors of a preparation, and move ``live``."""
    found = Preparation.objects.select_related("catalog", "asked_by").filter(pk=preparation)
    one = found.open().first()
    if one is None:
        return
    Preparation.objects.filter(pk=one.pk).update(attempts=one.attempts + 1)
    try:
        carry_out(one, clock=timezone.now, stopping=stopping.is_set)
    except Stopping:
        hand_over(one, start=start)
        # Being asked to stop is no failed attempt.
        Preparation.objects.filter(pk=one.pk).update(attempts=one.attempts)
    except Exception:
        give_up(one, problem=Preparation.Problem.FAILED, now=timezone.now())
        raise


def start(preparation: Preparation) -> str:
    """Hand a preparation to the worker; return the name of the task."""
    return str(prepare.enqueue(preparation.pk).id)


def follow_encoder(*, now: datetime) -> list[Preparation]:
    """Begin what a changed encoder, or set of texts, asks for."""
    return follow_setting(now=now, start=start)
