"""Try a selection without any record of it: no run, no span, no use of a key.

The draft can be tried too. It is compiled as its release would be, and kept for a while by the hash
of its content, so that a second task costs no second compilation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter_ns

from catalog.models import Catalog, CatalogVersion
from catalog.publishing import DraftHasProblems, FrozenDraft, freeze_and_check
from catalog.shelf import Shelf
from routing.answers import Tokens, offered_names
from routing.circuits import switched_off
from routing.compiled import CompiledRelease, compile_release, compiled_release
from routing.deferral import deferred_tools
from routing.fitted.carrying import ServedWith
from routing.llm.selecting import ask_once, select_routed
from routing.models import Release
from routing.models.release import LIVE
from routing.moves import NothingLive, current_move
from routing.releases import served_now
from routing.selection import Circumstances, ModelAnswer, Query, Selection
from routing.selection.pipeline import decide
from routing.selection.whynot import Account, account_of

# Drafts by catalog, what serves them, and hash: as frozen as a release while they are kept.
_drafts: Shelf[tuple[int, str, int | None, int | None, str], CompiledRelease] = Shelf(size=8)


@dataclass(frozen=True, slots=True)
class Preview:
    """A selection that left no trace; ``latency_us`` is what choosing alone took.

    ``switched_off`` is what circuits left out, as ``Circumstances`` names it. ``router`` is what a
    router model said, where one was asked: that costs what it costs.
    ``deferred`` are the tools behind the provider's own search, ``None`` where none was asked for.
    """

    release: CompiledRelease
    query: Query
    selection: Selection
    tokens: Tokens
    latency_us: int
    switched_off: frozenset[str] = frozenset()
    router: ModelAnswer | None = None
    deferred: tuple[int, ...] | None = None

    @property
    def tool_names(self) -> list[str]:
        """Return what an agent would be offered by name, ``request_group`` last."""
        return offered_names(
            self.release, self.selection.tools, request_group=bool(self.selection.requestable)
        )


def preview_selection(
    *, release: CompiledRelease, query: Query, now: datetime, tool_search: bool = False
) -> Preview:
    """Choose tools as ``services.select_tools`` would, ask a model if it would, and write nothing.

    A run's share of exploring is no part of it: the same query gives the same preview. Raises the
    selection's own errors for names in the query that do not stand.
    """
    started = perf_counter_ns()
    circumstances = Circumstances(
        switched_off=switched_off(release.catalog_id, route=query.route, now=now)
    )
    routed = select_routed(
        release=release, query=query, circumstances=circumstances, ask=ask_once()
    )
    selection = routed.selection
    took = (perf_counter_ns() - started) // 1000
    return Preview(
        release=release,
        query=query,
        selection=selection,
        tokens=Tokens(
            selected=release.selection_tokens(selection),
            catalog=release.catalog_tokens(query.route),
        ),
        latency_us=took,
        switched_off=circumstances.switched_off,
        router=routed.router,
        deferred=deferred_tools(
            release.index,
            route=query.route,
            offered=selection.tools,
            switched_off=circumstances.switched_off,
        )
        if tool_search
        else None,
    )


def accounts_of(preview: Preview, tools: Sequence[str]) -> list[Account]:
    """Return why each of some tools is served by a preview or not.

    A model that was asked is not asked again. Raises ``UnknownTool``.
    """
    if not tools:
        return []
    index = preview.release.index
    circumstances = Circumstances(switched_off=preview.switched_off, model_answer=preview.router)
    decision = decide(preview.query, index, circumstances)
    return [account_of(tool, decision, index) for tool in tools]


def compiled_label(catalog: Catalog, label: str = LIVE) -> CompiledRelease:
    """Return what agents get who name a label of the catalog; raises ``NothingLive``."""
    move = current_move(catalog, label=label)
    if move is None:
        raise NothingLive
    return compiled_release(move.release_id)


def compiled_version(version: CatalogVersion) -> CompiledRelease:
    """Return the newest release of a version; raises ``NothingLive`` where it has none."""
    newest = version.releases.order_by("-number").values_list("pk", flat=True).first()
    if newest is None:
        raise NothingLive
    return compiled_release(newest)


def compiled_draft(catalog: Catalog, *, now: datetime) -> CompiledRelease:
    """Return the draft as a release would be compiled from it now.

    Makes the vectors that are missing. Raises ``DraftHasProblems`` for one that could not be
    published.
    """
    frozen = freeze_and_check(catalog)
    if frozen.problems:
        raise DraftHasProblems(list(frozen.problems))
    served = served_now(catalog, frozen)
    key = (catalog.pk, *served.key, frozen.sha256)
    compiled = _drafts.get(key, lambda: _compile_draft(catalog, frozen, served, now=now))
    if compiled.index.encoder is not None and compiled.index.vectors is None:
        # Many vectors are missing; the worker may make them by the next time.
        _drafts.drop(key)
    return compiled


def _compile_draft(
    catalog: Catalog, frozen: FrozenDraft, served: ServedWith, *, now: datetime
) -> CompiledRelease:
    version = CatalogVersion(
        catalog=catalog, number=0, document=frozen.content, sha256=frozen.sha256, created_at=now
    )
    release = Release(
        pk=0,
        catalog=catalog,
        number=0,
        version=version,
        encoder=served.encoder,
        calibration=served.calibration,
        classifier=served.classifier,
        created_at=now,
    )
    made = compile_release(release)
    made.ref = f"{catalog.name}@draft"
    return made
