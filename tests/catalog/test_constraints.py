"""The database keeps its invariants whoever writes."""

from collections.abc import Callable

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from catalog.models import (
    Catalog,
    CatalogVersion,
    ChannelRule,
    Group,
    GroupTool,
    KeywordRule,
    Phase,
    Route,
    Tool,
    ToolRevision,
)
from tests.samples import published

pytestmark = pytest.mark.django_db


def tool(catalog: Catalog, name: str = "find_payment", **fields: object) -> object:
    return Tool.objects.create(catalog=catalog, name=name, **fields)


def twice_in_a_group(catalog: Catalog) -> object:
    place = GroupTool.objects.filter(group__catalog=catalog).select_related("group", "tool")[0]
    return GroupTool.objects.create(group=place.group, tool=place.tool)


def two_initial_phases(catalog: Catalog) -> object:
    Phase.objects.create(catalog=catalog, name="a", initial=True)
    return Phase.objects.create(catalog=catalog, name="b", initial=True)


BREAKS: dict[str, Callable[[Catalog], object]] = {
    "a catalog's name twice": lambda c: Catalog.objects.create(name=c.name, title="x"),
    "a threshold over one": lambda c: Catalog.objects.filter(pk=c.pk).update(threshold=1.1),
    "an exploration share under zero": lambda c: Catalog.objects.filter(pk=c.pk).update(
        exploration=-0.1
    ),
    "a cap of zero": lambda c: Catalog.objects.filter(pk=c.pk).update(max_tools=0),
    "an unknown strategy": lambda c: Catalog.objects.filter(pk=c.pk).update(strategy="magic"),
    "a tool's name twice": tool,
    "a reserved tool name": lambda c: tool(c, "request_group"),
    "an unknown side effect": lambda c: tool(c, "x", side_effect="some"),
    "an unknown trust": lambda c: tool(c, "x", output_trust="some"),
    "a time-out of zero": lambda c: tool(c, "x", timeout_ms=0),
    "a group's name twice": lambda c: Group.objects.create(catalog=c, name="billing"),
    "a tool twice in a group": twice_in_a_group,
    "two initial phases": two_initial_phases,
    "an empty pattern": lambda c: KeywordRule.objects.create(catalog=c, pattern=""),
    "an unknown channel": lambda c: ChannelRule.objects.create(catalog=c, kind="fax", value="x"),
    "a route's name twice": lambda c: [Route.objects.create(catalog=c, name="r") for _ in range(2)],
    "a version number twice": lambda c: CatalogVersion.objects.create(
        catalog=c, number=1, document=b"", sha256="", created_at=c.created_at
    ),
    "a revision twice": lambda c: ToolRevision.objects.create(
        catalog=c,
        name="find_payment",
        revision=1,
        content=b"",
        sha256="",
        created_at=c.created_at,
    ),
}


@pytest.mark.parametrize("write", BREAKS.values(), ids=BREAKS)
def test_a_broken_invariant_is_refused(write: Callable[[Catalog], object]) -> None:
    catalog = published("back-office")

    with pytest.raises(IntegrityError), transaction.atomic():
        write(catalog)


@pytest.mark.parametrize(
    "rewrite",
    [
        lambda c: CatalogVersion.objects.filter(catalog=c).update(document=b"{}"),
        lambda c: CatalogVersion.objects.filter(catalog=c).update(sha256="0" * 64),
        lambda c: ToolRevision.objects.filter(catalog=c).update(content=b"{}"),
    ],
)
def test_what_was_published_cannot_be_rewritten(rewrite: Callable[[Catalog], object]) -> None:
    catalog = published("back-office")

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        rewrite(catalog)
