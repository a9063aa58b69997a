"""Suggested groups for many tools: a few shown at a time, a few read by each request."""

from collections.abc import Iterable
from typing import Any

import pytest
from django.test import Client

from catalog.models import Catalog
from routing import draft_groups
from routing.encoding import EncoderFailed
from routing.models import Vector
from tests.dashboard.plans import NAMES, PAGE, groups_of, sent, shop_of


class TestManyTools:
    """A page shows so many groups, and a request makes so many vectors."""

    @pytest.fixture
    def shop(self, db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Catalog:
        settings.ENCODER = "none"
        monkeypatch.setattr("dashboard.views.suggest_groups.SHOWN", 2)
        things = ["order", "invoice", "shipment", "return"]
        return shop_of(*(f"{verb}_{one}" for one in things for verb in ("get", "send", "list")))

    def test_the_next_groups_follow_those_that_are_made(
        self, signed_in: Client, shop: Catalog
    ) -> None:
        text = signed_in.get(PAGE).text
        assert groups_of(text).keys() == {"order", "invoice"}
        assert "2 more groups are suggested once these are made." in text
        answer = signed_in.post(PAGE, {**sent(text), "do": "make"})
        assert answer["Location"] == PAGE
        assert groups_of(signed_in.get(PAGE).text).keys() == {"shipment", "return"}

    def test_all_may_be_made_at_once(self, signed_in: Client, shop: Catalog) -> None:
        answer = signed_in.post(PAGE, {"do": "all"})
        assert answer["Location"] == "/catalogs/shop/start"
        assert shop.groups.count() == 4


class Counting:
    """An encoder that counts what it reads, or fails."""

    name = "usem3"
    fails = False

    def __init__(self) -> None:
        self.read = 0

    def encode(self, texts: Iterable[str]) -> list[list[float]]:
        if self.fails:
            raise EncoderFailed("it is away")
        found = list(texts)
        self.read += len(found)
        return [[1.0, float("order" in text)] for text in found]


class TestReading:
    """Vectors are made a few at a time, and kept."""

    @pytest.fixture
    def shop(self, db: None) -> Catalog:
        return shop_of(*NAMES)

    @pytest.fixture
    def encoder(self, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Counting:
        settings.ENCODER = "usem3"
        counting = Counting()
        monkeypatch.setattr("routing.encoding.load_encoder", lambda name: counting)
        monkeypatch.setattr(draft_groups, "AT_ONCE", 3)
        monkeypatch.setattr("dashboard.views.suggest_groups.AT_ONCE", 3)
        monkeypatch.setattr("dashboard.views.suggest_groups.BY_HAND", 5)
        return counting

    def test_progress_is_shown_until_all_is_read(
        self, signed_in: Client, shop: Catalog, encoder: Counting
    ) -> None:
        assert "0 of 7 tools are read" in signed_in.get(PAGE).text
        assert encoder.read == 0
        step = signed_in.post(PAGE, {"do": "encode"}, headers={"HX-Request": "true"})
        assert "3 of 7 tools are read" in step.text
        assert "<!doctype" not in step.text
        last = signed_in.post(PAGE, {"do": "encode"}, headers={"HX-Request": "true"})
        assert last["HX-Refresh"] == "true"
        text = signed_in.get(PAGE).text
        assert "words alone" not in text
        assert groups_of(text).keys() == {"order", "invoice"}
        assert encoder.read == Vector.objects.count() == 7

    def test_without_scripts_a_button_reads_on(
        self, signed_in: Client, shop: Catalog, encoder: Counting
    ) -> None:
        answer = signed_in.post(PAGE, {"do": "encode"})
        assert answer["Location"] == PAGE
        assert encoder.read == 5

    def test_an_encoder_that_fails_leaves_it_to_the_words(
        self, signed_in: Client, shop: Catalog, encoder: Counting
    ) -> None:
        encoder.fails = True
        step = signed_in.post(PAGE, {"do": "encode"})
        text = signed_in.get(step["Location"]).text
        assert "their words alone made these groups" in text
        assert groups_of(text).keys() == {"order", "invoice"}
