"""The pages of a crowded catalog, through its life: new, live, and with every tool changed."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from catalog.drafting import fill_draft
from catalog.models import Catalog
from dashboard.management.benchmarking.crowd import changed_document, crowded_document
from dashboard.management.benchmarking.page_times import Clock, PageTime, measured, pages_of
from dashboard.management.benchmarking.publishing import keep_vectors, published_once

SEED = 7
# The pages that compare the draft with something, or look at all of it.
OF_THE_DRAFT = (
    "dashboard:versions",
    "dashboard:draft",
    "dashboard:draft?page=3",
    "dashboard:health",
)
NEW, CHANGED = "all new", "all changed"


def measured_in_crowd(
    *, tools: int, groups: int, rounds: int, only: str, clock: Clock
) -> Iterator[PageTime]:
    """Fill an empty database, and yield what the pages and two publishes of it took.

    ``only`` keeps the pages whose name holds it.
    """
    before = crowded_document(tools=tools, groups=groups, seed=SEED)
    after = changed_document(before)
    keep_vectors((before, after), seed=SEED)
    client = Client()
    client.force_login(User.objects.create_superuser("bench_pages"))
    catalog = Catalog(name=f"crowd-{tools}")
    fill_draft(catalog=catalog, document=before)

    def at(pages: Mapping[str, str], said: str = "") -> Iterator[PageTime]:
        kept = {name: url for name, url in pages.items() if only in name}
        for one in measured(client=client, pages=kept, rounds=rounds, clock=clock):
            yield replace(one, name=f"{one.name}, {said}" if said else one.name)

    yield from at(_of_the_draft(catalog), NEW)
    yield published_once(client=client, catalog=catalog, name=f"publish, {NEW}", clock=clock)
    yield from at(pages_of(catalog))
    _change(catalog, after)
    yield from at(_of_the_draft(catalog), CHANGED)
    yield published_once(client=client, catalog=catalog, name=f"publish, {CHANGED}", clock=clock)
    yield from at(_versions(catalog), CHANGED)


def _of_the_draft(catalog: Catalog) -> dict[str, str]:
    return {name: url for name, url in pages_of(catalog).items() if name in OF_THE_DRAFT}


def _versions(catalog: Catalog) -> dict[str, str]:
    return {name: url for name, url in pages_of(catalog).items() if name == "dashboard:version"}


def _change(catalog: Catalog, document: Mapping[str, Any]) -> None:
    """Let the tools of a draft say what those of a document say."""
    said = {tool["name"]: tool for tool in document["tools"]}
    tools = list(catalog.tools.all())
    for tool in tools:
        tool.description = said[tool.name]["description"]
        tool.input_schema = said[tool.name]["input_schema"]
        tool.derive()
    fields = ("description", "input_schema", "tokens", "search_text")
    catalog.tools.bulk_update(tools, fields, batch_size=500)
