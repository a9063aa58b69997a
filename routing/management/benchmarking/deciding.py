"""What a decision on a proposed call takes, beside an endpoint that only writes a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from statistics import median
from typing import Any

from django.test import Client, override_settings

from catalog.drafting import fill_draft
from catalog.models import Catalog
from catalog.samples import load_sample
from routing.keys import make_key
from routing.management.benchmarking.bare import BARE, know
from routing.management.benchmarking.timing import Clock, ratio
from routing.models import Run
from routing.releases import publish

SAMPLE = "back-office"
# What each is compared with.
BASELINE = "a bare row"


@dataclass(frozen=True, slots=True)
class Deciding:
    """Milliseconds of each kind of request, and how many times the baseline's that is."""

    milliseconds: Mapping[str, float]
    ratios: Mapping[str, float]

    def record(self) -> dict[str, Any]:
        """Return what is measured as JSON."""
        return {
            name: {"ms": round(taken, 3), "times_bare": round(self.ratios[name], 2)}
            for name, taken in self.milliseconds.items()
        }


def measured(*, rounds: int, clock: Clock, now: datetime) -> Deciding:
    """Time requests through the whole stack, all kinds in turns, in an empty database.

    Each is timed once a round; a ratio is the median over the rounds.
    """
    with override_settings(
        ROOT_URLCONF="routing.management.benchmarking.bare", ENCODER="none", ALLOWED_HOSTS=["*"]
    ):
        requests = _requests(now=now)
        taken: dict[str, list[float]] = {name: [] for name in requests}
        names = list(requests)
        for turn in range(rounds + 5):
            for name in names[turn % len(names) :] + names[: turn % len(names)]:
                started = clock()
                requests[name]()
                taken[name].append(clock() - started)
    kept = {name: some[5:] for name, some in taken.items()}  # the first requests compile schemas
    return Deciding(
        milliseconds={name: median(some) * 1000 for name, some in kept.items()},
        ratios={name: ratio(some, kept[BASELINE]) for name, some in kept.items()},
    )


def _requests(*, now: datetime) -> dict[str, Callable[[], object]]:
    document = load_sample(SAMPLE)
    for tool in document["tools"]:
        tool["needs_approval"] = False
        tool["scopes"] = []
    catalog = Catalog(name=SAMPLE)
    fill_draft(catalog=catalog, document=document)
    publish(catalog=catalog, author=None, now=now, note="", base=None)
    made = make_key(name="bench", now=now)
    client = Client(headers={"Authorization": f"Bearer {made.token}"})
    selected = _post(
        client, "/api/v1/selections", {"catalog": SAMPLE, "task": "x", "strategy": "all"}
    )
    know(Run.objects.get())
    path = f"/api/v1/selections/{selected['id']}/calls"
    reads = _call_of(document, "read")
    writes = _call_of(document, "write")
    numbers = count()

    def bound() -> None:
        call = _post(client, path, {**writes, "idempotency_key": f"k{next(numbers)}"})
        assert call["decision"] == "allowed", call  # noqa: S101 - else nothing is measured

    def free() -> None:
        call = _post(client, path, reads)
        assert call["decision"] == "allowed", call  # noqa: S101

    return {
        BASELINE: lambda: _post(client, BARE, {**writes, "idempotency_key": "k"}),
        "allowed, without a key": free,
        "allowed, under a new key": bound,
        "refused": lambda: _post(client, path, {**reads, "arguments": {"x": 1}}),
    }


def _post(client: Client, path: str, value: object) -> dict[str, Any]:
    response = client.post(path, value, content_type="application/json")
    if response.status_code != 201:
        raise RuntimeError(response.content.decode())
    answer: dict[str, Any] = response.json()
    return answer


def _call_of(document: Mapping[str, Any], side_effect: str) -> dict[str, Any]:
    """Return a proposal of the first tool of a kind whose arguments are easily said."""
    for tool in document["tools"]:
        schema = tool["input_schema"]
        arguments = {name: _word(schema["properties"][name]) for name in schema["required"]}
        if tool["side_effect"] == side_effect and None not in arguments.values():
            return {"tool": tool["name"], "arguments": arguments}
    raise LookupError(side_effect)


def _word(schema: Mapping[str, Any]) -> str | int | None:
    if schema.get("enum"):
        return str(schema["enum"][0])
    if schema.get("pattern") or schema.get("format"):
        return None
    words: dict[str, str | int] = {"string": "88231", "integer": 1}
    return words.get(str(schema.get("type")))
