"""A catalog in which every reason to refuse a call can be had, and how an agent proposes one."""

from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from catalog.drafting import fill_draft
from catalog.models import Catalog
from catalog.samples import load_sample
from routing.models import Approval
from routing.releases import publish
from tests.routing.conftest import Agent
from tests.samples import NOW

REFUND = {"order_id": "88231", "amount_cents": 500}


def publish_document(document: dict[str, Any]) -> Catalog:
    """Return a catalog whose live version is a document."""
    catalog = Catalog(name=document["catalog"])
    fill_draft(catalog=catalog, document=document)
    publish(catalog=catalog, author=None, now=NOW, note="", base=None)
    return catalog


def desk_document() -> dict[str, Any]:
    """Return the refund desk with a route for people's own work, groups to ask for, an alias.

    ``read_order`` is known as ``get_order`` too, ``read_invoice`` is switched off in this version,
    and ``read_ledger`` is on no route; what ``search_refund_policy`` returns is not
    trusted; ``issue_refund`` needs a scope, and ``draft_refund_request`` may be tried three times.
    """
    document = deepcopy(load_sample("refunds"))
    order, policy, draft, issue = document["tools"]
    order["aliases"] = ["get_order"]
    policy["output_trust"] = "untrusted_content"
    draft |= {"needs_approval": False, "max_attempts": 3}
    draft["input_schema"]["properties"]["note"] = {"type": "string"}
    gone = {**order, "name": "read_invoice", "enabled": False, "aliases": []}
    elsewhere = {**order, "name": "read_ledger", "aliases": []}
    document["tools"] = [order, policy, draft, issue, gone, elsewhere]
    budget = {"calls": None, "tokens": None, "cost": None, "seconds": None}
    document["routes"].append(
        {
            "name": "desk",
            "tools": ["read_order", "read_invoice", "draft_refund_request", "issue_refund"],
            "groups": ["refunds"],
            "side_effects": ["read", "write", "destructive"],
            "budget": budget,
        }
    )
    document["groups"][0]["tools"].append("read_invoice")
    return document


@pytest.fixture
def desk(db: None, settings: Any) -> Catalog:
    """Return the published refund desk; its selections serve all, and need no encoder."""
    settings.ENCODER = "none"
    return publish_document(desk_document())


def decide(
    uid: str, state: str, *, lasts: timedelta = timedelta(hours=1), reason: str = ""
) -> None:
    """Say yes or no to a call, as a person does; it then lasts for a while."""
    now = timezone.now()
    Approval.objects.filter(uid=uid).update(
        state=state,
        decided_at=None if state == "pending" else now,
        reason=reason,
        requested_at=now - timedelta(days=1),
        expires_at=now + lasts,
    )


class Caller:
    """An agent in one run, with the selection that it proposes after."""

    def __init__(self, agent: Agent, *, route: str = "desk", **more: Any) -> None:
        self.agent = agent
        self.selection = agent.select(
            "What is owed for order 88231?", catalog="refunds", route=route, **more
        )
        self.run_id = self.selection["run_id"]

    def propose(self, tool: str, arguments: object = None, **more: Any) -> Any:
        """Propose a call and return the response."""
        sent = {"tool": tool, "arguments": {} if arguments is None else arguments, **more}
        return self.agent.post(f"/selections/{self.selection['id']}/calls", sent)

    def draft(self, key: str | None = "k", **more: Any) -> Any:
        """Propose the draft of a refund."""
        return self.propose("draft_refund_request", REFUND, idempotency_key=key, **more)

    def refund(self, key: str | None = "k", **more: Any) -> Any:
        """Propose the refund itself, which needs a scope and an approval."""
        return self.propose("issue_refund", REFUND, idempotency_key=key, **more)

    def read(self, **more: Any) -> Any:
        """Propose to read the order."""
        return self.propose("read_order", {"order_id": "88231"}, **more)

    def result(self, call: str, status: str = "ok", attempt: int = 1, **more: Any) -> Any:
        """Record a result and return the response."""
        return self.agent.post(
            f"/calls/{call}/results", {"attempt": attempt, "status": status, **more}
        )


@pytest.fixture
def caller(make_agent: Callable[..., Agent], desk: Catalog) -> Caller:
    """Return an agent that was offered what the desk's route has, and may not issue refunds."""
    return Caller(make_agent(scopes=["other"]))
