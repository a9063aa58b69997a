"""A run in which everything happens that a page shows, written without asking anybody."""

from datetime import datetime, timedelta
from typing import Any

from catalog.models import Catalog
from routing.compiled import compiled_release
from routing.models import ApiKey, Approval, Run, Span, ToolCall, Webhook
from routing.moves import current_move
from routing.spans import new_uid, write_span

_BYTES = {"sha256": "ab" * 32, "bytes": 70_000, "truncated": True, "trust": "untrusted_content"}


def eventful_run(catalog: Catalog, *, key: ApiKey, tool: str, now: datetime) -> Run:
    """Return a run with every kind of step, one request that waits and one that was refused."""
    move = current_move(catalog)
    assert move is not None
    release = compiled_release(move.release_id)
    place = release.position(tool)
    run = Run.objects.create(
        key=key,
        run_id="eventful-" + "0123456789" * 8,
        catalog=catalog,
        release_id=release.pk,
        started_at=now - timedelta(minutes=5),
        outcome="solved",
        actor="ana@example.com",
        calls_spent=1,
        tokens_spent=1200,
        cost_spent=0.25,
    )

    def step(name: str, **fields: Any) -> Span:
        return write_span(run=run, name=Span.Name(name), now=now, **fields)

    selection = step(
        "tool_route",
        words={"task": "Reconcile order 88231 <b>now</b>", "history": ["Found 3 files"]},
        groups=["one"],
        proposed_groups=["two"],
        confidence=0.4,
        confidence_source="shipped",
        fallback="low_confidence",
        decided_by="embedding",
        offered=list(range(len(release.names))),
        request_group=True,
    )
    of = {"selection": selection, "tool": place}
    step("tool_route_expand", selection=selection, group="two", words={"reason": "I need more."})
    step("phase", selection=selection, phase="review", details={"came_from": "plan"})
    step(
        "tool_call",
        **of,
        decision="refused",
        reason="invalid_arguments",
        details={"detail": "No.", "errors": [{"path": "a[0]", "message": "is missing"}]},
        words={"arguments": {"lines": list(range(40))}},
    )
    allowed = new_uid(now=now)
    span = step("tool_call", **of, uid=allowed, call=allowed, decision="allowed", attempt=2)
    result = step(
        "tool_result",
        **of,
        call=allowed,
        status="ok",
        attempt=2,
        cost=0.002,
        tokens=30,
        details=_BYTES | {"flags": ["new_orders"], "latency_ms": 40, "evidence_ref": "e/1"},
        words={"data": '{"text": "long'},
    )
    ToolCall.objects.create(
        uid=span.uid,
        run=run,
        selection=selection,
        catalog=catalog,
        key=key,
        tool=tool,
        idempotency_key="k",
        arguments_sha256="0" * 64,
        attempt=2,
        leased_until=now,
        status="ok",
        done=True,
        settled_at=now,
        result=result,
    )
    for state, reason in (("refused", "Paid twice."), ("pending", "")):
        uid = new_uid(now=now)
        asks = step(
            "tool_call",
            **of,
            decision="needs_approval",
            reason="needs_approval",
            details={"approval": str(uid)},
        )
        Approval.objects.create(
            uid=uid,
            run=run,
            catalog=catalog,
            proposal=asks,
            tool=tool,
            arguments={"order_id": "88231", "lines": list(range(40))},
            arguments_sha256="1" * 64,
            state=state,
            reason=reason,
            requested_at=now - timedelta(minutes=1),
            decided_at=None if state == "pending" else now,
            expires_at=now + timedelta(hours=20),
        )
    step("outcome", selection=selection, status="failed", stop_reason="gave up")
    step("outcome", selection=selection, status="solved")
    Webhook.objects.create(
        catalog=catalog, url="https://example.com/h", secret="tcw_x", last_at=now, last_error="No."
    )
    return run
