"""How many spans a second the API takes, with the worker counting them and without."""

import tempfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from statistics import quantiles
from typing import Any

from catalog.models import Catalog
from dashboard.management.scale.serving import deployed, free_port, start_client
from routing.compiled import compiled_release
from routing.keys import make_key
from routing.models import CountedUpTo, Span, Text
from routing.moves import current_move
from routing.rollups.folding import fold_all

CLIENTS: Mapping[str, Mapping[str, int]] = {
    "selections": {"select": 4},
    "spans told in batches": {"tell": 2},
    "both": {"select": 3, "tell": 1},
}
"""What is posted, by so many processes of each kind."""
_TASKS = 200


def ingest_times(
    *, catalog: Catalog, seconds: int, seed: int, now: datetime
) -> Iterator[dict[str, Any]]:
    """Yield what a server of two processes takes of each kind, counting off and on."""
    made = make_key(name="bench_spans", now=now)
    common = plan_for(catalog)
    with tempfile.TemporaryDirectory() as folder:
        for posted, clients in CLIENTS.items():
            for works in (False, True):
                port = free_port()
                plans = [
                    common
                    | {"kind": kind, "seconds": seconds, "seed": seed + at, "port": port, "log": ""}
                    for kind, count in clients.items()
                    for at in range(count)
                ]
                before = Span.objects.count()
                with deployed(port=port, folder=Path(folder), works=works):
                    posting = [start_client(plan, token=made.token) for plan in plans]
                    done = [client.done() for client in posting]
                    behind = _uncounted()
                written = Span.objects.count() - before
                fold_all(now=now)
                yield _row(posted, works, done, written=written, behind=behind)


def plan_for(catalog: Catalog) -> dict[str, Any]:
    """Return what clients need to know of a catalog: groups with their tools, and tasks."""
    move = current_move(catalog)
    if move is None:
        raise RuntimeError(f"{catalog} is not published.")
    release = compiled_release(move.release_id)
    document = move.release.version.parsed()
    groups = {group["name"]: group["tools"][:5] for group in document["groups"] if group["tools"]}
    texts = Text.objects.filter(run__catalog=catalog).exclude(task="")
    tasks = list(texts.order_by("pk").values_list("task", flat=True)[:_TASKS])
    return {
        "host": "127.0.0.1",
        "catalog": catalog.name,
        "groups": groups,
        "tasks": tasks or [f"Look at {name}" for name in release.names[:_TASKS]],
    }


def _uncounted() -> int:
    mark = CountedUpTo.objects.filter(pk=1).values_list("span", flat=True).first() or 0
    return Span.objects.filter(pk__gt=mark).count()


def _row(
    posted: str, works: bool, done: list[dict[str, Any]], *, written: int, behind: int
) -> dict[str, Any]:
    seconds = sorted(one for client in done for one in client["seconds"])
    elapsed = max(client["elapsed"] for client in done)
    cut = quantiles(seconds, n=100) if len(seconds) > 1 else [0.0] * 99
    return {
        "posted": posted,
        "counting": "on" if works else "off",
        "requests_a_second": round(sum(client["answers"] for client in done) / elapsed, 1),
        "spans_a_second": round(written / elapsed, 1),
        "p50_ms": round(cut[49] * 1000, 1),
        "p99_ms": round(cut[98] * 1000, 1),
        "unanswered": sum(client["unanswered"] for client in done),
        "uncounted_at_the_end": behind,
    }
