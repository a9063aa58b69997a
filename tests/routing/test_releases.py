"""Publishing and rolling back."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction

from catalog.models import Catalog, CatalogVersion, Tool, ToolRevision
from catalog.publishing import DraftHasProblems
from routing.compiled import compiled_release
from routing.models import LabelMove, Release, Vector
from routing.moves import StaleBase, UnknownVersion, current_move
from routing.releases import Published, StaleDraft, publish, roll_back
from tests.drafts import draft_of
from tests.samples import NOW, published

pytestmark = pytest.mark.django_db


def change(catalog: Catalog, description: str) -> None:
    Tool.objects.filter(catalog=catalog, name="calculator").update(description=description)


def live(catalog: Catalog) -> LabelMove:
    move = current_move(catalog)
    assert move is not None
    return move


def publish_again(catalog: Catalog, **more: object) -> Published:
    arguments = {"base": live(catalog).pk, "note": "Again", **more}
    return publish(catalog=catalog, author=None, now=NOW, **arguments)  # type: ignore[arg-type]


def test_publishing_makes_a_version_a_release_and_a_move(user: User) -> None:
    catalog = draft_of("dev-agent")

    made = publish(catalog=catalog, author=user, now=NOW, note="First", base=None)

    assert (made.version.number, made.release.number, made.made) == (1, 1, True)
    assert (made.version.author, made.version.note) == (user, "First")
    assert made.version.parsed()["catalog"] == "dev-agent"
    assert live(catalog).release == made.release


def test_publishing_makes_every_vector_that_its_release_needs() -> None:
    catalog = published("back-office")
    made = Vector.objects.count()

    release = compiled_release(live(catalog).release_id)

    assert release.index.semantic
    assert Vector.objects.count() == made


def test_publishing_an_unchanged_draft_makes_nothing() -> None:
    catalog = published("dev-agent")

    again = publish_again(catalog)

    assert not again.made
    assert again.version.number == 1
    assert (CatalogVersion.objects.count(), Release.objects.count()) == (1, 1)
    assert LabelMove.objects.count() == 1


def test_only_tools_that_changed_get_a_new_revision() -> None:
    catalog = published("dev-agent")
    change(catalog, "Adds numbers.")

    tools = publish_again(catalog).version.parsed()["tools"]

    assert {tool["name"]: tool["revision"] for tool in tools if tool["revision"] > 1} == {
        "calculator": 2
    }
    assert ToolRevision.objects.filter(catalog=catalog).count() == 8 + 1


def test_a_stale_base_is_told_and_nothing_is_lost() -> None:
    catalog = published("dev-agent")
    seen = live(catalog).pk
    change(catalog, "By the first.")
    publish_again(catalog)
    change(catalog, "By the second.")

    with pytest.raises(StaleBase) as told:
        publish_again(catalog, base=seen)

    assert told.value.current == live(catalog)
    assert live(catalog).release.version.number == 2
    assert Tool.objects.get(name="calculator").description == "By the second."
    assert publish_again(catalog).version.number == 3


def test_a_draft_that_changed_since_its_review_is_not_published() -> None:
    catalog = published("dev-agent")

    with pytest.raises(StaleDraft):
        publish_again(catalog, reviewed_sha256="0" * 64)

    assert CatalogVersion.objects.count() == 1


def test_a_draft_with_problems_is_not_published() -> None:
    catalog = published("dev-agent")
    Tool.objects.filter(name="write_file").update(is_default=True)

    with pytest.raises(DraftHasProblems) as refused:
        publish_again(catalog)

    assert [problem.code for problem in refused.value.problems] == ["fallback_with_side_effect"]
    assert CatalogVersion.objects.count() == 1


def test_rolling_back_moves_the_label_and_leaves_the_draft() -> None:
    catalog = published("dev-agent")
    change(catalog, "Worse.")
    publish_again(catalog)

    move = roll_back(
        catalog=catalog, version=1, by=None, reason="Worse", base=live(catalog).pk, now=NOW
    )

    assert (move.release.version.number, move.reason) == (1, "Worse")
    assert live(catalog) == move
    assert Tool.objects.get(name="calculator").description == "Worse."
    # The draft is the newest version still: publishing it makes no version, and moves the label.
    assert publish_again(catalog).version.number == 2
    assert live(catalog).release.version.number == 2
    assert CatalogVersion.objects.count() == 2


def test_rolling_back_names_a_version_that_exists_and_the_move_seen() -> None:
    catalog = published("dev-agent")
    arguments = {"catalog": catalog, "by": None, "reason": "", "now": NOW}

    with pytest.raises(UnknownVersion):
        roll_back(**arguments, version=7, base=live(catalog).pk)  # type: ignore[arg-type]
    with pytest.raises(StaleBase):
        roll_back(**arguments, version=1, base=None)  # type: ignore[arg-type]


def test_only_one_move_follows_another() -> None:
    catalog = published("dev-agent")
    first = live(catalog)
    fields = {"catalog": catalog, "label": "live", "release": first.release, "at": NOW}
    LabelMove.objects.create(**fields, previous=first)

    with pytest.raises(DatabaseError), transaction.atomic():
        LabelMove.objects.create(**fields, previous=first)
    with pytest.raises(DatabaseError), transaction.atomic():
        LabelMove.objects.create(**fields, previous=None)


def test_what_was_released_cannot_be_rewritten() -> None:
    catalog = published("dev-agent")

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        LabelMove.objects.update(at=NOW + timedelta(days=1))
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Release.objects.filter(catalog=catalog).update(encoder="other")


@pytest.mark.django_db(transaction=True)
def test_of_two_who_publish_at_once_one_is_told() -> None:
    catalog = published("dev-agent")
    base = live(catalog).pk
    change(catalog, "Both saw this.")

    def attempt(note: str) -> str:
        try:
            publish(catalog=catalog, author=None, now=NOW, note=note, base=base)
        except StaleBase:
            return "stale"
        finally:
            connection.close()
        return "published"

    with ThreadPoolExecutor(2) as pool:
        ends = sorted(pool.map(attempt, ["one", "two"]))

    assert ends == ["published", "stale"]
    assert CatalogVersion.objects.filter(catalog=catalog).count() == 2
