"""Select again in a run: more broadly after a miss, or in the next phase."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from routing.admission import NotFound
from routing.answers import SelectionAnswer
from routing.compiled import CompiledRelease, compiled_release
from routing.keys import within_reach
from routing.models import ApiKey, Run, Span, Text
from routing.models.run import API, BATCH
from routing.partitions.since import ids_since, ids_since_uid
from routing.references import Reference
from routing.selection import Channel, Query, Strategy
from routing.services.selecting import SelectionRequest, select_tools


class NoTask(ValueError):
    """A selection needs a task, and the run's last one was not kept."""


@dataclass(frozen=True, slots=True)
class Reselection:
    """What an agent says when it asks again. Null means as before.

    ``tool`` is one that it called and was not offered; a model may have made the name up.
    ``history`` is the last task's where no task is given.
    """

    tool: str | None = None
    task: str | None = None
    history: tuple[str, ...] | None = None
    phase: str | None = None


def reselect(
    *,
    key: ApiKey,
    selection_id: UUID,
    asked: Reselection,
    now: datetime,
    traceparent: str = "",
) -> SelectionAnswer:
    """Choose tools again, in the same run and with broader criteria: inclusive.

    Raises ``NotFound``, ``NoTask`` and what ``select_tools`` raises.
    """
    before = _selection(key=key, selection_id=selection_id)
    release = compiled_release(before.release_id)
    tool = _position(release, asked.tool)
    group = _group_to_open(release, tool=tool, route=before.route or None)
    task, history = _words(before.run, asked)
    kind, _, value = before.channel.partition(":")
    query = Query(
        task=task,
        history=history,
        phase=asked.phase,
        channel=Channel(kind, value) if value else None,
        strategy=Strategy(before.strategy),
        max_tools=before.max_tools,
        inclusive=True,
        open_groups=(group,) if group else (),
    )
    request = SelectionRequest(
        reference=Reference(catalog=before.run.catalog.name),
        query=query,
        run_id=before.run.run_id,
        format=before.format,
        tool_search=bool(before.tool_search),
        source=before.source,
        traceparent=traceparent,
        follows=before.pk,
        missed=None if tool in before.offered else tool,
    )
    return select_tools(key=key, request=request, now=now)


def enter_phase(
    *,
    key: ApiKey,
    run_id: str,
    phase: str,
    now: datetime,
    format_name: str | None = None,
    traceparent: str = "",
) -> SelectionAnswer:
    """Bring a run into a phase, and choose the tools of it by ``state_machine``.

    Its last task goes with it, if that was kept: the phase's tools do not depend on it. Without a
    format it is that of the run's last selection. Raises ``NotFound``, ``IllegalTransition`` and
    what ``select_tools`` raises.
    """
    reach = within_reach(key=key.pk, everywhere=key.all_catalogs)
    run = Run.objects.select_related("catalog").filter(reach, key=key, run_id=run_id).first()
    if run is None:
        raise NotFound("There is no such run for this key.")
    selections = run.spans.filter(name=Span.Name.ROUTE, pk__gte=ids_since(run.started_at))
    last = selections.order_by("-pk").first()
    task, history = _last_words(run) or ("", ())
    request = SelectionRequest(
        reference=Reference(catalog=run.catalog.name),
        query=Query(task=task, history=history, phase=phase, strategy=Strategy.STATE_MACHINE),
        run_id=run_id,
        format=format_name or (last.format if last else "") or "native",
        source=API if run.source == BATCH else run.source,
        traceparent=traceparent,
    )
    return select_tools(key=key, request=request, now=now)


def _selection(*, key: ApiKey, selection_id: UUID) -> Span:
    """Return the span of a selection that was made here; raises ``NotFound``."""
    reach = within_reach(key=key.pk, everywhere=key.all_catalogs)
    spans = Span.objects.filter(reach, uid=selection_id, key=key, name=Span.Name.ROUTE)
    spans = spans.filter(pk__gte=ids_since_uid(selection_id)).exclude(source=BATCH)
    span = spans.select_related("run__catalog").first()
    if span is None:
        raise NotFound("There is no such selection for this key.")
    return span


def _position(release: CompiledRelease, tool: str | None) -> int | None:
    """Return the place of a tool by its name or alias, ``None`` where the release has none."""
    if tool is None or tool in release.index.position:
        return None if tool is None else release.position(tool)
    tools = enumerate(release.document["tools"])
    return next((position for position, one in tools if tool in one["aliases"]), None)


def _group_to_open(release: CompiledRelease, *, tool: int | None, route: str | None) -> str | None:
    """Return the first group that holds a tool, if the route allows it and the tool."""
    allowed = release.index.route(route)
    if tool is None or not allowed.tools[tool]:
        return None
    groups = (release.index.groups[name] for name in allowed.groups)
    return next((group.name for group in groups if tool in group.members), None)


def _words(run: Run, asked: Reselection) -> tuple[str, tuple[str, ...]]:
    if asked.task is not None:
        return asked.task, asked.history or ()
    last = _last_words(run)
    if last is None:
        raise NoTask("The run's last task was not kept, or was erased: send the task.")
    task, history = last
    return task, history if asked.history is None else asked.history


def _last_words(run: Run) -> tuple[str, tuple[str, ...]] | None:
    texts = Text.objects.filter(run=run, span_id__gte=ids_since(run.started_at))
    texts = texts.exclude(task="").order_by("-span_id")
    last = texts.values_list("task", "history").first()
    return None if last is None else (last[0], tuple(last[1]))
