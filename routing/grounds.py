"""What a proposed call stands on: the selection, its run, and how that run stands now."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection, models
from django.db.models import QuerySet

from routing.admission import NotFound
from routing.circuits import standing
from routing.compiled import CompiledRelease, compiled_release
from routing.deferral import deferred_tools
from routing.models import ApiKey, Run, Span, ToolCall
from routing.models.run import BATCH
from routing.policy.budget import Budget, lowest_ceilings
from routing.policy.circuits import Gate
from routing.policy.rules import ToolRules
from routing.policy.types import Approval, Situation

_Row = TypeVar("_Row", bound=models.Model)


@dataclass(frozen=True, slots=True)
class Grounds:
    """A selection that a call is proposed after; its run is held until the transaction ends."""

    key: ApiKey
    selection: Span
    run: Run
    release: CompiledRelease

    @property
    def keeps_text(self) -> bool:
        """Tell whether what the agent says is kept."""
        return self.run.catalog.keep_text and self.run.text_erased_at is None

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
        expansions = self.selection.following.filter(name=Span.Name.EXPAND)
        return any(position in offered for offered in expansions.values_list("offered", flat=True))


def grounds_of(*, key: ApiKey, selection_id: UUID) -> Grounds:
    """Return what a selection of a key's run stands on, and hold the run. One read.

    What an agent says that it offered itself is no selection of ours. Proposals and results of a
    run come one after another: whoever waits for the run reads what the one before it wrote. Raises
    ``NotFound``.
    """
    selections = Span.objects.filter(uid=selection_id, key=key, name=Span.Name.ROUTE)
    found = (
        _reachable(selections.exclude(source=BATCH), key=key)
        .select_related("run__catalog")
        .select_for_update(of=("run",), no_key=_no_key())
        .only(*_OF_SPAN, *_OF_RUN)
        .first()
    )
    if found is None:
        raise NotFound("There is no such selection for this key.")
    run = found.run
    return Grounds(key=key, selection=found, run=run, release=compiled_release(run.release_id))


def call_of(*, key: ApiKey, call_id: UUID) -> ToolCall:
    """Return a call of a key, with its run held as ``grounds_of`` does. Raises ``NotFound``."""
    found = (
        _reachable(ToolCall.objects.filter(uid=call_id, key=key), key=key)
        .select_related("run__catalog", "selection")
        .select_for_update(of=("run",), no_key=_no_key())
        .first()
    )
    if found is None:
        raise NotFound("There is no such call for this key.")
    if connection.features.has_select_for_update:
        # Only the rows that a query waited for are read again after the wait.
        found.refresh_from_db(fields=_CHANGING)
    return found


def _no_key() -> bool:
    """Tell whether a row can be held against changes and still be pointed to."""
    return connection.features.has_select_for_no_key_update


def _reachable(rows: "QuerySet[_Row]", *, key: ApiKey) -> "QuerySet[_Row]":
    rows = rows.filter(run__catalog__archived=False)
    return rows if key.all_catalogs else rows.filter(run__catalog__api_keys=key)


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
_OF_RUN = (
    "run__run_id",
    "run__key_id",
    "run__release_id",
    "run__route",
    "run__budget",
    "run__calls_spent",
    "run__tokens_spent",
    "run__cost_spent",
    "run__started_at",
    "run__text_erased_at",
    "run__catalog__keep_text",
)
