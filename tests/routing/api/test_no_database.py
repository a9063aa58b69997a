"""A database that does not answer is told as 503, with when to try again."""

import sqlite3
from collections.abc import Iterator

import pytest
from django.db import InterfaceError, OperationalError, connection

from catalog.models import Catalog
from routing.models import Span
from tests.routing.conftest import Agent


@pytest.fixture
def locked(transactional_db: None) -> Iterator[sqlite3.Connection]:
    """Return what holds the lock of the database's writers, while ours waits only a moment."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has no lock of all writers")
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=50")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    yield other
    other.close()
    connection.close()


def test_a_locked_database_is_told_and_the_same_request_succeeds_later(
    agent: Agent, back_office: Catalog, locked: sqlite3.Connection
) -> None:
    sent = {"catalog": "back-office", "task": "Pay the bill", "strategy": "keyword"}
    agent.select("Warm the release")
    locked.execute("BEGIN IMMEDIATE")
    refused = agent.post("/selections", sent)
    locked.execute("ROLLBACK")

    assert refused.status_code == 503
    assert refused["Content-Type"] == "application/problem+json"
    assert int(refused["Retry-After"]) >= 1
    assert refused.json()["type"] == "/problems/overloaded"
    assert "locked" not in refused.json()["detail"]
    assert agent.post("/selections", sent).status_code == 201
    assert Span.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("fault", [OperationalError, InterfaceError])
@pytest.mark.parametrize("where", ["routing.api.auth.find_key", "routing.api.runs.read_run"])
def test_a_database_that_is_gone_is_told(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, fault: type[Exception], where: str
) -> None:
    def fail(**_arguments: object) -> None:
        raise fault("server closed the connection; password=secret")

    monkeypatch.setattr(where, fail)
    answer = agent.get("/runs/r")

    assert answer.status_code == 503
    assert answer["Retry-After"] == "1"
    assert b"secret" not in answer.content
