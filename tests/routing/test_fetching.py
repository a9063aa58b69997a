"""Rows fetched by a statement that is built once."""

from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from catalog.models import Catalog
from routing.fetching import Fetch
from routing.models import Run, Span
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db


def selection(*, uid: UUID, key: int) -> "QuerySet[Span]":
    rows = Span.objects.filter(uid=uid, key_id=key, run__catalog__api_keys=key)
    return rows.select_related("run__catalog").only("uid", "offered", "time", "run__catalog__name")


def run_of(*, run_id: str) -> "QuerySet[Run]":
    return Run.objects.filter(run_id=run_id).select_for_update(of=("self",))


def test_a_row_is_what_django_would_fetch(agent: Agent, dev_agent: Catalog) -> None:
    for run_id in ("a", "b"):
        agent.select("Run the tests", catalog="dev-agent", run_id=run_id)
    agent.key.catalogs.add(dev_agent)
    fetch = Fetch(selection, uid=UUID, key=int)
    for span in Span.objects.select_related("run__catalog"):
        found = fetch.first(uid=span.uid, key=agent.key.pk)
        assert found is not None
        assert found == span
        assert found.get_deferred_fields() >= {"groups", "strategy"}
        with CaptureQueriesContext(connection) as queries:
            assert (found.uid, found.offered, found.time) == (span.uid, span.offered, span.time)
            assert found.run.catalog.name == "dev-agent"
            assert found.run_id == span.run_id
        assert not queries.captured_queries


def test_a_row_that_is_not_there_is_none(agent: Agent, dev_agent: Catalog) -> None:
    assert Fetch(selection, uid=UUID, key=int).first(uid=uuid4(), key=agent.key.pk) is None


def test_values_are_no_part_of_the_statement(agent: Agent, dev_agent: Catalog) -> None:
    fetch = Fetch(run_of, run_id=str)
    with transaction.atomic():
        assert fetch.first(run_id="' OR 1=1 --") is None
        agent.select("Run the tests", catalog="dev-agent", run_id="c")
        found = fetch.first(run_id="c")
    assert found is not None
    assert found.run_id == "c"


def test_a_statement_that_leaves_out_a_value_is_refused() -> None:
    def everything(*, run_id: str) -> "QuerySet[Run]":
        return Run.objects.all()

    with pytest.raises(ValueError, match="run_id"):
        Fetch(everything, run_id=str).first(run_id="a")


def test_rows_are_held_where_the_database_can(agent: Agent, dev_agent: Catalog) -> None:
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        fetch = Fetch(run_of, run_id=str)
        fetch.first(run_id="a")
        fetch.first(run_id="b")
    held = ["FOR UPDATE" in query["sql"] for query in queries.captured_queries]
    assert held == [connection.features.has_select_for_update] * 2
