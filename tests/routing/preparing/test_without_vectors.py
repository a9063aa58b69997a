"""What is served while vectors, or what makes them, are not to be had."""

from __future__ import annotations

from typing import Any

import pytest

from catalog.models import Catalog
from routing import jobs
from routing.compiled import compile_labelled_releases, compiled_release
from routing.encoding import names
from routing.models import Vector
from routing.preparing import follow_setting
from routing.preview import compiled_draft
from routing.selection import Circumstances, Query, Strategy, select
from tests.preparations import LATER, live_move, prepared, work
from tests.routing.encoding.servers import Embeddings
from tests.samples import NOW

pytestmark = pytest.mark.django_db


def test_an_endpoint_that_fails_on_request_leaves_words(
    catalog: Catalog, endpoint: Embeddings
) -> None:
    work(prepared(catalog))
    index = compiled_release(live_move(catalog).release_id).index
    endpoint.failures = [(500, b"", {})]
    query = Query(task="reckon the sum of it", strategy=Strategy.AUTO)
    selection = select(query, index, Circumstances())
    assert selection.fallback == "strategy_failed"
    assert "500" in (selection.failure or "")


def test_vectors_of_two_models_never_meet(settings: Any, catalog: Catalog) -> None:
    work(prepared(catalog))
    first = live_move(catalog).release
    settings.ENCODER = "openai:other"
    [one] = follow_setting(now=LATER, start=jobs.PREPARATIONS.start)
    work(one)
    second = live_move(catalog).release
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
    index = compiled_release(live_move(catalog).release_id).index
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
    release = compiled_release(live_move(catalog).release_id)
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
