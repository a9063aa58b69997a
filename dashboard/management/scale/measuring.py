"""Measure what reads spans: every chart beside its raw query, every page, every filter."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from catalog.models import Catalog
from dashboard.asked_traffic import ALL
from dashboard.management.scale.charts import (
    CHARTS,
    agree,
    counted_figures,
    raw_figures,
    raw_rows,
)
from dashboard.management.scale.searches import deep_mark, found_by, searches
from dashboard.management.scale.timing import Clock, PageTime, page_time, timed
from dashboard.metrics.hourly import Scope
from dashboard.metrics.periods import DAYS, comparison
from dashboard.topics import TOPICS
from routing.models import Run

SLOW = 2.0
"""Seconds from which on a raw query is asked once and not over and over."""


@dataclass(frozen=True, slots=True)
class ChartTime:
    """What a chart's figures took from counts, and from the spans; ``agree``: they are the same."""

    chart: str
    period: str
    counted: float
    raw: float
    agree: bool

    @property
    def ratio(self) -> float:
        """Return which part of the raw query's time the chart took."""
        return self.counted / self.raw


@dataclass(frozen=True, slots=True)
class SearchTime:
    """What a page of runs took, and the search of it alone; ``found`` is how many it showed.

    ``gave_up``: enough was looked at before the page was full.
    """

    filters: str
    value: str
    place: str
    page: float
    read: float
    queries: int
    found: int
    gave_up: bool


def chart_times(*, catalog: int, now: datetime, rounds: int, clock: Clock) -> Iterator[ChartTime]:
    """Yield what every chart of a catalog takes over every period, beside its raw query."""
    scope = Scope(catalogs=(catalog,))
    for period in DAYS:
        periods = comparison(name=period, now=now, zone=UTC)
        for chart in CHARTS:
            read = partial(counted_figures, chart, scope=scope, periods=periods)
            counted, figures = timed(read, rounds=rounds, clock=clock)
            ask = partial(raw_rows, chart, catalog=catalog, periods=periods)
            raw, rows = timed(ask, rounds=rounds, clock=clock, enough=SLOW)
            same = agree(chart, figures, raw_figures(chart, rows, periods=periods))
            yield ChartTime(chart, period, counted, raw, same)


def page_times(*, catalog: Catalog, rounds: int, clock: Clock) -> Iterator[PageTime]:
    """Yield what the pages with charts take, of a catalog and of all, and a run's."""
    client = signed_in()
    for period in DAYS:
        for shown, name in ((catalog.name, "one catalog"), (ALL, "all catalogs")):
            query = f"?catalog={shown}&period={period}"
            kind = f"{period}, {name}"
            urls = {"Overview": reverse("dashboard:overview")}
            urls |= {
                f"Metrics, {topic}": reverse("dashboard:metrics_topic", kwargs={"topic": topic})
                for topic in TOPICS
            }
            for page, url in urls.items():
                yield page_time(
                    client, url + query, kind=kind, name=page, rounds=rounds, clock=clock
                )
    runs = Run.objects.filter(catalog=catalog)
    one = runs.order_by("started_at")[runs.count() // 2]
    url = reverse("dashboard:run", kwargs={"catalog": catalog.name, "run": one.pk})
    yield page_time(client, url, kind="one catalog", name="A run", rounds=rounds, clock=clock)


def search_times(
    *, catalog: Catalog, begins: datetime, now: datetime, rounds: int, clock: Clock
) -> Iterator[SearchTime]:
    """Yield what every filter of the page Runs takes, on the first page and far back."""
    client = signed_in()
    url = reverse("dashboard:runs", kwargs={"catalog": catalog.name})
    deep = deep_mark(begins=begins, now=now)
    for one in searches(catalog, begins=begins, now=now):
        for place, before in (("first", ""), ("deep", deep)):
            read = partial(found_by, one, catalog=catalog, before=before, now=now)
            seconds, found = timed(read, rounds=rounds, clock=clock)
            page = page_time(
                client,
                f"{url}?{one.query(before)}",
                kind=one.value,
                name=one.name,
                rounds=rounds,
                clock=clock,
            )
            yield SearchTime(
                filters=one.name,
                value=one.value,
                place=place,
                page=page.seconds,
                read=seconds,
                queries=page.queries,
                found=len(found.runs),
                gave_up=found.gave_up,
            )


def signed_in() -> Client:
    """Return a client whose requests are of somebody who sees everything."""
    person, _ = User.objects.get_or_create(username="bench_spans", is_superuser=True)
    client = Client()
    client.force_login(person)
    return client
