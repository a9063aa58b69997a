"""Runs of both arms that name a case, written without asking anybody."""

from datetime import datetime, timedelta
from typing import Any

from routing.keys import make_key
from routing.models import ApiKey, EvalDataset, Release, Run, Span
from routing.spans import new_uid, write_span


def path_runs(dataset: EvalDataset, *, release: Release, now: datetime) -> list[Run]:
    """Return two runs of a dataset's first case: one completed it, the other left its path."""
    key = ApiKey.objects.order_by("pk").first()
    key = key or make_key(name="under test", now=now, catalogs=[dataset.catalog]).key
    return [
        _run(dataset, release, key=key, strategy=strategy, solved=strategy == "all", now=now)
        for strategy in ("all", "auto")
    ]


def _run(
    dataset: EvalDataset, release: Release, *, key: Any, strategy: str, solved: bool, now: datetime
) -> Run:
    run = Run.objects.create(
        key=key,
        run_id=f"case-{dataset.catalog_id}-{strategy}-" + "0123456789" * 4,
        catalog=dataset.catalog,
        release=release,
        started_at=now - timedelta(minutes=1),
        outcome="solved" if solved else "failed",
        stop_reason="done" if solved else "gave_up",
        case_id=f"{dataset.name}/1",
        source="case",
        cost_spent=0.25,
    )

    def step(name: str, **fields: Any) -> Span:
        return write_span(run=run, name=Span.Name(name), now=now, source="case", **fields)

    first = step("tool_route", strategy=strategy, decided_by=strategy, offered=[0, 1])
    of = {"selection": first, "tool": 0 if solved else 1}
    uid = new_uid(now=now)
    step("tool_call", **of, uid=uid, call=uid, decision="allowed", attempt=1)
    told = {"answer": "injection", "names": "other_tool"}
    step("tool_result", **of, call=uid, status="ok", cost=0.25, details={"simulated": told})
    if not solved:
        step(
            "tool_call",
            selection=first,
            decision="refused",
            reason="tool_unknown",
            details={"proposed": "other_tool"},
        )
    step("outcome", selection=first, status=run.outcome, stop_reason=run.stop_reason)
    return run
