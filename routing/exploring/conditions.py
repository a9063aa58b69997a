"""What is asked for, as conditions on rows of runs."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.sql.compiler import SQLCompiler

from routing.exploring.asking import ANY, UNFINISHED, Asked
from routing.models import Release, Run, Span, Text
from routing.models.run import CASE, SIMULATED
from routing.partitions.until import Days, days_with_steps
from routing.rollups.reading import tool_names

_FAILED = (Run.Outcome.FAILED.value, Run.Outcome.NEEDS_HUMAN.value)


def conditions(asked: Asked) -> Q:
    """Return the condition for the runs that are asked for, but for when they began."""
    steps = _Steps(asked)
    where = Q(catalog=asked.catalog)
    columns = {"route": asked.route, "key": asked.key}
    where &= Q(**{name: value for name, value in columns.items() if value})
    if not asked.simulated:
        where &= ~Q(source__in=(SIMULATED, CASE))
    if asked.outcome:
        where &= Q(outcome="" if asked.outcome == UNFINISHED else asked.outcome)
    if asked.silent:
        where &= Q(outcome__in=_FAILED) & ~steps.has(Span.Name.EXPAND)
    if asked.text:
        words = Text.objects.filter(run=OuterRef("pk"), task__icontains=asked.text)
        where &= steps.any(words)
    for condition in (*_of_selections(asked, steps), *_of_calls(asked, steps)):
        where &= condition
    return where


class _OfEachRun(Exists):
    """Whether a run has a row, looked for run by run, in the order in which a page shows them.

    PostgreSQL would join instead, and read a whole day before it knows the newest fifty runs.
    """

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, Sequence[object]]:
        """Return the condition behind an ``OFFSET 0``, which the planner does not look through."""
        fenced = "EXISTS(%(subquery)s OFFSET 0)"
        return self.as_sql(compiler, connection, template=fenced)  # type: ignore[call-arg]


class _Steps:
    """Conditions on the steps of the runs that are asked for.

    They are looked for in the days in which such runs have steps, and in no other.
    """

    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    @cached_property
    def _days(self) -> Days:
        asked = self._asked
        return days_with_steps(catalog=asked.catalog, since=asked.since, until=asked.until)

    def within(self, rows: "QuerySet[Span]") -> "QuerySet[Span]":
        """Leave out the steps of other days, where that helps."""
        return rows.filter(self._days.every)

    def any(self, rows: "QuerySet[Span] | QuerySet[Text]") -> Q:
        """Return the condition for runs that have one of some rows, which name the outer run.

        The few runs that went on for days are looked for there as well, and no others.
        """
        days = self._days
        found = Q(_OfEachRun(rows.filter(days.near)))
        if days.late is not None:
            late = Q(_OfEachRun(rows.filter(days.late)))
            found |= Q(last_day__isnull=False) & late
        return found

    def has(self, name: Span.Name, *where: Q, **fields: object) -> Q:
        """Return the condition for runs with a step like that."""
        return self.any(Span.objects.filter(*where, run=OuterRef("pk"), name=name, **fields))


def _of_selections(asked: Asked, steps: _Steps) -> Iterator[Q]:
    route = Span.Name.ROUTE
    if asked.group:
        # Names hold no quotes: a name between quotes is one of the list and no part of another.
        yield steps.has(route, groups__icontains=f'"{asked.group}"')
    if asked.began:
        earlier = Span.objects.filter(run=OuterRef("run"), name=route, pk__lt=OuterRef("pk"))
        is_first = ~Q(Exists(steps.within(earlier)))
        yield steps.has(route, is_first, groups__icontains=f'"{asked.began}"')
    if asked.strategy:
        yield steps.has(route, strategy=asked.strategy)
    if asked.decided_by:
        yield steps.has(route, decided_by=asked.decided_by)
    if asked.fallback:
        wanted = ~Q(fallback="") if asked.fallback == ANY else Q(fallback=asked.fallback)
        yield steps.has(route, wanted)
    if asked.releases is not None:
        yield steps.has(route, release__in=asked.releases)
    if asked.explored:
        yield steps.has(route, explored=True)
    ends = {"gte": asked.min_confidence, "lte": asked.max_confidence}
    given = {f"confidence__{end}": at for end, at in ends.items() if at is not None}
    if given:
        yield steps.has(route, **given)
    if asked.asked_group:
        yield steps.has(Span.Name.EXPAND, group=asked.asked_group)
    elif asked.expanded:
        yield steps.has(Span.Name.EXPAND)


def _of_calls(asked: Asked, steps: _Steps) -> Iterator[Q]:
    refusal = Q(reason="tool_not_offered")
    if asked.tool:
        yield steps.has(Span.Name.CALL, _is_tool(asked.catalog, asked.tool), ~refusal)
    if asked.missed:
        yield steps.has(Span.Name.CALL, _is_tool(asked.catalog, asked.missed), refusal)
    if asked.refused:
        reason = Q() if asked.refused == ANY else Q(reason=asked.refused)
        yield steps.has(Span.Name.CALL, reason, decision="refused")
    if asked.decision:
        yield steps.has(Span.Name.CALL, decision=asked.decision)
    if asked.status:
        yield steps.has(Span.Name.RESULT, status=asked.status)


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
