"""A roll-back is one act, and every process that answers agents follows it."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import pytest
from django.db import connection

from catalog.models import Catalog
from routing.keys import make_key
from routing.moves import current_move
from routing.releases import publish, roll_back
from tests.samples import NOW, published

ROOT = Path(__file__).parents[2]
# Asks as agents do, over and over, and says when the answer is of another version than before:
# when that was, and what a run that had begun with the version before is answered from.
WATCH = """
import json, sys, time
import django
django.setup()
from django.test import Client
client = Client(headers={"authorization": "Bearer " + sys.argv[1]})
def select(**more):
    body = json.dumps({"catalog": "dev-agent", "task": "add two numbers", **more})
    answer = client.post("/api/v1/selections", body, content_type="application/json")
    return answer.json()["catalog"]
begun = seen = select(run_id=sys.argv[2])
print(seen, flush=True)
while True:
    answered = select()
    if answered != seen:
        seen = answered
        print(seen, time.time(), select(run_id=sys.argv[2]), flush=True)
    time.sleep(0.02)
"""


@pytest.fixture
def catalog(transactional_db: None, settings: Any) -> Catalog:
    settings.ENCODER = "none"
    catalog = published("dev-agent")
    catalog.tools.filter(name="calculator").update(description="Adds numbers.")
    live = current_move(catalog)
    assert live is not None
    publish(catalog=catalog, author=None, now=NOW, base=live.pk)
    return catalog


@pytest.fixture
def processes(catalog: Catalog) -> Iterator[list[IO[str]]]:
    """Yield what two processes say, both of which have answered from version 2."""
    token = make_key(name="agent", now=NOW, catalogs=[catalog]).token
    environment = {**os.environ, "DATABASE_URL": database_url(), "ENCODER": "none"}
    with ExitStack() as stack:
        running = [
            stack.enter_context(
                subprocess.Popen(  # noqa: S603
                    [sys.executable, "-c", WATCH, token, f"run-{number}"],
                    cwd=ROOT,
                    env=environment,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for number in range(2)
        ]
        for process in running:
            stack.callback(process.kill)
        said = [process.stdout for process in running if process.stdout]
        assert [one.readline() for one in said] == ["dev-agent@2\n"] * 2
        yield said


def test_every_process_follows_within_a_second_and_runs_stay(
    catalog: Catalog, processes: list[IO[str]]
) -> None:
    live = current_move(catalog)
    assert live is not None
    roll_back(catalog=catalog, version=1, by=None, reason="Worse", base=live.pk, now=NOW)
    moved = time.time()

    for said in processes:
        version, at, of_the_run = said.readline().split()
        assert version == "dev-agent@1"
        assert float(at) - moved < 1
        assert of_the_run == "dev-agent@2"


def database_url() -> str:
    """Return the address of the database that this test uses."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
