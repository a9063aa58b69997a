"""Routes: what each may reach, edited and shown; deny by default."""

import json
from typing import Any

import pytest
from django.test import Client

from catalog.freezing import freeze
from catalog.models import Catalog, Tool
from catalog.reach import Verdict, reach_of_routes
from routing.selection import compile_index
from tests.drafts import draft_of, empty_catalog

LIST = "/catalogs/refunds/routes"
PAGE = f"{LIST}/order_status"


@pytest.fixture
def catalog(db: None) -> Catalog:
    return draft_of("refunds")


def sent(catalog: Catalog, **changed: Any) -> dict[str, Any]:
    """Return what the form of a route would send with nothing changed but ``changed``."""
    route = catalog.routes.get(name="order_status")
    return {
        "name": route.name,
        "groups": list(route.groups.values_list("pk", flat=True)),
        "tools": list(route.tools.values_list("pk", flat=True)),
        "side_effects": route.side_effects,
        "budget_calls": "20",
        **changed,
    }


def test_the_list_says_what_each_route_reaches(signed_in: Client, catalog: Catalog) -> None:
    page = signed_in.get(LIST)
    reached = {route.name: reach.reached for route, reach in page.context["lines"]}
    assert reached.keys() == {"order_status", "refund_investigation"}
    assert 0 < reached["order_status"] < reached["refund_investigation"]
    assert "No default tool can be reached" not in page.content.decode()


def test_a_route_reaches_what_a_release_lets_it_reach(catalog: Catalog) -> None:
    route = catalog.routes.get(name="order_status")
    route.groups.set(catalog.groups.all())  # some of whose tools write, which the route forbids
    document = freeze(catalog)
    index = compile_index(document, encoder=None, vectors={})
    rows = list(catalog.routes.all())
    names = dict(catalog.tools.values_list("pk", "name"))
    for row, reach in ((row, reach_of_routes(catalog, rows)[row.pk]) for row in rows):
        allowed = index.routes[row.name].tools
        by_release = {name for name, on in zip(index.tools, allowed, strict=True) if on}
        by_page = {names[pk] for pk, verdict in reach.verdicts.items() if verdict.reaches}
        assert by_page == by_release
    assert Verdict.SIDE_EFFECT in reach_of_routes(catalog, [route])[route.pk].verdicts.values()


def test_an_always_on_tool_is_reached_by_every_route(catalog: Catalog) -> None:
    route = catalog.routes.get(name="order_status")
    tool = Tool.objects.create(catalog=catalog, name="ask_user", always_on=True)
    assert reach_of_routes(catalog, [route])[route.pk].verdicts[tool.pk] is Verdict.ALWAYS_ON


def test_the_page_shows_what_cannot_be_reached_and_why(signed_in: Client, catalog: Catalog) -> None:
    text = signed_in.get(PAGE, {"show": "denied"}).content.decode()
    assert "issue_refund" in text
    assert "not named: denied" in text
    found = signed_in.get(PAGE, {"show": "denied", "q": "zzz"}).content.decode()
    assert "issue_refund" not in found
    part = signed_in.get(PAGE, headers={"HX-Request": "true", "HX-Target": "reach"})
    assert part.content.decode().strip().startswith("<section")


def test_a_route_without_a_default_tool_is_warned_of(signed_in: Client, catalog: Catalog) -> None:
    catalog.tools.update(is_default=False)
    assert "publishing will be refused" in signed_in.get(PAGE).content.decode()
    assert "publishing will be refused" in signed_in.get(LIST).content.decode()


def test_saving_keeps_tools_effects_and_budget(signed_in: Client, catalog: Catalog) -> None:
    tool = catalog.tools.get(name="issue_refund")
    form = sent(catalog, name="status", side_effects=["destructive", "read"], tools=[tool.pk])
    assert signed_in.post(PAGE, form)["Location"] == f"{LIST}/status"
    route = catalog.routes.get(name="status")
    assert route.side_effects == ["read", "destructive"]
    assert list(route.tools.all()) == [tool]
    assert route.budget == {"calls": 20, "tokens": None, "cost": None, "seconds": None}


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"name": "refund_investigation"}, "name"),
        ({"name": "Status!"}, "name"),
        ({"side_effects": []}, "side_effects"),
        ({"side_effects": ["nuke"]}, "side_effects"),
        ({"budget_calls": "-1"}, "budget_calls"),
        ({"budget_cost": "-0.5"}, "budget_cost"),
        ({"tools": ["999999"]}, "tools"),
    ],
)
def test_what_is_refused_is_told_beside_the_field(
    signed_in: Client, catalog: Catalog, changed: dict[str, Any], field: str
) -> None:
    answer = signed_in.post(PAGE, sent(catalog, **changed))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert answer.context["part"].name == "order_status"


def test_a_tool_of_another_catalog_cannot_be_named(signed_in: Client, catalog: Catalog) -> None:
    stranger = draft_of("back-office").tools.all()[0]
    assert signed_in.post(PAGE, sent(catalog, tools=[stranger.pk])).status_code == 422
    assert stranger not in catalog.routes.get(name="order_status").tools.all()


def test_adding_and_deleting(signed_in: Client, catalog: Catalog) -> None:
    answer = signed_in.post(f"{LIST}/-/new", {"name": "triage", "side_effects": ["read"]})
    assert answer["Location"] == f"{LIST}/triage"
    assert [route.name for route in catalog.routes.all()][-1] == "triage"
    assert "Delete the route" in signed_in.get(f"{LIST}/triage/delete").content.decode()
    signed_in.post(f"{LIST}/triage/delete")
    assert not catalog.routes.filter(name="triage").exists()


def test_the_first_route_is_suggested(signed_in: Client, db: None) -> None:
    empty_catalog()
    text = signed_in.get("/catalogs/empty/routes").content.decode()
    assert "every request may reach every tool" in text


def seen_by(client: Client) -> str:
    initial: str = client.get(PAGE).context["form"]["seen"].value()
    return initial


def test_the_second_of_two_people_sees_what_changed_and_loses_nothing(
    signed_in: Client, catalog: Catalog
) -> None:
    seen = seen_by(signed_in)
    assert json.loads(seen)["name"] == "order_status"
    group = catalog.groups.get(name="refunds")
    catalog.routes.get(name="order_status").groups.add(group)  # the first person was quicker
    answer = signed_in.post(PAGE, sent(catalog, seen=seen, groups=[], budget_calls="7"))
    assert answer.status_code == 409
    text = answer.content.decode()
    assert "Somebody else saved this meanwhile" in text
    assert "refunds" in text.split('id="overtaken"')[1].split("</ul>")[0]
    route = catalog.routes.get(name="order_status")
    assert route.budget_calls != 7
    form = answer.context["form"]
    assert form["budget_calls"].value() == 7  # what was typed is still there
    again = sent(catalog, seen=form["seen"].value(), groups=[], budget_calls="7")
    assert signed_in.post(PAGE, again).status_code == 302
    assert catalog.routes.get(name="order_status").budget_calls == 7


def test_what_one_left_alone_follows_the_other(signed_in: Client, catalog: Catalog) -> None:
    before, seen = sent(catalog), seen_by(signed_in)
    catalog.routes.filter(name="order_status").update(side_effects=["read", "write"])
    stored = catalog.routes.get(name="order_status")
    calls = "" if stored.budget_calls is None else str(stored.budget_calls)
    answer = signed_in.post(
        PAGE, {**before, "seen": seen, "budget_calls": calls, "budget_seconds": "9"}
    )
    assert answer.status_code == 409
    form = answer.context["form"]
    assert form["side_effects"].value() == ["read", "write"]
    assert form["budget_seconds"].value() == 9
    assert not answer.context["overtaken"][0].typed_over
