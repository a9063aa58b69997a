"""An expansion finds its selection by an index, however many spans there are."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.routing.conftest import Agent


@pytest.mark.django_db
def test_an_expansion_does_not_read_every_span(agent: Agent, back_office: object) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL reads a table this small in full, whatever indexes there are")
    selection = agent.select("Get me a freight quote for two pallets")
    with CaptureQueriesContext(connection) as queries:
        answer = agent.post(f"/selections/{selection['id']}/expansions", {"group": "stock"})
    assert answer.status_code == 201
    reads = [
        q["sql"] for q in queries if q["sql"].startswith("SELECT") and "routing_span" in q["sql"]
    ]
    assert reads
    with connection.cursor() as cursor:
        for read in reads:
            cursor.execute(f"EXPLAIN QUERY PLAN {read}")
            steps = [row[3] for row in cursor.fetchall()]
            assert not any(step.startswith("SCAN routing_span") for step in steps), steps
