"""Answer an allowed call as a script has its tool answer, and record that as its result."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from routing.admission import NotFound
from routing.at_hand import compiling_first, release_at_hand
from routing.call_answers import EXHAUSTED, ResultAnswer, recorded_result
from routing.datasets.naming import names_of_document, names_of_draft
from routing.datasets.rows import case_of_run
from routing.grounds import call_of
from routing.models import ApiKey, EvalCase, Run, Span, ToolCall
from routing.partitions.since import ids_since
from routing.paths.answering import Made, NotAnswerable, make
from routing.paths.expected import read_path
from routing.paths.script import answer_of, read_script, seed_of
from routing.policy.rules import ToolRules
from routing.services.recording import ResultConflict, SentResult, record_result
from routing.simulation.patterns import matching


class NoCase(Exception):
    """The run names no case of its catalog, or one whose script cannot be followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedResult:
    """What a simulated tool answered. ``result`` is ``None`` where nothing is heard of the attempt.

    That stays out ``until`` its lease ends. ``new`` tells that the result was not recorded before;
    ``latency_ms`` is what the tool would have taken.
    """

    call: UUID
    attempt: int
    result: ResultAnswer | None
    new: bool
    latency_ms: int | None
    until: datetime


@compiling_first
@transaction.atomic
def simulate_result(
    *, key: ApiKey, call_id: UUID, attempt: int, most_bytes: int, now: datetime
) -> SimulatedResult:
    """Answer the attempt that is out as the script of the run's case says, without waiting.

    An attempt that has ended is answered by its record. The answer is recorded as an agent's own
    would be. Raises ``NotFound``, ``NoCase`` and ``ResultConflict``.
    """
    call = call_of(key=key, call_id=call_id)
    release = release_at_hand(call.run.release_id)
    tool = release.rules.tools[call.tool]
    if attempt != call.attempt:
        raise ResultConflict(
            f"Attempt {call.attempt} is the newest of this call; this is attempt {attempt}."
        )
    case = _case(call.run)
    if call.status:
        return _recorded(call, tool)
    names = names_of_document(release.document, later=names_of_draft(call.run.catalog)).tools
    try:
        made = _made(call, case, tool, position=release.position(call.tool), names=names)
    except NotAnswerable as error:
        raise NoCase(str(error)) from error
    result, new = None, False
    if made.status:
        sent = _sent(made, attempt)
        result, new = record_result(
            key=key, call_id=call_id, sent=sent, most_bytes=most_bytes, now=now
        )
    return SimulatedResult(
        call=call.uid,
        attempt=attempt,
        result=result,
        new=new,
        latency_ms=made.latency_ms,
        until=call.leased_until,
    )


def _case(run: Run) -> EvalCase:
    if not run.case_id:
        raise NoCase(
            "This run names no case: begin it with POST /api/v1/runs and a case_id, which is "
            "<dataset>/<number>."
        )
    case = case_of_run(run)
    if case is None:
        raise NoCase(f"There is no case “{run.case_id}” in this catalog.")
    return case


def _made(
    call: ToolCall, case: EvalCase, tool: ToolRules, *, position: int, names: Mapping[str, str]
) -> Made:
    """Return what the tool answers that has answered before in this run so and so often."""
    results = Span.objects.filter(run=call.run_id, name=Span.Name.RESULT, tool=position)
    before = results.filter(pk__gte=ids_since(call.run.started_at)).exclude(reason=EXHAUSTED)
    count = before.count()
    scripts = [read_script(case.simulation), read_script(case.dataset.simulation)]
    scripts = [script.renamed(names) for script in scripts]
    path = read_path(case.path).renamed(names)
    unwanted = tuple(names.get(name, name) for name in case.not_expected)
    return make(
        answer_of(call.tool, before=count, scripts=scripts),
        tool=tool.tool,
        seed=seed_of(scripts),
        place=(case.number, count),
        matching=lambda pattern, random: matching(pattern, random=random),
        forbidden=path.tools_not_called or unwanted,
    )


def _sent(made: Made, attempt: int) -> SentResult:
    simulated = {"answer": made.kind.value}
    if made.names:
        simulated["names"] = made.names
    return SentResult(
        attempt=attempt,
        status=made.status,
        data=made.data,
        reason=made.reason,
        latency_ms=made.latency_ms,
        cost=made.cost,
        tokens=made.tokens,
        retry_after_ms=made.retry_after_ms,
        simulated=simulated,
    )


def _recorded(call: ToolCall, tool: ToolRules) -> SimulatedResult:
    span = Span.objects.select_related("text").filter(pk=call.result_id or 0).first()
    if span is None:
        raise NotFound("There is no such call for this key.")
    result = recorded_result(span=span, call=call.uid, tool=tool, format_name=call.selection.format)
    return SimulatedResult(
        call=call.uid,
        attempt=call.attempt,
        result=result,
        new=False,
        latency_ms=result.details.get("latency_ms"),
        until=call.leased_until,
    )
