"""What is on record stays as it was written, and the database keeps it so."""

from collections.abc import Callable
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from catalog.models import Catalog
from routing.models import ApiKey, Run, Span, Vector
from routing.spans import hour_of, new_uid, task_hash
from tests.routing.conftest import Agent
from tests.samples import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def span(agent: Agent, dev_agent: Catalog) -> Span:
    """Return the span of a selection."""
    return Span.objects.get(uid=agent.select("Run the tests", catalog="dev-agent")["id"])


@pytest.mark.parametrize(
    "change",
    [{"confidence": 0.1}, {"offered": []}, {"groups": ["x"]}, {"time": NOW}, {"source": "batch"}],
)
def test_a_span_is_never_rewritten(span: Span, change: dict[str, object]) -> None:
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Span.objects.filter(pk=span.pk).update(**change)


def test_the_words_of_a_run_can_be_erased_and_its_spans_stay(span: Span) -> None:
    span.run.texts.all().delete()

    assert Span.objects.filter(pk=span.pk).exists()


BREAKS: dict[str, Callable[[Span], object]] = {
    "a run's id twice for a key": lambda span: Run.objects.create(
        key=span.key,
        run_id=span.run.run_id,
        catalog=span.catalog,
        release=span.release,
        started_at=NOW,
    ),
    "a span's id twice": lambda span: Span.objects.create(
        uid=span.uid,
        name="outcome",
        run=span.run,
        key=span.key,
        catalog=span.catalog,
        release=span.release,
        time=NOW,
        hour=0,
    ),
    "an unknown kind of span": lambda span: Span.objects.create(
        uid=uuid4(),
        name="magic",
        run=span.run,
        key=span.key,
        catalog=span.catalog,
        release=span.release,
        time=NOW,
        hour=0,
    ),
    "an unknown outcome": lambda span: Run.objects.filter(pk=span.run_id).update(outcome="great"),
    "a key's hash twice": lambda span: ApiKey.objects.create(
        name="x", digest=span.key.digest, created_at=NOW
    ),
    "a vector twice": lambda span: [
        Vector.objects.create(encoder="e", sha256="s", values=b"") for _ in range(2)
    ],
}


@pytest.mark.parametrize("write", BREAKS.values(), ids=BREAKS)
def test_a_broken_invariant_is_refused(span: Span, write: Callable[[Span], object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        write(span)


def test_span_ids_are_of_version_7_and_sort_by_time() -> None:
    earlier, later = (
        new_uid(now=datetime(2026, 3, 4, 12, 0, second, tzinfo=UTC)) for second in (0, 1)
    )

    assert (earlier.version, earlier.variant) == (7, uuid4().variant)
    assert earlier.int >> 80 == int(datetime(2026, 3, 4, 12, tzinfo=UTC).timestamp() * 1000)
    assert earlier < later
    assert new_uid(now=NOW) != new_uid(now=NOW)


def test_hours_are_whole_hours_since_1970() -> None:
    assert hour_of(datetime(1970, 1, 2, 0, 59, 59, tzinfo=UTC)) == 24


def test_a_task_is_known_again_by_its_keyed_hash(settings: object) -> None:
    assert task_hash("a") == task_hash("a") != task_hash("b")
    assert len(task_hash("a")) == 32
