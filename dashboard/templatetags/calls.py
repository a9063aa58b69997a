"""Filters of the pages about calls: values to read, and words for the contract's codes."""

from datetime import datetime, timedelta
from functools import lru_cache

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.translation import get_language

from dashboard.call_words import DECISIONS, EFFECTS, OUTCOMES, SOURCES, STATES, STATUSES
from dashboard.readable import Readable, readable
from routing.datasets.rows import case_of_run
from routing.models import Approval, Run
from routing.services.approving import state_of

register = template.Library()


@register.filter(name="readable")
def readable_json(value: object) -> Readable:
    """Return a JSON value as people read it."""
    return readable(value)


@register.filter
def state_at(approval: Approval, now: datetime) -> str:
    """Return how an approval stands at a time."""
    return state_of(approval, now=now).value


@register.filter
def state_words(state: str) -> Promise | str:
    """Return what the state of an approval is called."""
    return STATES.get(state, state)


@register.filter
def effect_words(side_effect: str) -> Promise | str:
    """Return what a side effect is called."""
    return EFFECTS.get(side_effect, side_effect)


@register.filter
def decision_words(decision: str) -> Promise | str:
    """Return what a decision is called."""
    return DECISIONS.get(decision, decision)


@register.filter
def status_words(status: str) -> Promise | str:
    """Return what the status of a result is called."""
    return STATUSES.get(status, status)


@register.filter
def outcome_words(outcome: str) -> Promise | str:
    """Return what an outcome is called."""
    return OUTCOMES.get(outcome, outcome)


@register.filter
def source_words(source: str) -> Promise | str:
    """Return where a run comes from, in words."""
    return SOURCES.get(source, source)


@register.filter
def moment_words(at: datetime) -> str:
    """Return a time to the minute in the reader's zone, as the reader's language writes it.

    The runs of a page often began within a few minutes: each of those is written once.
    """
    local = timezone.localtime(at).replace(second=0, microsecond=0, tzinfo=None)
    return _minute_words(local, get_language())


@lru_cache(maxsize=1_000)
def _minute_words(minute: datetime, _language: str | None) -> str:
    return date_format(minute, "DATETIME_FORMAT")


@register.filter
def pause_words(pause: timedelta) -> str:
    """Return what went by between two steps, as exactly as is worth reading."""
    seconds = pause.total_seconds()
    if seconds < 1:
        return f"{round(seconds * 1000)} ms"
    if seconds < 60:
        return f"{number_format(seconds, 0 if seconds >= 10 else 1)} s"
    minutes = round(seconds / 60)
    if seconds < 600:
        return f"{int(seconds // 60)} min {int(seconds % 60)} s"
    if minutes < 60:
        return f"{minutes} min"
    return f"{number_format(minutes // 60, force_grouping=True)} h {minutes % 60} min"


@register.filter
def case_url(run: Run) -> str:
    """Return the page that holds a run against the case that it names; nothing of no case."""
    case = case_of_run(run)
    if case is None:
        return ""
    path = reverse("dashboard:case_path", args=[run.catalog.name, case.dataset.name, case.number])
    return f"{path}?run={run.pk}"
