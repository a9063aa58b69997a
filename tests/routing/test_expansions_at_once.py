"""Expansions of one selection at once: each sees what the one before it added."""

from threading import Barrier, Thread

import pytest
from django.db import connection

from tests.routing.conftest import Agent

THREADS = 4


@pytest.mark.django_db(transaction=True)
def test_a_group_that_is_asked_for_many_times_at_once_is_added_once(
    agent: Agent, back_office: object
) -> None:
    agent.select("warm the release")
    for _ in range(5):
        selection = agent.select("Get me a freight quote for two pallets")
        barrier, added = Barrier(THREADS), list[int]()

        def expand(path: str = f"/selections/{selection['id']}/expansions") -> None:
            barrier.wait()  # noqa: B023 - the threads end within their turn of the loop
            answer = agent.post(path, {"group": "stock"})
            added.append(len(answer.json()["added"]))  # noqa: B023
            connection.close()

        threads = [Thread(target=expand) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert len(added) == THREADS
        assert sum(count > 0 for count in added) == 1
