"""``DELETE /api/v1/runs/{run_id}/text``."""

from collections.abc import Callable
from datetime import timedelta
from threading import Event, Thread

import pytest
from django.db import connection, transaction
from django.utils import timezone

from catalog.models import Catalog
from routing.models import Approval, Run, Span, Text
from routing.services import erase_text
from routing.spans import new_uid, write_span
from tests.routing.api.test_selections import RECONCILE
from tests.routing.conftest import Agent
from tests.samples import NOW


@pytest.mark.django_db
def test_the_words_of_a_run_are_erased_and_its_spans_stay(
    agent: Agent, back_office: Catalog
) -> None:
    selection = agent.select(RECONCILE, run_id="r", history=["secret"])
    agent.post(f"/selections/{selection['id']}/expansions", {"group": "stock", "reason": "secret"})
    agent.select(RECONCILE, run_id="other")
    before = agent.get("/runs/r").json()["spans"]

    assert agent.delete("/runs/r/text").status_code == 204

    assert [agent.get(f"/runs/{run}").json()["text_erased"] for run in ("r", "other")] == [
        True,
        False,
    ]
    route, expand = agent.get("/runs/r").json()["spans"]
    assert (route["task"], route["history"], expand["reason"]) == (None, None, None)
    assert route["offered"] == before[0]["offered"]
    assert route["task_hash"] == before[0]["task_hash"]
    assert list(Text.objects.values_list("run__run_id", flat=True)) == ["other"]
    assert "secret" not in agent.get("/runs/r").content.decode()


@pytest.mark.django_db
def test_nothing_is_kept_from_then_on(agent: Agent, back_office: Catalog) -> None:
    selection = agent.select(RECONCILE, run_id="r")
    agent.delete("/runs/r/text")
    erased_at = Run.objects.get().text_erased_at

    agent.select(RECONCILE, run_id="r")
    agent.post(f"/selections/{selection['id']}/expansions", {"group": "stock", "reason": "Why"})
    again = agent.post(f"/selections/{selection['id']}/reselections", {})

    assert Span.objects.count() == 3
    assert not Text.objects.exists()
    assert again.status_code == 422
    assert agent.delete("/runs/r/text").status_code == 204
    assert Run.objects.get().text_erased_at == erased_at


@pytest.mark.django_db
def test_arguments_that_wait_for_an_approval_go_too(agent: Agent, back_office: Catalog) -> None:
    agent.select(RECONCILE, run_id="r")
    run, now = Run.objects.get(), timezone.now()
    Approval.objects.create(
        uid=new_uid(now=now),
        run=run,
        catalog=back_office,
        proposal=Span.objects.get(),
        tool="settle_bill",
        arguments={"iban": "secret"},
        arguments_sha256="0" * 64,
        requested_at=now - timedelta(hours=1),
        expires_at=now + timedelta(hours=23),
    )

    agent.delete("/runs/r/text")

    approval = Approval.objects.get()
    assert approval.arguments is None
    # Nobody can judge what nobody can read.
    assert approval.expires_at <= timezone.now()


@pytest.mark.django_db
def test_a_run_of_another_key_is_not_found(
    agent: Agent, back_office: Catalog, make_agent: Callable[..., Agent]
) -> None:
    agent.select(RECONCILE, run_id="r")

    assert make_agent("other").delete("/runs/r/text").status_code == 404
    assert make_agent("reader", actions=["read"]).delete("/runs/r/text").status_code == 403
    assert agent.delete("/runs/none/text").status_code == 404
    assert Text.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_words_that_are_just_being_written_are_erased_or_not_kept(
    agent: Agent, back_office: Catalog
) -> None:
    agent.select(RECONCILE, run_id="r")
    run = Run.objects.get()
    written, erased = Event(), Event()

    def erase() -> None:
        written.wait(10)
        erase_text(key=agent.key, run_id="r", now=NOW)
        erased.set()
        connection.close()

    thread = Thread(target=erase)
    thread.start()
    with transaction.atomic():
        write_span(run=run, name=Span.Name.ROUTE, now=NOW, words={"task": "secret"})
        written.set()
        # It has to wait for this transaction, or its deletion would miss what this one adds.
        assert not erased.wait(0.3)
    thread.join()

    assert erased.is_set()
    assert not Text.objects.exists()
