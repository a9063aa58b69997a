"""Take what agents that select in their own process tell afterwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, transaction

from catalog.document import REQUEST_GROUP
from routing.admission import Admitted, NoRoute, RouteNotAllowed, RunConflict, admit, route_for
from routing.compiled import CompiledRelease, compiled_release
from routing.inserting import insert
from routing.keys import note_use
from routing.models import ApiKey, Release, Run, Span
from routing.models.run import BATCH
from routing.partitions.since import ids_since, ids_since_uid
from routing.references import Reference
from routing.retention.boundary import kept_since
from routing.selection import UnknownPhase, UnknownRoute
from routing.services.running import new_run
from routing.spans import write_span

CLOCKS_DIFFER = timedelta(minutes=5)
"""How far in the future a span may lie: the agent's clock is not ours."""

_COUNTED_FORMAT = "openai"


class NotTaken(ValueError):
    """A span that does not stand; ``path`` is the field that it is about."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldSpan:
    """A span as an agent tells it, with tool names. ``columns`` are those that need no look-up.

    ``offered`` may hold ``request_group``. ``near_misses`` are of tool, score and reason.
    """

    uid: UUID
    name: Span.Name
    run_id: str
    time: datetime
    release: int | None = None
    route: str | None = None
    phase: str | None = None
    selection: UUID | None = None
    group: str = ""
    groups: Sequence[str] = ()
    offered: Sequence[str] = ()
    near_misses: Sequence[tuple[str, float | None, str]] = ()
    tokens_selected: int | None = None
    tokens_catalog: int | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[str, Any] | None = None


@dataclass(slots=True)
class Ingested:
    """What became of each span; ``refused`` are places in what was told, with what is wrong."""

    taken: list[UUID] = field(default_factory=list)
    known: list[UUID] = field(default_factory=list)
    refused: list[tuple[int, NotTaken]] = field(default_factory=list)


def ingest_spans(
    *, key: ApiKey, reference: Reference, told: Sequence[ToldSpan], now: datetime
) -> Ingested:
    """Put spans on record that happened elsewhere, each for itself, in one transaction.

    One that was taken before is known by its id, so that a batch can be sent again. Runs are made
    where they do not exist. A run that was begun here keeps what happened here: nobody can tell of
    it otherwise. Raises ``NotFound``.
    """
    admitted = admit(key=key, reference=reference)
    releases = _releases(admitted, told)
    try:
        return _Batch(key, admitted, releases, now).take(told)
    except IntegrityError:
        # The same batch was sent twice at once: its spans are known by now.
        return _Batch(key, admitted, releases, now).take(told)


def _releases(admitted: Admitted, told: Sequence[ToldSpan]) -> dict[int | None, CompiledRelease]:
    """Return the releases that spans name by number, compiled before a transaction is open."""
    numbers = {span.release for span in told} - {None, admitted.release.number}
    named = Release.objects.filter(catalog=admitted.release.catalog_id, number__in=numbers)
    releases = [admitted.release, *map(compiled_release, named.values_list("pk", flat=True))]
    return {None: admitted.release} | {release.number: release for release in releases}


class _Batch:
    """One batch, with what is on record already of what it names."""

    def __init__(
        self,
        key: ApiKey,
        admitted: Admitted,
        releases: Mapping[int | None, CompiledRelease],
        now: datetime,
    ) -> None:
        self._key = key
        self._admitted = admitted
        self._releases = releases
        self._now = now
        self._spans: dict[UUID, Span] = {}
        self._runs: dict[str, Run] = {}
        self._kept_since: datetime | None = None

    @transaction.atomic
    def take(self, told: Sequence[ToldSpan]) -> Ingested:
        """Take what stands."""
        # Held, before what is known is read: another batch with one of these spans has ended then.
        runs = Run.objects.filter(key=self._key, run_id__in={span.run_id for span in told})
        no_key = connection.features.has_select_for_no_key_update
        held = runs.order_by("pk").select_for_update(no_key=no_key)
        self._runs = {run.run_id: run for run in held}
        self._spans = _on_record(told)
        self._kept_since = kept_since()
        ingested = Ingested()
        for place, span in enumerate(told):
            try:
                is_new = self._take(span)
            except NotTaken as error:
                ingested.refused.append((place, error))
            else:
                (ingested.taken if is_new else ingested.known).append(span.uid)
        note_use(key=self._key, now=self._now)
        return ingested

    def _take(self, told: ToldSpan) -> bool:
        if told.uid in self._spans:
            self._check_known(told, self._spans[told.uid])
            return False
        if told.time > self._now + CLOCKS_DIFFER:
            raise NotTaken("time", "This time has not come yet.")
        if self._kept_since is not None and told.time < self._kept_since:
            # Its hour's counts are final, and its run would go at once.
            raise NotTaken("time", f"Spans of before {self._kept_since:%Y-%m-%d} are not kept.")
        run = self._runs.get(told.run_id)
        release = self._release(told, run)
        route = self._route(told, replace(self._admitted, release=release, run=run))
        phase = _phase(told, release)
        selection = self._selection(told)
        columns = _columns(told, release, route=route, selection=selection)
        if run is None:
            run = self._runs[told.run_id] = self._begin(told, release, route=route, phase=phase)
        self._spans[told.uid] = write_span(
            run=run,
            name=told.name,
            now=told.time,
            uid=told.uid,
            words=self._words(told),
            source=BATCH,
            selection=selection,
            route=route,
            phase=phase,
            **told.columns,
            **columns,
        )
        if told.name is Span.Name.OUTCOME:
            ended = {name: told.columns[name] for name in ("status", "stop_reason")}
            Run.objects.filter(pk=run.pk).update(
                outcome=ended["status"], stop_reason=ended["stop_reason"]
            )
        return True

    def _words(self, told: ToldSpan) -> dict[str, Any] | None:
        keeping = self._admitted.keeping
        if not told.words or keeping.is_past(told.time, now=self._now):
            return None
        return keeping.kept(told.words)

    def _check_known(self, told: ToldSpan, known: Span) -> None:
        same = (known.key_id, known.run.run_id, known.name, known.source)
        if same != (self._key.pk, told.run_id, told.name, BATCH):
            raise NotTaken("id", "Another span has this id.")

    def _release(self, told: ToldSpan, run: Run | None) -> CompiledRelease:
        if run is None:
            if told.release not in self._releases:
                raise NotTaken("release", f"The catalog has no release {told.release}.")
            return self._releases[told.release]
        if run.source != BATCH:
            raise NotTaken(
                "run_id", "This run was begun here: what happens in it is recorded here."
            )
        if run.catalog_id != self._admitted.release.catalog_id:
            raise NotTaken("run_id", "This run belongs to another catalog.")
        release = compiled_release(run.release_id)
        if told.release not in (None, release.number):
            raise NotTaken("release", f"The run began with release {release.number} and keeps it.")
        return release

    def _route(self, told: ToldSpan, admitted: Admitted) -> str:
        try:
            route = route_for(asked=told.route, key=self._key, admitted=admitted)
            admitted.release.index.route(route)
        except (RunConflict, NoRoute, RouteNotAllowed, UnknownRoute) as error:
            raise NotTaken("route", str(error)) from error
        return route or ""

    def _selection(self, told: ToldSpan) -> Span | None:
        if told.selection is None:
            return None
        span = self._spans.get(told.selection)
        mine = span is not None and (span.key_id, span.run.run_id) == (self._key.pk, told.run_id)
        if span is None or not mine or span.name != Span.Name.ROUTE:
            raise NotTaken("selection", "The run has no such selection; tell of it first.")
        if span.source != BATCH:
            # Else whoever may tell of spans could have a selection offer what it did not.
            raise NotTaken("selection", "This selection was made here: its groups are opened here.")
        return span

    def _begin(self, told: ToldSpan, release: CompiledRelease, *, route: str, phase: str) -> Run:
        run = new_run(
            key=self._key,
            release=release,
            run_id=told.run_id,
            source=BATCH,
            now=told.time,
            route=route,
            phase=phase,
        )
        insert(run)
        return run


def _on_record(told: Sequence[ToldSpan]) -> dict[UUID, Span]:
    """Return what is on record of spans that are told and of the selections that they name.

    A span came at its time or later, and so did one that is told again. A selection may have come
    long before.
    """
    uids = {span.uid for span in told}
    selections = {span.selection for span in told if span.selection}
    since = min((_since(span) for span in told), default=0)
    spans = Span.objects.select_related("run")
    known = {one.uid: one for one in spans.filter(uid__in=uids | selections, pk__gte=since)}
    if since and (before := selections - uids - known.keys()):
        known |= {one.uid: one for one in spans.filter(uid__in=before)}
    return known


def _since(told: ToldSpan) -> int:
    by_time = ids_since(told.time - CLOCKS_DIFFER)
    return min(by_time, ids_since_uid(told.uid)) if told.uid.version == 7 else by_time


def _phase(told: ToldSpan, release: CompiledRelease) -> str:
    if told.phase is None:
        return ""
    try:
        release.index.phase(told.phase)
    except UnknownPhase as error:
        raise NotTaken("phase", str(error)) from error
    return told.phase


def _columns(
    told: ToldSpan, release: CompiledRelease, *, route: str, selection: Span | None
) -> dict[str, Any]:
    """Return the columns that names have to be looked up for; raises ``NotTaken``."""
    if told.name is Span.Name.OUTCOME:
        return {}
    index, allowed = release.index, release.index.route(route or None)
    for place, group in enumerate(told.groups):
        if group not in index.groups:
            raise NotTaken(f"groups[{place}]", f"{release.ref} has no group “{group}”.")
    if told.group and told.group not in allowed.groups:
        raise NotTaken("group", f"“{told.group}” is no group that the route lets an agent ask for.")
    has_request_group = REQUEST_GROUP in told.offered
    offered = []
    for place, tool in enumerate(told.offered):
        if tool == REQUEST_GROUP:
            continue
        if tool not in index.position:
            raise NotTaken(f"offered[{place}]", f"{release.ref} has no tool “{tool}”.")
        if not allowed.tools[release.position(tool)]:
            raise NotTaken(f"offered[{place}]", f"The route does not allow “{tool}”.")
        offered.append(release.position(tool))
    for place, (tool, _score, _reason) in enumerate(told.near_misses):
        if tool not in index.position:
            raise NotTaken(f"near_misses[{place}].tool", f"{release.ref} has no tool “{tool}”.")
    counted = release.count(offered) + (selection.tokens_selected if selection else 0)
    if has_request_group and allowed.groups:
        groups = allowed.groups
        counted += release.request_group(groups=groups, format_name=_COUNTED_FORMAT).tokens
    whole = release.catalog_tokens(route or None)
    return {
        "group": told.group,
        "groups": list(told.groups),
        "groups_count": len(told.groups),
        "offered": offered,
        "request_group": has_request_group,
        "near_misses": [
            [release.position(tool), score, reason] for tool, score, reason in told.near_misses
        ],
        "tokens_selected": counted if told.tokens_selected is None else told.tokens_selected,
        "tokens_catalog": whole if told.tokens_catalog is None else told.tokens_catalog,
    }
