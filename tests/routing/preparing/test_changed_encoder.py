"""Labels follow a changed encoder, or set of texts, to a new release."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from catalog.models import Catalog
from routing import encoding, jobs
from routing.compiled import compiled_release
from routing.encoding import names
from routing.models import Release
from routing.preparing import follow_setting
from routing.releases import publish, roll_back
from routing.selection.texts import TEXTS_VERSION
from tests.preparations import LATER, live_move, prepared, work
from tests.routing.encoding.servers import Embeddings
from tests.samples import NOW

pytestmark = pytest.mark.django_db


def test_another_encoder_goes_live_as_a_new_release_while_the_old_one_serves(
    settings: Any, catalog: Catalog, endpoint: Embeddings
) -> None:
    settings.ENCODER = "none"
    before = publish(catalog=catalog, author=None, now=NOW, base=None).release
    assert follow_setting(now=LATER, start=jobs.PREPARATIONS.start) == []
    settings.ENCODER = "openai:words"

    [one] = follow_setting(now=LATER, start=jobs.PREPARATIONS.start)

    assert follow_setting(now=LATER, start=jobs.PREPARATIONS.start) == []
    assert live_move(catalog).release == before
    assert compiled_release(before.pk).index.encoder is None
    work(one)
    after = live_move(catalog)
    assert after.release.version == before.version
    assert after.release.number == before.number + 1
    assert after.release.encoder == encoding.current()
    assert after.by is None
    assert after.reason == f"The encoder changed to {encoding.current()}."
    assert after.previous is not None
    assert after.previous.release == before
    assert compiled_release(after.release_id).index.vectors is not None
    assert follow_setting(now=LATER, start=jobs.PREPARATIONS.start) == []


def test_the_old_encoder_again_is_the_old_release(
    settings: Any, catalog: Catalog, endpoint: Embeddings
) -> None:
    settings.ENCODER = "none"
    before = publish(catalog=catalog, author=None, now=NOW, base=None).release
    for name in ("openai:words", "none"):
        settings.ENCODER = name
        [one] = follow_setting(now=LATER, start=jobs.PREPARATIONS.start)
        work(one)
    assert live_move(catalog).release == before
    assert Release.objects.count() == 2


def test_a_publish_meanwhile_goes_first(settings: Any, catalog: Catalog) -> None:
    settings.ENCODER = "none"
    publish(catalog=catalog, author=None, now=NOW, base=None)
    settings.ENCODER = "openai:words"
    [one] = follow_setting(now=LATER, start=jobs.PREPARATIONS.start)
    catalog.tools.filter(name="calculator").update(description="Reckon.")
    publish(catalog=catalog, author=None, now=NOW, base=live_move(catalog).pk)
    assert work(one).problem == "stale_base"
    assert live_move(catalog).release.version.number == 2
    assert follow_setting(now=LATER, start=jobs.PREPARATIONS.start) == []


def test_a_roll_back_to_the_old_encoder_is_followed(settings: Any, catalog: Catalog) -> None:
    settings.ENCODER = "none"
    publish(catalog=catalog, author=None, now=NOW, base=None)
    settings.ENCODER = "openai:words"
    catalog.tools.filter(name="calculator").update(description="Reckon.")
    publish(catalog=catalog, author=None, now=NOW, base=live_move(catalog).pk)
    base = live_move(catalog).pk
    roll_back(catalog=catalog, version=1, by=None, reason="", base=base, now=NOW)
    [one] = follow_setting(now=LATER, start=jobs.PREPARATIONS.start)
    assert work(one).problem == ""
    assert live_move(catalog).release.version.number == 1
    assert live_move(catalog).release.encoder == encoding.current()


def test_one_that_failed_is_tried_again_later(
    settings: Any, catalog: Catalog, endpoint: Embeddings
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


def test_an_archived_catalog_is_left_alone(settings: Any, catalog: Catalog) -> None:
    settings.ENCODER = "none"
    publish(catalog=catalog, author=None, now=NOW, base=None)
    Catalog.objects.update(archived=True)
    settings.ENCODER = "openai:words"
    assert follow_setting(now=LATER, start=jobs.PREPARATIONS.start) == []


def test_another_set_of_texts_is_another_release(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    work(prepared(catalog))
    before = live_move(catalog).release
    monkeypatch.setattr(names, "TEXTS_VERSION", TEXTS_VERSION + 1)
    [one] = follow_setting(now=LATER, start=jobs.PREPARATIONS.start)
    work(one)
    assert live_move(catalog).release.number == before.number + 1
    assert live_move(catalog).release.encoder != before.encoder
