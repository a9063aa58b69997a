"""A thousand tools in a hundred groups: pages stay small, queries as many as before."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.models import Catalog
from tests.drafts import big_catalog

ADDRESSES = (
    "groups",
    "groups?q=payment&group_q=department_05",
    "groups?page=3&columns=4",
    "tools",
    "tools?q=stock&sort=tokens&tag=orders",
    "tools?group=-&page=2",
    "routes",
    "routes/narrow",
    "routes/narrow?show=denied&q=stock",
    "phases",
    "phases/intake",
    "rules",
)
MOST_BYTES = 400_000


def refer_to_everything(catalog: Catalog) -> None:
    """Add a route, a phase and rules that name every tool and group of a catalog."""
    tools, groups = catalog.tools.all(), catalog.groups.all()
    for named in (catalog.routes.create(name="narrow"), catalog.phases.create(name="intake")):
        named.tools.set(tools)
        named.groups.set(groups)
    catalog.keywordrules.create(pattern="stock").add_groups.set(groups)


@pytest.mark.django_db
def test_pages_of_a_big_catalog_are_small_and_as_many_queries(signed_in: Client) -> None:
    small = big_catalog(tools=12, groups=4)
    big = big_catalog(tools=1000, groups=100)
    for catalog in (small, big):
        refer_to_everything(catalog)
    for address in ADDRESSES:
        counts = []
        for catalog in (small, big):
            url = f"/catalogs/{catalog.name}/{address}"
            with CaptureQueriesContext(connection) as captured:
                answer = signed_in.get(url)
            counts.append(len(captured))
            assert answer.status_code == 200
            assert len(answer.content) < MOST_BYTES, (url, len(answer.content))
        if "?" not in address:  # an empty result asks for less
            assert counts[0] == counts[1], address
        assert max(counts) <= 22, (address, counts)


@pytest.mark.django_db
def test_one_group_of_many_tools_is_a_fixed_number_of_queries(signed_in: Client) -> None:
    counts = []
    for tools in (3, 60):
        catalog = big_catalog(tools=tools, groups=1, memberships=1)
        group = catalog.groups.get()
        with CaptureQueriesContext(connection) as captured:
            assert signed_in.get(group.get_absolute_url()).status_code == 200
        counts.append(len(captured))
    assert counts[0] == counts[1]


@pytest.mark.django_db
def test_no_tick_is_lost_by_paging_or_filtering(signed_in: Client) -> None:
    catalog = big_catalog(tools=120, groups=45)
    url = f"/catalogs/{catalog.name}/groups"
    before = {
        (place.group_id, place.tool_id)
        for g in catalog.groups.all()
        for place in g.memberships.all()
    }
    seen = set()
    for columns in (1, 2, 3):
        for page in (1, 2, 3):
            matrix = signed_in.get(f"{url}?page={page}&columns={columns}").context["matrix"]
            on = [(group, line.tool.pk) for line in matrix.lines for group, on in line.cells if on]
            seen |= set(on)
            cells = [f"{group}-{tool}" for group, tool in on]
            signed_in.post(f"{url}?page={page}&columns={columns}", {"was": cells, "cell": cells})
    after = {
        (place.group_id, place.tool_id)
        for g in catalog.groups.all()
        for place in g.memberships.all()
    }
    assert seen == before == after
