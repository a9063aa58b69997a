"""Judge the rules of catalogs by their counts, and keep what came of it: all of it, or nothing.

An hour is judged when it is over, once, by whichever worker comes first. What a rule says then is
what it would say of the same counts at any other time: a past month is judged as the present is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic

from django.db import IntegrityError, transaction

from catalog.models import Catalog
from dashboard.alerts.judging import Judged, Standing, State, follow
from dashboard.alerts.measuring import Counted, sections_of
from dashboard.alerts.ruled import plain, rules_by_catalog
from dashboard.alerts.rules import WEEK, Rule
from dashboard.alerts.sightings import kept, sighting
from dashboard.alerts.telling import send_overdue, tell, tell_pending
from dashboard.metrics.hourly import Scope, first_hour, hours_of
from dashboard.metrics.periods import moment
from dashboard.models import AlertChange, AlertSilence, AlertState
from routing.rollups.folding import catch_up
from routing.spans import hour_of

AT_ONCE = 10.0
"""The worker's pulse waits no longer for it: one that is silent is taken for dead."""
CATCHES_UP = 48
"""A worker that was away judges at most so many of the hours that it missed."""

AHEAD = 1
"""Hours that another worker's clock may be ahead. What was judged further on was judged by a clock
that was wrong, and nothing would be again until it is that late."""


class Overtaken(Exception):
    """Somebody else judged, or changed a rule, meanwhile."""


@dataclass(frozen=True, slots=True)
class Due:
    """A rule that is to be judged once for each of ``ends``: with every hour before it counted."""

    rule: Rule
    state: AlertState
    ends: range


def evaluate(
    now: datetime, *, seconds: float = AT_ONCE, clock: Callable[[], float] = monotonic
) -> None:
    """Judge what is due, tell whom it concerns: what the worker does about each minute.

    What takes longer than about so many seconds is left to the next time.
    """
    end = clock() + seconds
    if catch_up(now=now):
        # Counts that are a long way behind would look like silence.
        for catalog, due in _due(upto=hour_of(now)):
            judge(catalog, due, now=now)
            if clock() >= end:
                break
    tell_pending(now=now)
    send_overdue(now=now)


def evaluate_since(catalog: Catalog, *, since: datetime, now: datetime) -> list[AlertChange]:
    """Judge a catalog's past hour by hour, as it would have been, and tell nobody.

    Each hour is judged by the counts of the hours before it alone; what came late to these is among
    them by now. Hours that were judged before stay as they are. Returns the changes, oldest first.
    """
    catch_up(now=now)
    counted = first_hour(scope=Scope(catalogs=(catalog.pk,)))
    if counted is None:
        return []
    # Of what was before the first count there is nothing to say, and there may be centuries of it.
    first = max(hour_of(since), counted) + 1
    found = _due(upto=hour_of(now), since=first, catalogs=[catalog])
    due = found[0][1] if found else []
    return judge(catalog, due, now=now, telling=False)


def _due(
    *, upto: int, since: int | None = None, catalogs: Iterable[Catalog] | None = None
) -> list[tuple[Catalog, list[Due]]]:
    """Return what is to be judged, by catalog. Three queries, two where they are given."""
    if catalogs is None:
        catalogs = Catalog.objects.filter(archived=False).order_by("pk")
    of = {catalog.pk: catalog for catalog in catalogs}
    rows = AlertState.objects.filter(catalog__in=of).defer("seen")
    states = {(state.catalog_id, state.key): state for state in rows}
    found = []
    for pk, rules in rules_by_catalog(of).items():
        due = []
        for rule in rules:
            state = states.get((pk, rule.key)) or AlertState(catalog=of[pk], key=rule.key)
            ends = _ends(rule, state, upto=upto, since=since)
            if rule.enabled and ends:
                due.append(Due(rule, state, ends))
        if due:
            found.append((of[pk], due))
    return found


def _ends(rule: Rule, state: AlertState, *, upto: int, since: int | None) -> range:
    if since is not None:
        first = since if state.upto is None else max(since, state.upto + 1)
    elif state.upto is None or state.upto > upto + AHEAD:
        # As many looks as a rule needs to say anything: a new one is judged at once.
        first = upto - rule.in_a_row + 1
    else:
        first = max(state.upto + 1, upto - CATCHES_UP + 1)
    return range(first, upto + 1)


def judge(
    catalog: Catalog, due: Sequence[Due], *, now: datetime, telling: bool = True
) -> list[AlertChange]:
    """Judge rules of a catalog and keep how they stand, what changed, and what is to be sent.

    Returns the changes; none where another worker was quicker.
    """
    if not due:
        return []
    counted = read_counts(catalog.pk, due=[(one.rule, one.ends) for one in due])
    judged = [(one, list(_follow(one, counted))) for one in due]
    try:
        with transaction.atomic():
            return _write(catalog, judged, now=now, telling=telling)
    except (Overtaken, IntegrityError):
        return []


def read_counts(catalog: int, *, due: Iterable[tuple[Rule, range]]) -> Counted:
    """Read the counts that rules need for looks at the end of some hours. A query a section."""
    looks = [(rule, ends) for rule, ends in due if ends]
    start = min(ends[0] - rule.window for rule, ends in looks) - WEEK
    end = max(ends[-1] for _rule, ends in looks)
    scope = Scope(catalogs=(catalog,))
    return Counted(
        (section, row)
        for section in sections_of(rule.metric for rule, _ends in looks)
        for row in hours_of(section, scope=scope, start=start, end=end)
    )


def _follow(due: Due, counted: Counted) -> Iterator[Judged]:
    standing = Standing(State(due.state.state), due.state.streak)
    return follow(
        due.rule,
        ends=due.ends,
        see=lambda rule, end: counted.seen(rule, end=end),
        standing=standing,
    )


def _write(
    catalog: Catalog,
    judged: Sequence[tuple[Due, list[Judged]]],
    *,
    now: datetime,
    telling: bool,
) -> list[AlertChange]:
    _hold([due.state for due, _looks in judged])
    silenced = set(
        AlertSilence.objects.filter(catalog=catalog).holding(now=now).values_list("key", flat=True)
    )
    changes = [
        change
        for due, looks in judged
        for change in _changes(due, looks, now=now, silenced=due.rule.key in silenced)
    ]
    changes.sort(key=lambda change: change.at)
    AlertChange.objects.bulk_create(changes, batch_size=500)
    latest = {change.key: change for change in changes}
    states = [_stands(due, looks[-1], latest, now=now) for due, looks in judged]
    if telling:
        tell(catalog, states, latest=latest, silenced=silenced, now=now)
    else:
        for state in states:
            state.told = state.state == State.FIRING
    _save(states)
    return changes


def _hold(states: Sequence[AlertState]) -> None:
    """Lock the rows of states until the transaction ends. Raises ``Overtaken``."""
    known = {state.pk: state.revision for state in states if state.pk}
    rows = AlertState.objects.filter(pk__in=known).order_by("pk").select_for_update()
    if dict(rows.values_list("pk", "revision")) != known:
        raise Overtaken


def _save(states: Sequence[AlertState]) -> None:
    new = [state for state in states if not state.pk]
    known = [state for state in states if state.pk]
    # The constraint refuses what another worker made meanwhile.
    AlertState.objects.bulk_create(new)
    fields = ("state", "streak", "since", "upto", "judged_at", "seen", "told", "revision")
    AlertState.objects.bulk_update(known, fields)


def _changes(
    due: Due, looks: Iterable[Judged], *, now: datetime, silenced: bool
) -> Iterator[AlertChange]:
    present = hour_of(now)
    for look in looks:
        if look.is_change:
            end = look.seen.end
            yield AlertChange(
                catalog=due.state.catalog,
                key=due.rule.key,
                at=now if end == present else moment(end, zone=UTC),
                upto=end,
                before=look.before.state,
                after=look.after.state,
                rule=plain(due.rule),
                seen=kept(sighting(due.rule, look)),
                silenced=silenced,
                afterwards=end != present,
            )


def _stands(
    due: Due, last: Judged, latest: Mapping[str, AlertChange], *, now: datetime
) -> AlertState:
    state, change = due.state, latest.get(due.rule.key)
    state.state, state.streak = last.after.state, last.after.streak
    state.upto, state.judged_at = last.seen.end, now
    state.seen = kept(sighting(due.rule, last))
    state.revision += 1
    if change is not None:
        state.since = change.at
    return state
