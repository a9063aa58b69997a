"""Circuits that several threads and processes change at once."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection

from catalog.models import Catalog
from routing import circuits
from routing.models import Circuit
from tests.samples import NOW

pytestmark = pytest.mark.django_db(transaction=True)
THREADS = 8
ROOT = Path(__file__).parents[2]

# What another process does: it knows that nothing is open, says so, and tells when that changes.
WATCH = """
import sys, time
import django
django.setup()
from django.utils import timezone
from routing import circuits
def is_open():
    gate = circuits.standing({catalog}).gate(tool="a", now=timezone.now())
    return gate.is_open
for expected in (False, True, False):
    end = time.monotonic() + 30
    while is_open() is not expected and time.monotonic() < end:
        time.sleep(0.01)
    print(time.time(), flush=True)
"""


@pytest.fixture
def catalog(transactional_db: None) -> Catalog:
    return Catalog.objects.create(name="one", title="One")


def at_once(do: Callable[[], Any]) -> list[Any]:
    """Do something in several threads at the same moment."""
    barrier = Barrier(THREADS)

    def work(_: int) -> Any:
        barrier.wait()
        try:
            return do()
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(work, range(THREADS)))


def switch(catalog: Catalog) -> Circuit:
    return circuits.open_by_hand(
        catalog=catalog, kind="tool", target="a", reason="x", until=None, by=None, now=NOW
    )


def fail(catalog: Catalog) -> None:
    circuits.open_for_failures(catalog_id=catalog.pk, kind="tool", target="a", reason="x", now=NOW)


def test_failures_that_open_it_at_once_make_one_row(catalog: Catalog) -> None:
    at_once(lambda: fail(catalog))
    assert Circuit.objects.count() == 1


def test_people_who_switch_it_off_at_once_leave_one_open(catalog: Catalog) -> None:
    at_once(lambda: switch(catalog))
    assert Circuit.objects.unclosed().count() == 1


def test_of_many_calls_one_becomes_the_probe(catalog: Catalog) -> None:
    fail(catalog)
    for round_number in range(5):
        now = NOW + timedelta(minutes=20 * (round_number + 1))
        gate = circuits.standing(catalog.pk).gate(tool="a", now=now)
        until = now + timedelta(seconds=10)

        def claim(gate=gate, until=until, now=now) -> bool:  # type: ignore[no-untyped-def]
            return circuits.claim_probe(catalog_id=catalog.pk, gate=gate, until=until, now=now)

        assert sorted(at_once(claim)) == [False] * (THREADS - 1) + [True]


def test_a_close_and_a_probe_that_fails_at_once_leave_it_closed(catalog: Catalog) -> None:
    fail(catalog)
    Circuit.objects.update(probe_until=NOW)
    row = Circuit.objects.get()

    def settle() -> None:
        circuits.settle_probe(
            catalog_id=catalog.pk, targets=[("tool", "a")], until=NOW, failed=True, now=NOW
        )

    def shut() -> None:
        circuits.close(catalog=catalog, pk=row.pk, by=None, now=NOW)

    jobs = [settle, shut] * (THREADS // 2)

    def next_job() -> None:
        jobs.pop()()

    at_once(next_job)
    assert not Circuit.objects.unclosed().exists()


# A circuit is looked up once a second; a busy machine may take a moment more to be asked.
BUSY = 3


def test_another_process_follows_within_a_second(catalog: Catalog) -> None:
    environment = {**os.environ, "DATABASE_URL": database_url()}
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", WATCH.format(catalog=catalog.pk)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            float(process.stdout.readline())  # it has looked, and nothing was open
            row = switch(catalog)
            opened = time.time()
            assert float(process.stdout.readline()) - opened < BUSY
            circuits.close(catalog=catalog, pk=row.pk, by=None, now=NOW)
            closed = time.time()
            assert float(process.stdout.readline()) - closed < BUSY
        finally:
            process.kill()


def database_url() -> str:
    """Return the address of the database that this test uses."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
