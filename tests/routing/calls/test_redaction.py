"""A catalog that redacts: nothing that it seeks out reaches the database, whoever writes it."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import serializers
from django.utils import timezone

from catalog.models import Catalog
from routing.approvals import forget_arguments, request_of
from routing.models import Approval, Run, Span, Text
from routing.redaction import Line, Redactions
from routing.spans import task_hash
from tests import approvals
from tests.routing.api.test_spans import expand_span, route_span
from tests.routing.calls.conftest import REFUND, Caller
from tests.routing.conftest import Agent

ANA = "ana@example.com"
REDACTIONS = Redactions(ready=("email", "card"), own=(Line("[order]", r"\b88231\b"),)).dumps()


@pytest.fixture(autouse=True)
def redacting(desk: Catalog) -> None:
    Catalog.objects.update(redact_text=True, redactions=REDACTIONS)


def everything_written() -> str:
    """Return every column of what runs leave behind."""
    rows = [*Run.objects.all(), *Span.objects.all(), *Text.objects.all(), *Approval.objects.all()]
    return str(serializers.serialize("json", rows))


def test_words_are_redacted_as_they_are_written(agent: Agent) -> None:
    task = f"Refund order 88231 to {ANA}"
    caller = Caller(agent, history=[f"I am {ANA}"])
    agent.select(task, catalog="refunds", route="desk", run_id=caller.run_id)
    url = f"/selections/{caller.selection['id']}"
    agent.post(f"{url}/expansions", {"group": "refunds", "reason": f"{ANA} asked"})
    call = caller.propose(
        "draft_refund_request", REFUND | {"note": ANA}, idempotency_key="k"
    ).json()
    data = {"request_id": "r1", "to": ANA}
    sent = caller.result(call["id"], data=data, reason=f"to {ANA}").json()

    first, second, expand, proposal, result = agent.get(f"/runs/{caller.run_id}").json()["spans"]
    assert first["task"] == "What is owed for order [order]?"
    assert first["history"] == ["I am [e-mail]"]
    assert second["task"] == "Refund order [order] to [e-mail]"
    assert second["task_hash"] == task_hash(task)
    assert expand["reason"] == "[e-mail] asked"
    assert proposal["arguments"] == {**REFUND, "order_id": "[order]", "note": "[e-mail]"}
    assert proposal["trace_fields"] == {**REFUND, "order_id": "[order]"}
    assert (result["data"]["to"], result["reason"]) == ("[e-mail]", "to [e-mail]")
    assert ANA not in everything_written()
    assert "88231" not in everything_written()
    # The agent is answered with what it sent, and later with what is kept.
    assert (sent["data"], sent["redacted"]) == (data, True)
    kept = caller.result(call["id"], data=data, reason=f"to {ANA}").json()
    assert (kept["data"]["to"], kept["redacted"], kept["sha256"]) == (
        "[e-mail]",
        True,
        sent["sha256"],
    )


def test_what_is_cut_short_is_redacted_before(agent: Agent, settings: Any) -> None:
    settings.MAX_RESULT_BYTES = 40
    caller = Caller(agent)
    call = caller.propose("search_refund_policy", {"query": "late"}).json()["id"]
    caller.result(call, data={"passages": [{"section": "1", "text": "4111111111111111"}]})

    kept: Any = Text.objects.get(data__isnull=False).data
    assert kept.startswith('{"passages":[{"section"')
    assert "4111" not in kept


def test_where_a_pattern_of_before_cannot_be_used_nothing_is_kept(agent: Agent) -> None:
    broken = Redactions(own=(Line("[x]", "(a"),)).dumps()
    Catalog.objects.update(redactions=broken)

    assert Caller(agent).read().status_code == 201

    assert Span.objects.count() == 2
    assert not Text.objects.exists()


def test_a_person_reads_the_very_arguments_until_the_request_is_over() -> None:
    approval = approvals.ask(order_id="88231")
    now = timezone.now()

    assert request_of(approval, now=now).arguments["order_id"] == "88231"
    assert forget_arguments(now=now) == 0
    recorded: Any = Text.objects.get(span=approval.proposal).arguments
    assert recorded["order_id"] == "[order]"

    assert forget_arguments(now=approval.expires_at) == 1
    over = Approval.objects.with_grounds().get()
    assert over.arguments is None
    ended = request_of(over, now=approval.expires_at)
    assert ended.arguments["order_id"] == "[order]"


def test_spans_that_are_told_afterwards_are_redacted_and_old_ones_come_without_words(
    agent: Agent,
) -> None:
    Catalog.objects.update(text_days=30)
    now = timezone.now()
    fits = {"groups": [], "proposed_groups": [], "offered": [], "near_misses": [], "route": "desk"}
    old = route_span(time=(now - timedelta(days=31)).isoformat(), task=ANA, run_id="old", **fits)
    new = route_span(time=(now - timedelta(days=29)).isoformat(), task=ANA, **fits)
    opened = expand_span(new, group="refunds", groups=[], offered=[], reason=ANA, route="desk")
    opened["time"] = new["time"]

    answer = agent.post("/spans", {"catalog": "refunds", "spans": [old, new, opened]}).json()

    assert len(answer["taken"]) == 3, answer
    assert list(Text.objects.order_by("pk").values_list("task", "reason")) == [
        ("[e-mail]", ""),
        ("", "[e-mail]"),
    ]
