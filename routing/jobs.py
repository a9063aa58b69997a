"""The jobs of the background worker. Each is a row of the database until it is done."""

import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from django.db.models import QuerySet
from django.utils import timezone
from django_tasks import task
from django_tasks.base import Task

from catalog.models import Catalog
from routing import look_alikes, preparing
from routing.background import attempt, take_up
from routing.datasets import collecting, evaluating
from routing.ending import delete_catalog
from routing.gate_checks import checking
from routing.learned import asking as learning
from routing.learned import fitting
from routing.models import (
    Approval,
    EvalCollection,
    EvalRun,
    Fit,
    GateCheck,
    LookAlikeSearch,
    Preparation,
    Webhook,
)
from routing.models.background import Background
from routing.signed_posts import PAUSES, NotDelivered
from routing.webhooks import announcement, deliver, trial

WorkT = TypeVar("WorkT", bound=Background)
WorkT_contra = TypeVar("WorkT_contra", bound=Background, contravariant=True)

# Set when the worker of this process is asked to stop: what a job is at goes on with the next one.
stopping = threading.Event()


class CarryOut(Protocol[WorkT_contra]):
    """Does work until it is done or asked to stop."""

    def __call__(
        self, one: WorkT_contra, /, *, clock: Callable[[], datetime], stopping: Callable[[], bool]
    ) -> None:
        """Carry it out; raise ``Stopping`` where it is to go on with the next worker."""


@dataclass(frozen=True, slots=True)
class Kind(Generic[WorkT]):
    """A kind of work: its rows with what they are of, what carries one out, and the task of one."""

    rows: Callable[[], QuerySet[WorkT]]
    carry_out: CarryOut[WorkT]
    task: Task[[int], None]

    def start(self, one: WorkT) -> str:
        """Hand work to the worker; return the name of the task."""
        return str(self.task.enqueue(one.pk).id)

    def attempt(self, pk: int) -> None:
        """Try work once, unless it has ended or is no more."""
        one = self.rows().filter(pk=pk, finished_at=None).first()
        if one is not None:
            attempt(
                one,
                carry_out=lambda: self.carry_out(one, clock=timezone.now, stopping=stopping.is_set),
                start=self.start,
                clock=timezone.now,
            )

    def take_up(self, *, running: Collection[str], ready: Collection[str], now: datetime) -> int:
        """Hand over again what no task is at any more, and return how much that is."""
        left = self.rows().select_related(None).filter(finished_at=None)
        return take_up(left, start=self.start, running=running, ready=ready, now=now)


@task()
def prepare(preparation: int) -> None:
    """Make the vectors of a preparation, and move ``live``."""
    PREPARATIONS.attempt(preparation)


@task()
def search_look_alikes(search: int) -> None:
    """Search a draft for look-alikes."""
    SEARCHES.attempt(search)


@task()
def collect_cases(collection: int) -> None:
    """Collect cases for a dataset from solved runs."""
    COLLECTIONS.attempt(collection)


@task()
def evaluate_dataset(run: int) -> None:
    """Hold the cases of a dataset against a release or a draft."""
    EVALUATIONS.attempt(run)


@task()
def check_version(check: int) -> None:
    """Hold a draft or a version against what is live."""
    CHECKS.attempt(check)


@task()
def learn(fit: int) -> None:
    """Learn from a catalog's reviewed cases."""
    FITS.attempt(fit)


PREPARATIONS = Kind(
    lambda: Preparation.objects.select_related("catalog", "asked_by"), preparing.carry_out, prepare
)
SEARCHES = Kind(
    lambda: LookAlikeSearch.objects.select_related("catalog"),
    look_alikes.carry_out,
    search_look_alikes,
)
COLLECTIONS = Kind(
    lambda: EvalCollection.objects.select_related("dataset__catalog", "asked_by"),
    collecting.carry_out,
    collect_cases,
)
EVALUATIONS = Kind(
    lambda: EvalRun.objects.select_related("dataset", "catalog", "release__version__catalog"),
    evaluating.carry_out,
    evaluate_dataset,
)
CHECKS = Kind(
    lambda: GateCheck.objects.select_related("catalog", "version", "against", "asked_by"),
    checking.carry_out,
    check_version,
)
FITS = Kind(lambda: Fit.objects.select_related("catalog", "asked_by"), fitting.carry_out, learn)
KINDS: tuple[Kind[Any], ...] = (PREPARATIONS, SEARCHES, COLLECTIONS, FITS, EVALUATIONS, CHECKS)


def follow_encoder(*, now: datetime) -> list[Preparation]:
    """Begin what a changed encoder, or set of texts, asks for."""
    return preparing.follow_setting(now=now, start=PREPARATIONS.start)


def learn_what_is_due(*, now: datetime) -> list[Fit]:
    """Begin what catalogs learn because a version of theirs went live."""
    return learning.ask_due(now=now, start=FITS.start)


@task()
def end_catalog(catalog: int) -> None:
    """Delete an archived catalog with all that was recorded of it."""
    one = Catalog.objects.filter(pk=catalog, archived=True).first()
    if one is not None and not delete_catalog(catalog=one, stopping=stopping.is_set):
        end_catalog.enqueue(catalog)  # asked to stop, or brought back: the next look says which


@task()
def announce(approval: int, tries: int = 0) -> None:
    """Announce a request for approval at its catalog's webhook; try again later if that fails.

    ``tries`` is how often it was tried before. Nothing is announced of what no longer waits.
    """
    now = timezone.now()
    waiting = Approval.objects.waiting(now=now).select_related("catalog__webhook", "run")
    one = waiting.filter(pk=approval, catalog__webhook__isnull=False).first()
    if one is None:
        return
    try:
        deliver(one.catalog.webhook, announcement(one), now=now)
    except NotDelivered:
        if tries < len(PAUSES):
            later = announce.using(run_after=now + PAUSES[tries])
            later.enqueue(approval, tries + 1)


@task()
def try_webhook(webhook: int) -> None:
    """Send one announcement of nothing to a webhook, once."""
    one = Webhook.objects.select_related("catalog").filter(pk=webhook).first()
    if one is not None:
        now = timezone.now()
        with suppress(NotDelivered):  # what went wrong stands on the page
            deliver(one, trial(one.catalog, now=now), now=now)


def announce_request(approval: Approval) -> None:
    """Hand a request for approval to the worker, if its catalog has a webhook.

    Takes part in the transaction of its caller: what is not asked for is not announced.
    """
    if Webhook.objects.filter(catalog_id=approval.catalog_id).exists():
        announce.enqueue(approval.pk)
