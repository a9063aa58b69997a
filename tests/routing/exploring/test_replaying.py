"""A selection of the record is made again from what its span keeps."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from catalog.models import Catalog
from routing.circuits import open_by_hand
from routing.compiled import compiled_release
from routing.exploring.replaying import Note, NotKept, Replay, replay
from routing.models import Release, Span
from routing.moves import current_move
from routing.releases import publish
from routing.selection import ModelAnswer, UnknownRoute
from routing.services.erasing import erase_words
from routing.simulation import simulate
from tests.routing.conftest import Agent
from tests.samples import NOW, published

pytestmark = pytest.mark.django_db
RECONCILE = "Reconcile the payment of order 88231 with the statement"


def selections() -> "QuerySet[Span]":
    rows = Span.objects.filter(name=Span.Name.ROUTE).select_related("text", "run")
    return rows.order_by("pk")


def publish_again(catalog: Catalog) -> Release:
    move = current_move(catalog)
    assert move is not None
    return publish(catalog=catalog, author=None, now=NOW, note="", base=move.pk).release


def again(span: Span) -> Replay:
    return replay(span, on=compiled_release(span.release_id))


def all_the_same(*, count: int) -> list[Replay]:
    replays = [again(span) for span in selections()]
    assert len(replays) >= count
    for one in replays:
        assert one.is_same
        assert one.now == one.then
        assert one.is_own
    return replays


def test_all_of_a_simulated_month_are_the_same_on_their_own_release() -> None:
    for name in ("back-office", "dev-agent", "refunds"):
        published(name, exploration=0.3)
    simulate(tasks=60, days=4, until=NOW + timedelta(days=5), say=lambda _line: None)
    replays = all_the_same(count=30)
    assert {one.then.fallback for one in replays} > {""}
    assert len({one.then.decided_by for one in replays}) > 2
    assert any(Note.EXPLORED in one.notes for one in replays)


def test_what_an_agent_asks_beside_its_task_is_kept(agent: Agent, back_office: Catalog) -> None:
    Catalog.objects.filter(pk=back_office.pk).update(inclusive=True)
    publish_again(back_office)
    open_by_hand(
        catalog=back_office,
        kind="tool",
        target="find_payment",
        reason="It errs.",
        until=None,
        by=None,
        now=timezone.now(),
    )
    before = agent.select(RECONCILE, open_groups=["stock"], max_tools=3)
    agent.select(RECONCILE)  # inclusive, as the catalog has it
    agent.select(RECONCILE, inclusive=False, strategy="embedding", history=["Paid in cash"])
    agent.post(f"/selections/{before['id']}/reselections", {"tool": "create_ticket"})
    replays = all_the_same(count=4)
    assert len({one.then.tools for one in replays}) == 4
    assert all(Note.SWITCHED_OFF in one.notes for one in replays)


def test_a_run_is_in_the_phase_again_that_it_was_in(agent: Agent, dev_agent: Catalog) -> None:
    agent.select("Go on", catalog="dev-agent", strategy="state_machine", run_id="r")
    for phase in ("implementation", "testing", "deployment"):
        assert agent.post("/runs/r/phase", {"phase": phase}).status_code == 201
    agent.post("/runs", {"catalog": "dev-agent", "run_id": "s", "phase": "testing"})
    # From the initial phase nothing leads there.
    assert agent.post("/runs/s/phase", {"phase": "deployment"}).status_code == 201
    all_the_same(count=5)


@pytest.mark.parametrize("strategy", ["llm", "auto"])
def test_the_recorded_answer_of_a_model_stands_in_for_it(
    agent: Agent,
    back_office: Catalog,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    strategy: str,
) -> None:
    settings.LLM_ROUTER_IN_AUTO = True
    answers = [
        ModelAnswer(model="m", groups=("stock",), confidence=0.9, tokens_in=7),
        ModelAnswer(model="m", failure="It was silent."),
    ]
    monkeypatch.setattr("routing.llm.selecting.ask_router", lambda *_: answers.pop(0))
    for _ in range(2):
        agent.select("Something or other", strategy=strategy)
    settings.LLM_ROUTER_IN_AUTO = False
    replays = all_the_same(count=2)
    assert replays[0].then.groups == ("stock",)
    assert all(Note.MODEL_RECORDED in one.notes for one in replays)


def test_another_release_answers_by_its_own_settings(agent: Agent, back_office: Catalog) -> None:
    agent.select(RECONCILE)
    agent.select(RECONCILE, max_tools=6)
    Catalog.objects.filter(pk=back_office.pk).update(max_tools=2)
    newer = publish_again(back_office)
    first, second = (replay(span, on=compiled_release(newer.pk)) for span in selections())
    assert len(first.now.tools) < len(first.then.tools)
    assert second.is_same
    assert not second.is_own
    no_route = published("refunds")
    with pytest.raises(UnknownRoute):
        replay(selections()[0], on=compiled_release(no_route.releases.get().pk))


def test_without_its_words_it_is_not_made_again(agent: Agent, back_office: Catalog) -> None:
    agent.select(RECONCILE)
    Catalog.objects.filter(pk=back_office.pk).update(keep_text=False)
    agent.select(RECONCILE)
    kept, not_kept = selections()
    with pytest.raises(NotKept) as told:
        again(not_kept)
    assert not told.value.erased
    kept.text.task = "Something else"
    assert Note.TEXT_CHANGED in again(kept).notes
    erase_words(run=kept.run, now=timezone.now())
    with pytest.raises(NotKept) as told:
        again(selections()[0])
    assert told.value.erased
