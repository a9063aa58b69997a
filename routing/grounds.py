"""What a proposed call stands on: the selection, its run, and how that run stands now."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection, models
from django.db.models import QuerySet

from routing.admission import NotFound
from routing.at_hand import release_at_hand
from routing.circuits import standing
from routing.compiled import CompiledRelease
from routing.deferral import deferred_tools
from routing.fetching import Fetch
from routing.keys import within_reach
from routing.models import ApiKey, Run, Span, ToolCall
from routing.models.run import BATCH
from routing.partitions.since import ids_since_uid
from routing.policy.budget import Budget, lowest_ceilings
from routing.policy.circuits import Gate
from routing.policy.rules import ToolRules
from routing.policy.types import Approval, Situation

_Row = TypeVar("_Row", bound=models.Model)
_reach = partial(within_reach, catalog="run__catalog")


@dataclass(frozen=True, slots=True)
class Grounds:
    """A selection that a call is proposed after; its run is held until the transaction ends."""

    key: ApiKey
    selection: Span
    run: Run
    release: CompiledRelease

    @property
    def route(self) -> str | None:
        """Return the run's route."""
        return self.run.route or None

    def situation(
        self, *, tool: ToolRules | None, approval: Approval | None, retry: bool, now: datetime
    ) -> Situation:
        """Return what a decision on a call of a tool looks at."""
        bounds = self.release.bounds(self.route)
        barred = self.route is not None and self.key.routes and self.route not in self.key.routes
        return Situation(
            now=now,
            route=self.route,
            on_route=frozenset() if barred else bounds.tools,
            offered=self._offered(tool),
            scopes=frozenset(self.key.scopes),
            holders=bounds.holders,
            gate=self.gate(tool, now=now),
            budget=self.budget(bounds.budget, now=now),
            approval=approval,
            retry=retry,
        )

    def gate(self, tool: ToolRules | None, *, now: datetime) -> Gate:
        """Return how the circuits that a call of a tool passes stand."""
        if tool is None:
            return Gate()
        return standing(self.run.catalog_id).gate(
            tool=tool.name, capability=tool.capability, route=self.run.route, now=now
        )

    def budget(self, of_route: Mapping[str, Any], *, now: datetime) -> Budget:
        """Return the run's ceilings and what it has spent of them."""
        run = self.run
        return Budget(
            ceilings=lowest_ceilings(run=run.budget, route=of_route, key=self.key.budget),
            spent={
                "calls": run.calls_spent,
                "tokens": run.tokens_spent,
                "cost": run.cost_spent,
                "seconds": (now - run.started_at).total_seconds(),
            },
        )

    def _offered(self, tool: ToolRules | None) -> frozenset[str]:
        """Return the tool's name if it was offered: by the selection or what followed it.

        What a provider's own search could find was offered too. Expansions are read only where the
        selection did not offer the tool.
        """
        if tool is None:
            return frozenset()
        position = self.release.position(tool.name)
        offered = (
            position in self.selection.offered
            or self._was_deferred(position)
            or self._was_opened(position)
        )
        return frozenset([tool.name] if offered else [])

    def _was_deferred(self, position: int) -> bool:
        selection = self.selection
        return bool(selection.tool_search) and position in deferred_tools(
            self.release.index,
            route=self.route,
            offered=selection.offered,
            switched_off=frozenset(selection.switched_off),
        )

    def _was_opened(self, position: int) -> bool:
        # What an agent says that it opened itself was not opened here.
        selection = self.selection
        following = selection.following.filter(name=Span.Name.EXPAND, pk__gt=selection.pk)
        expansions = following.exclude(source=BATCH)
        return any(position in offered for offered in expansions.values_list("offered", flat=True))


def grounds_of(*, key: ApiKey, selection_id: UUID) -> Grounds:
    """Return what a selection of a key's run stands on, and hold the run. One read.

    What an agent says that it offered itself is no selection of ours. Proposals and results of a
    run come one after another: whoever waits for the run reads what the one before it wrote. Raises
    ``NotFound``.
    """
    since = ids_since_uid(selection_id)
    found = _SELECTION[key.all_catalogs].first(uid=selection_id, key=key.pk, since=since)
    if found is None:
        raise NotFound("There is no such selection for this key.")
    run = found.run
    return Grounds(key=key, selection=found, run=run, release=release_at_hand(run.release_id))


def call_of(*, key: ApiKey, call_id: UUID) -> ToolCall:
    """Return a call of a key, with its run held as ``grounds_of`` does. Raises ``NotFound``."""
    found = _CALL[key.all_catalogs].first(uid=call_id, key=key.pk)
    if found is None:
        raise NotFound("There is no such call for this key.")
    if not _joins_spans():
        selection = _SELECTION_OF_CALL.first(pk=found.selection_id)
        if selection is None:
            raise NotFound("There is no such call for this key.")
        found.selection = selection
    if connection.features.has_select_for_update:
        # Only the rows that a query waited for are read again after the wait.
        found.refresh_from_db(fields=_CHANGING)
    return found


def _selection(*, uid: UUID, key: int, since: int, everywhere: bool) -> "QuerySet[Span]":
    selections = Span.objects.filter(uid=uid, key_id=key, name=Span.Name.ROUTE, pk__gte=since)
    rows = selections.exclude(source=BATCH).filter(_reach(key=key, everywhere=everywhere))
    return _holding(rows.select_related("run__catalog")).only(*_OF_SPAN, *_OF_RUN)


def _call(*, uid: UUID, key: int, everywhere: bool) -> "QuerySet[ToolCall]":
    rows = ToolCall.objects.filter(_reach(key=key, everywhere=everywhere), uid=uid, key_id=key)
    if _joins_spans():
        rows = rows.select_related("run__catalog", "selection")
        return _holding(rows.only(*_OF_CALL, *_OF_ITS_SELECTION, *_OF_RUN))
    return _holding(rows.select_related("run__catalog").only(*_OF_CALL, "selection_id", *_OF_RUN))


def _joins_spans() -> bool:
    """Tell whether a span is better joined than read by its number, which names its partition."""
    return connection.vendor != "postgresql"


def _selection_of_call(*, pk: int) -> "QuerySet[Span]":
    return Span.objects.filter(pk=pk).only("uid", "phase", "source", "format")


def _holding(rows: "QuerySet[_Row]") -> "QuerySet[_Row]":
    """Hold the run against changes; where the database can, it may still be pointed to."""
    no_key = connection.features.has_select_for_no_key_update
    return rows.select_for_update(of=("run",), no_key=no_key)


# By whether the key reaches every catalog.
_SELECTION = {
    everywhere: Fetch(partial(_selection, everywhere=everywhere), uid=UUID, key=int, since=int)
    for everywhere in (False, True)
}
_CALL = {
    everywhere: Fetch(partial(_call, everywhere=everywhere), uid=UUID, key=int)
    for everywhere in (False, True)
}
_SELECTION_OF_CALL = Fetch(_selection_of_call, pk=int)


_CHANGING = ["attempt", "leased_until", "status", "reason", "done", "settled_at", "result"]
_OF_SPAN = (
    "uid",
    "offered",
    "phase",
    "source",
    "format",
    "tool_search",
    "switched_off",
    "catalog_id",
    "key_id",
    "release_id",
    "run_id",
)
_OF_CALL = (
    "uid",
    "tool",
    "capability",
    "route",
    "idempotency_key",
    "arguments_sha256",
    "is_probe",
    "catalog_id",
    "key_id",
    "run_id",
    *_CHANGING,
)
_OF_ITS_SELECTION = ("selection__uid", "selection__phase", "selection__source", "selection__format")
_OF_RUN = (
    "run__run_id",
    "run__catalog_id",
    "run__source",
    "run__key_id",
    "run__release_id",
    "run__route",
    "run__case_id",
    "run__budget",
    "run__calls_spent",
    "run__tokens_spent",
    "run__cost_spent",
    "run__started_at",
    "run__text_erased_at",
    "run__catalog__keep_text",
    "run__catalog__redact_text",
    "run__catalog__redactions",
    "run__catalog__text_days",
)
