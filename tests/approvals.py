"""An agent that asks for a refund, which a person has to approve."""

from typing import Any

from catalog.models import Catalog
from routing.keys import make_key
from routing.models import Approval
from tests.routing.calls.conftest import REFUND, Caller, desk_document, publish_document
from tests.routing.conftest import Agent
from tests.samples import NOW

SCOPES = ["refunds:issue"]


def refund_desk() -> Catalog:
    """Return the published refund desk, in which ``issue_refund`` needs an approval."""
    return publish_document(desk_document())


def desk_agent(**rights: Any) -> Agent:
    """Return an agent that may issue refunds once they are approved."""
    return Agent(make_key(name="agent", now=NOW, scopes=SCOPES, **rights))


def ask(agent: Agent | None = None, *, key: str = "k", **arguments: Any) -> Approval:
    """Have an agent propose a refund in a new run, and return the request that came of it."""
    caller = Caller(agent or desk_agent())
    answer = caller.propose("issue_refund", REFUND | arguments, idempotency_key=key)
    assert answer.json()["decision"] == "needs_approval", answer.content
    return Approval.objects.with_grounds().get(uid=answer.json()["approval_id"])
