"""What is asked for, as conditions on rows of runs."""

from collections.abc import Iterator
from typing import TypeVar

from django.db.models import Exists, OuterRef, Q, QuerySet

from routing.exploring.asking import ANY, UNFINISHED, Asked
from routing.models import Release, Run, Span, Text
from routing.models.run import SIMULATED
from routing.partitions.since import ids_since
from routing.rollups.reading import tool_names

_Row = TypeVar("_Row", Span, Text)
_FAILED = (Run.Outcome.FAILED.value, Run.Outcome.NEEDS_HUMAN.value)


def conditions(asked: Asked) -> Q:
    """Return the condition for the runs that are asked for, but for when they began."""
    where = Q(catalog=asked.catalog)
    columns = {"route": asked.route, "key": asked.key}
    where &= Q(**{name: value for name, value in columns.items() if value})
    if not asked.simulated:
        where &= ~Q(source=SIMULATED)
    if asked.outcome:
        where &= Q(outcome="" if asked.outcome == UNFINISHED else asked.outcome)
    if asked.silent:
        where &= Q(outcome__in=_FAILED) & ~_of(asked, Span.Name.EXPAND)
    if asked.text:
        words = Text.objects.filter(run=OuterRef("pk"), task__icontains=asked.text)
        where &= Q(Exists(_since_began(words, asked)))
    for condition in (*_of_selections(asked), *_of_calls(asked)):
        where &= condition
    return where


def _of(asked: Asked, name: Span.Name, *where: Q, **fields: object) -> Q:
    spans = Span.objects.filter(*where, run=OuterRef("pk"), name=name, **fields)
    return Q(Exists(_since_began(spans, asked)))


def _since_began(rows: "QuerySet[_Row]", asked: Asked) -> "QuerySet[_Row]":
    """Leave out what came before any run that is asked for began, where that helps."""
    least = ids_since(asked.since)
    return rows.filter(pk__gte=least) if least else rows


def _of_selections(asked: Asked) -> Iterator[Q]:
    route = Span.Name.ROUTE
    if asked.group:
        # Names hold no quotes: a name between quotes is one of the list and no part of another.
        yield _of(asked, route, groups__icontains=f'"{asked.group}"')
    if asked.began:
        earlier = Span.objects.filter(run=OuterRef("run"), name=route, pk__lt=OuterRef("pk"))
        is_first = ~Q(Exists(_since_began(earlier, asked)))
        yield _of(asked, route, is_first, groups__icontains=f'"{asked.began}"')
    if asked.strategy:
        yield _of(asked, route, strategy=asked.strategy)
    if asked.decided_by:
        yield _of(asked, route, decided_by=asked.decided_by)
    if asked.fallback:
        yield _of(
            asked, route, ~Q(fallback="") if asked.fallback == ANY else Q(fallback=asked.fallback)
        )
    if asked.releases is not None:
        yield _of(asked, route, release__in=asked.releases)
    if asked.explored:
        yield _of(asked, route, explored=True)
    ends = {"gte": asked.min_confidence, "lte": asked.max_confidence}
    given = {f"confidence__{end}": at for end, at in ends.items() if at is not None}
    if given:
        yield _of(asked, route, **given)
    if asked.asked_group:
        yield _of(asked, Span.Name.EXPAND, group=asked.asked_group)
    elif asked.expanded:
        yield _of(asked, Span.Name.EXPAND)


def _of_calls(asked: Asked) -> Iterator[Q]:
    refusal = Q(reason="tool_not_offered")
    if asked.tool:
        yield _of(asked, Span.Name.CALL, _is_tool(asked.catalog, asked.tool), ~refusal)
    if asked.missed:
        yield _of(asked, Span.Name.CALL, _is_tool(asked.catalog, asked.missed), refusal)
    if asked.refused:
        reason = Q() if asked.refused == ANY else Q(reason=asked.refused)
        yield _of(asked, Span.Name.CALL, reason, decision="refused")
    if asked.decision:
        yield _of(asked, Span.Name.CALL, decision=asked.decision)
    if asked.status:
        yield _of(asked, Span.Name.RESULT, status=asked.status)


def _is_tool(catalog: int, name: str) -> Q:
    """Return the condition for spans of a tool: its position in each release that has it."""
    places: dict[int, list[int]] = {}
    for release in Release.objects.filter(catalog=catalog).values_list("pk", flat=True):
        names = tool_names(release)
        if name in names:
            places.setdefault(names.index(name), []).append(release)
    found = Q(pk=None)
    for place, releases in places.items():
        found |= Q(tool=place, release__in=releases)
    return found
