"""The commands of docs/paths.md run as printed, on the case that it prints."""

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from routing.case_runs.reading import checked_runs, runs_of
from routing.datasets.changing import Taken, add_cases, make_dataset
from routing.evaluation.cases import case_of
from routing.models import EvalCase
from tests.printed import ROOT, demo_key, printed_commands, run_printed
from tests.samples import NOW, published


@pytest.mark.django_db(transaction=True)
def test_its_commands_run_as_printed(
    live_server: LiveServer, tmp_path: Path, settings: Any
) -> None:
    settings.ENCODER = "none"
    dataset = make_dataset(catalog=published("refunds"), name="refund-paths", by=None, now=NOW)
    (printed,) = re.findall(r"```json\n(.*?)```", (ROOT / "docs/paths.md").read_text(), re.DOTALL)
    add_cases(
        dataset,
        [Taken(case_of(json.loads(printed), where=""))],
        origin=EvalCase.Origin.HAND,
        state=EvalCase.State.ACCEPTED,
        by=None,
        now=NOW,
    )
    client = Client(headers={"Authorization": f"Bearer {demo_key(tmp_path)}"})

    def post(path: str, **body: Any) -> Any:
        return client.post(f"/api/v1{path}", body, content_type="application/json").json()

    run = partial(run_printed, url=live_server.url, folder=tmp_path)
    begin, simulate, end = printed_commands("docs/paths.md")
    assert run(begin)["case_id"] == "refund-paths/1"
    task = EvalCase.objects.get().task
    selection = post("/selections", catalog="refunds", task=task, run_id="try-1")
    calls = f"/selections/{selection['id']}/calls"
    search = {"tool": "search_refund_policy", "arguments": {"query": "kettle"}}
    call = post(calls, **search, idempotency_key="1")
    assert run(simulate, CALL=call["id"])["result"]["reason"] == "busy"
    again = post(calls, **search, idempotency_key="1")
    assert post(f"/calls/{again['id']}/simulation", attempt=2)["result"]["status"] == "ok"
    draft = {"order_id": "1", "amount_cents": 100}
    asks = post(calls, tool="draft_refund_request", arguments=draft, idempotency_key="2")
    assert asks["decision"] == "needs_approval"
    assert run(end)["status"] == "needs_human"

    (checked,) = checked_runs(dataset, runs_of(dataset))
    assert checked.verdict.passed
