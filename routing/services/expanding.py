"""Open one more group after a selection."""

from datetime import datetime
from itertools import chain
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef

from routing.admission import NotFound
from routing.answers import ExpansionAnswer, Tokens, offered_names
from routing.at_hand import compiling_first, release_at_hand
from routing.circuits import switched_off
from routing.compiled import CompiledRelease
from routing.deferral import deferred_tools
from routing.keeping import Keeping
from routing.keys import note_use, within_reach
from routing.models import ApiKey, Circuit, Span
from routing.models.run import BATCH
from routing.partitions.since import ids_since_uid
from routing.selection import Circumstances, expand
from routing.spans import write_span


@compiling_first
def expand_group(
    *, key: ApiKey, selection_id: UUID, group: str, reason: str, now: datetime
) -> ExpansionAnswer:
    """Open one more group after a selection. Everything offered before keeps its place.

    Raises ``NotFound``, ``UnknownGroup`` and ``GroupNotAllowed``.
    """
    with transaction.atomic():
        spans = _selection_and_expansions(key=key, selection_id=selection_id)
        first, *expansions = spans
        release = release_at_hand(first.release_id)
        off = switched_off(
            release.catalog_id,
            route=first.route or None,
            now=now,
            some=first.has_circuits,  # type: ignore[attr-defined]
        )
        before = list(chain.from_iterable(span.offered for span in expansions))
        added = expand(
            release.index,
            route=first.route or None,
            group=group,
            offered=[release.names[tool] for tool in chain(first.offered, before)],
            circumstances=Circumstances(switched_off=off),
        )
        deferred = _deferred_by(first, release)
        opened = dict.fromkeys([*first.groups, *(span.group for span in expansions), group])
        selected = spans[-1].tokens_selected + release.count(added)
        span = write_span(
            run=first.run,
            name=Span.Name.EXPAND,
            now=now,
            words=Keeping.of(first.run.catalog).kept({"reason": reason}) if reason else None,
            selection=first,
            group=group,
            groups=list(opened),
            groups_count=len(opened),
            offered=list(added),
            route=first.route,
            phase=first.phase,
            source=first.source,
            format=first.format,
            tool_search=first.tool_search,
            switched_off=sorted(off),
            tokens_selected=selected,
            tokens_catalog=first.tokens_catalog,
        )
        note_use(key=key, now=now)
    return ExpansionAnswer(
        id=str(span.uid),
        run_id=first.run.run_id,
        release=release,
        group=group,
        groups=tuple(opened),
        added=tuple(tool for tool in added if tool not in deferred),
        loaded=tuple(tool for tool in added if tool in deferred),
        tool_names=tuple(
            offered_names(
                release,
                first.offered,
                request_group=first.request_group,
                added=[*before, *added],
            )
        ),
        tokens=Tokens(selected=selected, catalog=first.tokens_catalog),
        format=first.format,
        route=first.route or None,
    )


def _deferred_by(selection: Span, release: CompiledRelease) -> frozenset[int]:
    """Return what the agent holds since the selection, behind the provider's search."""
    if not selection.tool_search:
        return frozenset()
    return frozenset(
        deferred_tools(
            release.index,
            route=selection.route or None,
            offered=selection.offered,
            switched_off=frozenset(selection.switched_off),
        )
    )


def _selection_and_expansions(*, key: ApiKey, selection_id: UUID) -> list[Span]:
    """Return a selection's span and those of its expansions, oldest first, and hold the first.

    The expansions are read once it is held: a query that waits for another transaction does not see
    the rows that this one adds.
    """
    reach = within_reach(key=key.pk, everywhere=key.all_catalogs)
    first = (
        Span.objects.filter(reach, uid=selection_id, key=key, name=Span.Name.ROUTE)
        .filter(pk__gte=ids_since_uid(selection_id))
        # What an agent says that it offered itself is no selection of ours.
        .exclude(source=BATCH)
        .annotate(
            has_circuits=Exists(Circuit.objects.unclosed().filter(catalog=OuterRef("catalog")))
        )
        .select_related("run__catalog")
        .select_for_update(of=("self",))
        .first()
    )
    if first is None:
        raise NotFound("There is no such selection for this key.")
    expansions = first.following.filter(name=Span.Name.EXPAND, pk__gt=first.pk)
    return [first, *expansions.order_by("id")]
