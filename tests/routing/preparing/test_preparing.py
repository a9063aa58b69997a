"""Big publishes are the worker's, with every check of a publish."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django_tasks_db.models import DBTaskResult

from catalog.models import Catalog
from catalog.publishing import DraftHasProblems, freeze_and_check
from routing import encoding, jobs, preparing, vectors
from routing.background import Stopping, end
from routing.compiled import compiled_release
from routing.models import Preparation, Vector
from routing.moves import StaleBase, current_move
from routing.preparing import carry_out
from routing.releases import Published, StaleDraft, publish
from routing.selection import texts_to_embed
from tests.preparations import LATER, ask, prepared, work
from tests.routing.encoding.servers import Embeddings
from tests.samples import NOW

pytestmark = pytest.mark.django_db


def texts(catalog: Catalog) -> dict[str, str]:
    return texts_to_embed(freeze_and_check(catalog).value)


def test_a_big_publish_makes_no_vector_in_the_request(
    catalog: Catalog, endpoint: Embeddings, user: User
) -> None:
    one = prepared(catalog, by=user)
    assert endpoint.asked == []
    assert current_move(catalog) is None
    assert (one.made, one.total) == (0, len(texts(catalog)))
    assert DBTaskResult.objects.get(pk=one.task).args_kwargs == {"args": [one.pk], "kwargs": {}}

    work(one)

    live = current_move(catalog)
    assert live is not None
    assert (live.by, live.reason, live.at) == (user, "Many new tools", LATER)
    assert one.release == live.release
    assert live.release.encoder == encoding.current()
    assert (one.problem, one.made, one.finished_at) == ("", one.total, LATER)
    assert sorted(endpoint.texts) == sorted(set(texts(catalog).values()))
    assert compiled_release(live.release_id).index.vectors is not None


def test_a_small_one_is_published_at_once(catalog: Catalog, endpoint: Embeddings) -> None:
    work(prepared(catalog))
    catalog.tools.filter(name="calculator").update(description="Reckon.")
    asked = len(endpoint.texts)
    outcome = ask(catalog)
    assert isinstance(outcome, Published)
    assert outcome.made
    assert 0 < len(endpoint.texts) - asked <= 10
    assert not Preparation.objects.open().exists()


def test_an_endpoint_that_is_away_leaves_a_small_one_to_the_worker(
    catalog: Catalog, endpoint: Embeddings
) -> None:
    work(prepared(catalog))
    catalog.tools.filter(name="calculator").update(description="Reckon.")
    endpoint.failures = [(503, b"", {})]
    one = prepared(catalog)
    assert len(endpoint.failures) == 0
    assert work(one).problem == ""


def test_the_worker_is_stopped_after_a_batch_and_another_goes_on(
    catalog: Catalog, endpoint: Embeddings
) -> None:
    one = prepared(catalog)
    with pytest.raises(Stopping):
        work(one, stop_after=2)
    one.refresh_from_db()
    assert (one.made, one.finished_at) == (32, None)
    assert Vector.objects.count() == 32

    work(one)

    assert one.problem == ""
    assert len(endpoint.texts) == one.total


def test_a_worker_that_is_killed_as_it_publishes_leaves_it_to_the_next(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = prepared(catalog)

    def killed(*args: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(preparing, "end", killed)
        with pytest.raises(KeyboardInterrupt):
            work(one)
    assert current_move(catalog) is None

    assert work(one).problem == ""
    assert catalog.versions.count() == 1


def test_what_was_given_up_meanwhile_is_not_published(catalog: Catalog) -> None:
    one = prepared(catalog)

    def given_up() -> bool:
        end(one, at=LATER, problem="crashed")
        return False

    carry_out(one, clock=lambda: LATER, stopping=given_up)
    one.refresh_from_db()
    assert (one.problem, one.made) == ("crashed", 16)
    assert current_move(catalog) is None


def test_a_job_that_is_stopped_is_handed_over(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = prepared(catalog)
    first = one.task
    jobs.stopping.set()
    try:
        jobs.prepare.call(one.pk)
    finally:
        jobs.stopping.clear()
    one.refresh_from_db()
    assert one.task != first
    assert one.attempts == 0
    assert DBTaskResult.objects.ready().filter(pk=one.task).exists()
    jobs.prepare.call(one.pk)
    one.refresh_from_db()
    assert (one.problem, one.attempts) == ("", 1)
    jobs.prepare.call(one.pk)  # what has ended is not done twice
    assert catalog.versions.count() == 1


def test_a_job_that_fails_says_so(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    one = prepared(catalog)

    def fail(*args: Any, **more: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("routing.preparing.ensure_vectors", fail)
    with pytest.raises(ZeroDivisionError):
        jobs.prepare.call(one.pk)
    one.refresh_from_db()
    assert one.problem == "failed"


class TestWhatIsStale:
    def test_it_is_refused_before_anything_is_prepared(self, catalog: Catalog) -> None:
        with pytest.raises(StaleBase):
            ask(catalog, base=7)
        with pytest.raises(StaleDraft):
            ask(catalog, reviewed_sha256="0" * 64)
        writing = catalog.tools.exclude(side_effect="read").first()
        assert writing is not None
        catalog.tools.filter(pk=writing.pk).update(is_default=True)
        with pytest.raises(DraftHasProblems):
            ask(catalog)
        assert not Preparation.objects.exists()

    def test_a_draft_that_is_changed_meanwhile_is_not_published(self, catalog: Catalog) -> None:
        one = prepared(catalog)
        catalog.tools.filter(name="calculator").update(description="Reckon.")
        assert work(one).problem == "stale_draft"
        assert current_move(catalog) is None

    def test_a_draft_that_is_changed_at_the_last_moment_is_not_published(
        self, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        one = prepared(catalog)
        ensure = vectors.ensure_vectors

        def change(**more: Any) -> Any:
            made = ensure(**more)
            catalog.tools.filter(name="calculator").update(description="Reckon.")
            return made

        monkeypatch.setattr(preparing, "ensure_vectors", change)
        assert work(one).problem == "stale_draft"
        assert current_move(catalog) is None

    def test_a_publish_meanwhile_goes_first(self, catalog: Catalog) -> None:
        one = prepared(catalog)
        publish(catalog=catalog, author=None, now=NOW, base=None)
        assert work(one).problem == "stale_base"
        assert catalog.versions.count() == 1


def test_two_who_ask_at_once_get_one_preparation(catalog: Catalog) -> None:
    assert prepared(catalog) == prepared(catalog)
    assert DBTaskResult.objects.count() == 1


def test_an_endpoint_that_refuses_is_said(catalog: Catalog, endpoint: Embeddings) -> None:
    one = prepared(catalog)
    endpoint.failures = [(401, b'{"error": {"message": "bad key"}}', {})]
    assert work(one).problem == "encoder"
    assert one.detail.endswith("401: bad key")
    assert work(prepared(catalog)).problem == ""
