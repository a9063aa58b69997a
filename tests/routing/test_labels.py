"""Labels beside live: moved, protected, taken away and brought back."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.models import Catalog, Tool
from routing import jobs
from routing.compiled import compile_labelled_releases
from routing.labels import (
    UnknownLabel,
    bases_at,
    is_protected,
    labels_of,
    protect,
    remove_label,
)
from routing.models import Label, LabelMove, Preparation
from routing.moves import StaleBase, UnknownVersion, current_move, last_move
from routing.preparing import carry_out, follow_setting
from routing.releases import move_label, publish
from tests.routing.conftest import Agent
from tests.samples import NOW

pytestmark = pytest.mark.django_db


def change(catalog: Catalog, description: str) -> None:
    Tool.objects.filter(catalog=catalog, name="calculator").update(description=description)


def base_of(catalog: Catalog, label: str) -> int | None:
    move = last_move(catalog, label=label)
    return move.pk if move else None


def move(catalog: Catalog, label: str, version: int) -> LabelMove:
    base = base_of(catalog, label)
    return move_label(
        catalog=catalog, label=label, version=version, by=None, reason="", base=base, now=NOW
    )


def remove(catalog: Catalog, label: str) -> LabelMove:
    base = base_of(catalog, label)
    return remove_label(catalog=catalog, label=label, by=None, reason="Done", base=base, now=NOW)


def publish_to(catalog: Catalog, label: str) -> int:
    base = base_of(catalog, label)
    made = publish(catalog=catalog, author=None, now=NOW, base=base, label=label)
    return made.version.number


def places(catalog: Catalog) -> dict[str, int]:
    return {pointer.name: pointer.move.release.version.number for pointer in labels_of(catalog)}


def test_a_draft_is_published_to_a_label_while_live_stays(dev_agent: Catalog) -> None:
    change(dev_agent, "Adds numbers.")

    assert publish_to(dev_agent, "staging") == 2

    assert places(dev_agent) == {"live": 1, "staging": 2}
    assert publish_to(dev_agent, "live") == 2
    assert places(dev_agent) == {"live": 2, "staging": 2}
    assert dev_agent.versions.count() == 2


def test_an_agent_names_a_label(agent: Agent, dev_agent: Catalog) -> None:
    change(dev_agent, "Adds numbers.")
    publish_to(dev_agent, "staging")

    assert agent.get("/catalogs/dev-agent@staging").json()["ref"] == "dev-agent@2"
    assert agent.get("/catalogs").json()["catalogs"][0]["labels"] == {
        "live": "dev-agent@1",
        "staging": "dev-agent@2",
    }
    chosen = agent.select("add two numbers", "dev-agent@staging", run_id="r")
    assert (chosen["catalog"], chosen["release"]) == ("dev-agent@2", 2)

    move(dev_agent, "staging", 1)
    assert agent.get("/catalogs/dev-agent@staging").json()["ref"] == "dev-agent@1"
    # A run stays on the release that it began with.
    again = agent.select("add two more", "dev-agent@staging", run_id="r")
    assert again["catalog"] == "dev-agent@2"


def test_a_label_that_was_taken_away_is_nowhere(agent: Agent, dev_agent: Catalog) -> None:
    move(dev_agent, "staging", 1)
    gone = remove(dev_agent, "staging")

    answer = agent.get("/catalogs/dev-agent@staging")
    assert answer.status_code == 404
    assert "nothing published as “staging”" in answer.json()["detail"]
    assert current_move(dev_agent, label="staging") is None
    assert agent.get("/catalogs").json()["catalogs"][0]["labels"] == {"live": "dev-agent@1"}
    with pytest.raises(UnknownLabel):
        remove(dev_agent, "staging")
    back = move(dev_agent, "staging", 1)
    assert back.previous == gone
    assert places(dev_agent) == {"live": 1, "staging": 1}


def test_live_is_never_taken_away(dev_agent: Catalog) -> None:
    with pytest.raises(UnknownLabel):
        remove(dev_agent, "live")
    first = current_move(dev_agent)
    assert first is not None
    with pytest.raises(IntegrityError), transaction.atomic():
        LabelMove.objects.create(
            catalog=dev_agent,
            label="live",
            release=first.release,
            previous=first,
            at=NOW,
            removed=True,
        )


def test_who_looked_before_another_moved_is_told(dev_agent: Catalog) -> None:
    first = move(dev_agent, "staging", 1)
    gone = remove(dev_agent, "staging")
    arguments: dict[str, Any] = {"catalog": dev_agent, "label": "staging", "by": None, "now": NOW}

    with pytest.raises(StaleBase) as told:
        move_label(**arguments, version=1, reason="", base=first.pk)
    with pytest.raises(StaleBase):
        remove_label(**arguments, reason="", base=first.pk)
    with pytest.raises(StaleBase):
        publish(catalog=dev_agent, author=None, now=NOW, base=None, label="staging")

    assert told.value.current == gone
    with pytest.raises(UnknownVersion):
        move(dev_agent, "staging", 9)


def test_only_live_and_what_was_protected_need_a_publisher(dev_agent: Catalog) -> None:
    move(dev_agent, "staging", 1)
    assert is_protected(dev_agent, "live")
    assert not is_protected(dev_agent, "staging")

    protect(catalog=dev_agent, label="staging", protected=True)
    remove(dev_agent, "staging")

    assert is_protected(dev_agent, "staging")
    with pytest.raises(UnknownLabel):
        protect(catalog=dev_agent, label="live", protected=False)


@pytest.mark.parametrize("name", ["live", "draft", "Staging", "1st", "", "a" * 64, "a_b"])
def test_some_names_are_no_labels(dev_agent: Catalog, name: str) -> None:
    with pytest.raises(ValidationError):
        Label(catalog=dev_agent, name=name).full_clean()


def test_what_each_label_was_seen_at(dev_agent: Catalog) -> None:
    first, seen = current_move(dev_agent), move(dev_agent, "staging", 1)
    assert first is not None
    change(dev_agent, "Adds numbers.")
    publish_to(dev_agent, "staging")

    assert bases_at(dev_agent, seen=seen.pk) == {"live": first.pk, "staging": seen.pk}
    assert bases_at(dev_agent, seen=None) == {}


def test_every_labelled_release_is_warm(dev_agent: Catalog, client: Client) -> None:
    change(dev_agent, "Adds numbers.")
    publish_to(dev_agent, "staging")
    move(dev_agent, "gone", 1)
    remove(dev_agent, "gone")

    assert compile_labelled_releases() == 2
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/readyz").json()["releases"] == 2
    assert len(queries) == 1


def test_labels_follow_the_encoder_live_first(settings: Any, dev_agent: Catalog) -> None:
    change(dev_agent, "Adds numbers.")
    publish_to(dev_agent, "staging")
    settings.ENCODER = "none"
    later = NOW + timedelta(minutes=1)

    followed = []
    for _ in range(2):
        [one] = follow_setting(now=later, start=jobs.PREPARATIONS.start)
        carry_out(one, clock=lambda: later, stopping=lambda: False)
        followed.append(Preparation.objects.get(pk=one.pk).label)

    assert followed == ["live", "staging"]
    assert places(dev_agent) == {"live": 1, "staging": 2}
    assert follow_setting(now=later, start=jobs.PREPARATIONS.start) == []
