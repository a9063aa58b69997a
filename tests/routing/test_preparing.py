"""Big publishes and changed encoders are the worker's, with every check of a publish."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django_tasks_db.models import DBTaskResult

from catalog.models import Catalog
from catalog.publishing import DraftHasProblems, freeze_and_check
from routing import encoding, jobs, preparing, vectors
from routing.background import Stopping
from routing.compiled import compile_labelled_releases, compiled_release
from routing.encoding import names
from routing.models import Preparation, Release, Vector
from routing.moves import StaleBase, current_move
from routing.preparing import carry_out, follow_setting, publish_or_prepare
from routing.preview import compiled_draft
from routing.releases import Published, StaleDraft, publish, roll_back
from routing.selection import Circumstances, Query, Strategy, select, texts_to_embed
from routing.selection.texts import TEXTS_VERSION
from tests.drafts import draft_of
from tests.routing.encoding.servers import Embeddings, embeddings
from tests.samples import NOW

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


@pytest.fixture
def endpoint(settings: Any) -> Iterator[Embeddings]:
    with embeddings(settings) as (stand_in, _server):
        yield stand_in


@pytest.fixture
def catalog(endpoint: Embeddings, monkeypatch: pytest.MonkeyPatch) -> Catalog:
    """Return a draft that is too big to be published at once, in several batches."""
    monkeypatch.setattr(preparing, "MOST_OF_AN_ENDPOINT", 10)
    monkeypatch.setattr(vectors, "BATCH", 16)
    return draft_of("dev-agent")


def ask(catalog: Catalog, *, by: User | None = None, **more: Any) -> Published | Preparation:
    live = current_move(catalog)
    return publish_or_prepare(
        **{
            "catalog": catalog,
            "author": by,
            "now": NOW,
            "note": "Many new tools",
            "base": live.pk if live else None,
            "reviewed_sha256": freeze_and_check(catalog).sha256,
            "start": jobs.PREPARATIONS.start,
            **more,
        }
    )


def prepared(catalog: Catalog, **more: Any) -> Preparation:
    asked = ask(catalog, **more)
    assert isinstance(asked, Preparation)
    return asked


def work(one: Preparation, *, stop_after: int | None = None) -> Preparation:
    """Do a preparation as the worker does it."""
    asked = 0

    def stopping() -> bool:
        nonlocal asked
        asked += 1
        return stop_after is not None and asked >= stop_after

    carry_out(one, clock=lambda: LATER, stopping=stopping)
    one.refresh_from_db()
    return one


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


class TestAChangedEncoder:
    def test_it_goes_live_as_a_new_release_while_the_old_one_serves(
        self, settings: Any, catalog: Catalog, endpoint: Embeddings
    ) -> None:
        settings.ENCODER = "none"
        before = publish(catalog=catalog, author=None, now=NOW, base=None).release
        assert follow_setting(now=LATER, start=jobs.PREPARATIONS.start) == []
        settings.ENCODER = "openai:words"

        [one] = follow_setting(now=LATER, start=jobs.PREPARATIONS.start)

        assert follow_setting(now=LATER, start=jobs.PREPARATIONS.start) == []
        assert _live(catalog).release == before
        assert compiled_release(before.pk).index.encoder is None
        work(one)
        after = _live(catalog)
        assert after.release.version == before.version
        assert after.release.number == before.number + 1
        assert after.release.encoder == encoding.current()
        assert after.by is None
        assert after.reason == f"The encoder changed to {encoding.current()}."
        assert after.previous is not None
        assert after.previous.release == before
        assert compiled_release(after.release_id).index.vectors is not None
        assert follow_setting(now=LATER, start=jobs.PREPARATIONS.start) == []

    def test_back_again_is_the_old_release(
        self, settings: Any, catalog: Catalog, endpoint: Embeddings
    ) -> None:
        settings.ENCODER = "none"
        before = publish(catalog=catalog, author=None, now=NOW, base=None).release
        for name in ("openai:words", "none"):
            settings.ENCODER = name
            [one] = follow_setting(now=LATER, start=jobs.PREPARATIONS.start)
            work(one)
        assert _live(catalog).release == before
        assert Release.objects.count() == 2

    def test_a_publish_meanwhile_goes_first(self, settings: Any, catalog: Catalog) -> None:
        settings.ENCODER = "none"
        publish(catalog=catalog, author=None, now=NOW, base=None)
        settings.ENCODER = "openai:words"
        [one] = follow_setting(now=LATER, start=jobs.PREPARATIONS.start)
        catalog.tools.filter(name="calculator").update(description="Reckon.")
        publish(catalog=catalog, author=None, now=NOW, base=_live(catalog).pk)
        assert work(one).problem == "stale_base"
        assert _live(catalog).release.version.number == 2
        assert follow_setting(now=LATER, start=jobs.PREPARATIONS.start) == []

    def test_a_roll_back_to_the_old_encoder_is_followed(
        self, settings: Any, catalog: Catalog
    ) -> None:
        settings.ENCODER = "none"
        publish(catalog=catalog, author=None, now=NOW, base=None)
        settings.ENCODER = "openai:words"
        catalog.tools.filter(name="calculator").update(description="Reckon.")
        publish(catalog=catalog, author=None, now=NOW, base=_live(catalog).pk)
        base = _live(catalog).pk
        roll_back(catalog=catalog, version=1, by=None, reason="", base=base, now=NOW)
        [one] = follow_setting(now=LATER, start=jobs.PREPARATIONS.start)
        assert work(one).problem == ""
        assert _live(catalog).release.version.number == 1
        assert _live(catalog).release.encoder == encoding.current()

    def test_one_that_failed_is_tried_again_later(
        self, settings: Any, catalog: Catalog, endpoint: Embeddings
    ) -> None:
        settings.ENCODER = "none"
        publish(catalog=catalog, author=None, now=NOW, base=None)
        settings.ENCODER = "openai:words"
        endpoint.failures = [(401, b"", {})]
        [one] = follow_setting(now=LATER, start=jobs.PREPARATIONS.start)
        assert work(one).problem == "encoder"
        assert follow_setting(now=LATER, start=jobs.PREPARATIONS.start) == []
        [again] = follow_setting(now=LATER + timedelta(minutes=11), start=jobs.PREPARATIONS.start)
        assert work(again).problem == ""

    def test_an_archived_catalog_is_left_alone(self, settings: Any, catalog: Catalog) -> None:
        settings.ENCODER = "none"
        publish(catalog=catalog, author=None, now=NOW, base=None)
        Catalog.objects.update(archived=True)
        settings.ENCODER = "openai:words"
        assert follow_setting(now=LATER, start=jobs.PREPARATIONS.start) == []

    def test_another_set_of_texts_is_another_release(
        self, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        work(prepared(catalog))
        before = _live(catalog).release
        monkeypatch.setattr(names, "TEXTS_VERSION", TEXTS_VERSION + 1)
        [one] = follow_setting(now=LATER, start=jobs.PREPARATIONS.start)
        work(one)
        assert _live(catalog).release.number == before.number + 1
        assert _live(catalog).release.encoder != before.encoder


def test_an_endpoint_that_fails_on_request_leaves_words(
    catalog: Catalog, endpoint: Embeddings
) -> None:
    work(prepared(catalog))
    index = compiled_release(_live(catalog).release_id).index
    endpoint.failures = [(500, b"", {})]
    query = Query(task="reckon the sum of it", strategy=Strategy.AUTO)
    selection = select(query, index, Circumstances())
    assert selection.fallback == "strategy_failed"
    assert "500" in (selection.failure or "")


def test_vectors_of_two_models_never_meet(settings: Any, catalog: Catalog) -> None:
    work(prepared(catalog))
    first = _live(catalog).release
    settings.ENCODER = "openai:other"
    [one] = follow_setting(now=LATER, start=jobs.PREPARATIONS.start)
    work(one)
    second = _live(catalog).release
    assert first.encoder != second.encoder
    assert set(Vector.objects.values_list("encoder", flat=True)) == {
        names.ReleaseEncoder.parse(release.encoder).encoder for release in (first, second)
    }
    # The settings still describe the first one's endpoint: it is asked by its own model's name.
    encoder = compiled_release(first.pk).index.encoder
    assert encoder is not None
    assert encoder.encode(["a"]).shape == (1, 32)


@pytest.mark.parametrize("stored", [True, False])
def test_a_release_whose_encoder_is_gone_is_served_by_words_and_says_why(
    settings: Any, catalog: Catalog, stored: bool
) -> None:
    work(prepared(catalog))
    settings.EMBEDDINGS_DIMENSIONS += 1
    if not stored:
        Vector.objects.all().delete()
    assert compile_labelled_releases() == 1
    index = compiled_release(_live(catalog).release_id).index
    query = Query(task="run the tests", strategy=Strategy.EMBEDDING)
    selection = select(query, index, Circumstances())
    assert "run_tests" in [index.tools[tool] for tool in selection.tools]
    assert selection.fallback == "strategy_failed"
    assert "describe another endpoint" in (selection.failure or "")


def test_a_release_with_many_vectors_missing_compares_words(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    work(prepared(catalog))
    Vector.objects.all().delete()
    monkeypatch.setattr("routing.compiled.MOST_MADE_AT_ONCE", 3)
    release = compiled_release(_live(catalog).release_id)
    assert release.index.vectors is None
    assert "compares words only" in caplog.text
    assert Vector.objects.count() == 0


def test_a_big_draft_is_tried_by_words_until_its_vectors_are_there(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routing.compiled.MOST_MADE_AT_ONCE", 3)
    assert compiled_draft(catalog, now=NOW).index.vectors is None
    work(prepared(catalog))
    assert compiled_draft(catalog, now=NOW).index.vectors is not None


def _live(catalog: Catalog) -> Any:
    move = current_move(catalog)
    assert move is not None
    return move
