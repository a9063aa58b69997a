"""The jobs of the background worker. Each is a row of the database until it is done."""

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Protocol, TypeVar

from django.db.models import QuerySet
from django.utils import timezone
from django_tasks import task

from catalog.models import Catalog
from routing import look_alikes
from routing.background import attempt
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
from routing.preparing import carry_out, follow_setting
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


def _attempt(
    found: "QuerySet[WorkT]", *, carry_out: CarryOut[WorkT], start: Callable[[WorkT], str]
) -> None:
    """Try work once, unless it has ended or is no more."""
    one = found.filter(finished_at=None).first()
    if one is not None:
        attempt(
            one,
            carry_out=lambda: carry_out(one, clock=timezone.now, stopping=stopping.is_set),
            start=start,
            clock=timezone.now,
        )


@task()
def prepare(preparation: int) -> None:
    """Make the vectors of a preparation, and move ``live``."""
    found = Preparation.objects.select_related("catalog", "asked_by").filter(pk=preparation)
    _attempt(found, carry_out=carry_out, start=start)


def start(preparation: Preparation) -> str:
    """Hand a preparation to the worker; return the name of the task."""
    return str(prepare.enqueue(preparation.pk).id)


def follow_encoder(*, now: datetime) -> list[Preparation]:
    """Begin what a changed encoder, or set of texts, asks for."""
    return follow_setting(now=now, start=start)


@task()
def end_catalog(catalog: int) -> None:
    """Delete an archived catalog with all that was recorded of it."""
    one = Catalog.objects.filter(pk=catalog, archived=True).first()
    if one is not None and not delete_catalog(catalog=one, stopping=stopping.is_set):
        end_catalog.enqueue(catalog)  # asked to stop, or brought back: the next look says which


@task()
def search_look_alikes(search: int) -> None:
    """Search a draft for look-alikes."""
    found = LookAlikeSearch.objects.select_related("catalog").filter(pk=search)
    _attempt(found, carry_out=look_alikes.carry_out, start=start_search)


def start_search(search: LookAlikeSearch) -> str:
    """Hand a search for look-alikes to the worker; return the name of the task."""
    return str(search_look_alikes.enqueue(search.pk).id)


@task()
def collect_cases(collection: int) -> None:
    """Collect cases for a dataset from solved runs."""
    found = EvalCollection.objects.select_related("dataset__catalog", "asked_by")
    _attempt(found.filter(pk=collection), carry_out=collecting.carry_out, start=start_collection)


def start_collection(collection: EvalCollection) -> str:
    """Hand a collection of cases to the worker; return the name of the task."""
    return str(collect_cases.enqueue(collection.pk).id)


@task()
def evaluate_dataset(run: int) -> None:
    """Hold the cases of a dataset against a release or a draft."""
    found = EvalRun.objects.select_related("dataset", "catalog", "release__version__catalog")
    _attempt(found.filter(pk=run), carry_out=evaluating.carry_out, start=start_evaluation)


def start_evaluation(run: EvalRun) -> str:
    """Hand an evaluation to the worker; return the name of the task."""
    return str(evaluate_dataset.enqueue(run.pk).id)


@task()
def check_version(check: int) -> None:
    """Hold a draft or a version against what is live."""
    found = GateCheck.objects.select_related("catalog", "version", "against", "asked_by")
    _attempt(found.filter(pk=check), carry_out=checking.carry_out, start=start_check)


def start_check(check: GateCheck) -> str:
    """Hand a check of the gate to the worker; return the name of the task."""
    return str(check_version.enqueue(check.pk).id)


@task()
def learn(fit: int) -> None:
    """Learn from a catalog's reviewed cases."""
    found = Fit.objects.select_related("catalog", "asked_by").filter(pk=fit)
    _attempt(found, carry_out=fitting.carry_out, start=start_fit)


def start_fit(fit: Fit) -> str:
    """Hand a fit to the worker; return the name of the task."""
    return str(learn.enqueue(fit.pk).id)


def learn_what_is_due(*, now: datetime) -> list[Fit]:
    """Begin what catalogs learn because a version of theirs went live."""
    return learning.ask_due(now=now, start=start_fit)


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
