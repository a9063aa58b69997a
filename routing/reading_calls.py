"""Read one call: what was decided of it, how its approval stands, and what came of it."""

from typing import Any
from uuid import UUID

from routing.admission import NotFound
from routing.call_answers import CallAnswer, CallRecord, recorded_result
from routing.compiled import compiled_release
from routing.keys import within_reach
from routing.models import ApiKey, Approval, Span, ToolCall
from routing.partitions.since import ids_since_uid


def read_call(*, key: ApiKey, call_id: UUID) -> CallRecord:
    """Return a call, or a proposal that became none, by the id that its answer had.

    Raises ``NotFound``.
    """
    reach = within_reach(key=key.pk, everywhere=key.all_catalogs, catalog="run__catalog")
    spans = Span.objects.filter(reach, uid=call_id, key=key, name=Span.Name.CALL)
    spans = spans.filter(pk__gte=ids_since_uid(call_id))
    # Not joined: each number names its partition, where the database has any.
    span = spans.select_related("run").prefetch_related("selection", "text").first()
    # The id of a further attempt's span is no call's.
    if span is None or span.selection is None or (span.call and span.call != span.uid):
        raise NotFound("There is no such call for this key.")
    release = compiled_release(span.run.release_id)
    tool = release.rules.tools[release.names[span.tool]] if span.tool is not None else None
    call = ToolCall.objects.prefetch_related("result__text").filter(uid=call_id).first()
    result = None
    if call is not None and call.result is not None and tool is not None:
        result = recorded_result(
            span=call.result, call=call.uid, tool=tool, format_name=span.selection.format
        )
    text = getattr(span, "text", None)
    return CallRecord(
        answer=CallAnswer(
            id=span.uid,
            run_id=span.run.run_id,
            tool=tool,
            decision=span.decision,
            reason=span.reason,
            details=span.details or {},
            attempt=call.attempt if call else None,
            result=result,
        ),
        selection=span.selection.uid,
        time=span.time,
        call=call,
        approval=_approval(span, call),
        arguments=text.arguments if text else None,
    )


def _approval(span: Span, call: ToolCall | None) -> Approval | None:
    named: Any = (span.details or {}).get("approval")
    approvals = Approval.objects.filter(run_id=span.run_id)
    if named:
        return approvals.filter(uid=named).first()
    return approvals.filter(used_by=call).first() if call else None
