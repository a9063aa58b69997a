"""Rules: three kinds, each in the order in which it is tried."""

from typing import Any

import pytest
from django.test import Client

from catalog.freezing import freeze
from catalog.models import Catalog, ChannelRule, IntentRule, KeywordRule
from catalog.models.part import Part
from tests.drafts import draft_of, empty_catalog

LIST = "/catalogs/dev-agent/rules"
KINDS = {"keyword": KeywordRule, "intent": IntentRule, "channel": ChannelRule}


@pytest.fixture
def catalog(db: None) -> Catalog:
    return draft_of("dev-agent")


def form_of(catalog: Catalog, kind: str) -> dict[str, Any]:
    group = catalog.groups.all()[0]
    return {
        "keyword": {"pattern": r"\b(ship|ships)\b", "add_groups": [group.pk]},
        "intent": {"phrases": "ship it\nlet it go", "groups": [group.pk]},
        "channel": {"kind": "queue", "value": "invoices-in", "groups": [group.pk]},
    }[kind]


def ordered(catalog: Catalog, kind: str) -> list[Part]:
    return list(KINDS[kind]._default_manager.filter(catalog=catalog).order_by("position", "id"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_rule_is_added_last_edited_and_deleted(
    signed_in: Client, catalog: Catalog, kind: str
) -> None:
    before = ordered(catalog, kind)
    answer = signed_in.post(f"{LIST}/{kind}/-/new", form_of(catalog, kind))
    assert answer["Location"] == f"{LIST}?kind={kind}"
    *others, made = ordered(catalog, kind)
    assert others == before
    page = made.get_absolute_url()
    assert signed_in.get(page).status_code == 200
    assert str(made) in signed_in.get(answer["Location"]).content.decode()
    changed = {**form_of(catalog, kind), "pattern": "x", "phrases": "y", "value": "z"}
    assert signed_in.post(page, changed).status_code == 302
    made.refresh_from_db()
    assert str(made) in ("x", "y", "queue z")
    assert str(made) in signed_in.get(f"{page}/delete").content.decode()
    signed_in.post(f"{page}/delete")
    assert ordered(catalog, kind) == before


def test_rules_move_by_htmx_and_by_plain_post(signed_in: Client, catalog: Catalog) -> None:
    first, second, *others = ordered(catalog, "keyword")
    url = f"{LIST}/keyword/{first.pk}/move"
    answer = signed_in.post(url, {"to": "down"}, headers={"HX-Request": "true"})
    assert answer.content.decode().strip().startswith('<div class="card" id="rule-list"')
    assert ordered(catalog, "keyword") == [second, first, *others]
    frozen = [rule["pattern"] for rule in freeze(catalog)["keyword_rules"]]
    assert frozen == [str(rule) for rule in (second, first, *others)]
    assert signed_in.post(url, {"to": "up"})["Location"] == f"{LIST}?kind=keyword"
    assert ordered(catalog, "keyword") == [first, second, *others]
    assert signed_in.post(url, {"to": "up"}).status_code == 302
    assert ordered(catalog, "keyword") == [first, second, *others]


@pytest.mark.parametrize(
    ("kind", "changed", "reason"),
    [
        ("keyword", {"pattern": "("}, "missing"),
        ("keyword", {"pattern": ""}, "required"),
        ("keyword", {"add_groups": []}, "does nothing"),
        ("intent", {"phrases": " \n "}, "required"),
        ("intent", {"groups": []}, "does nothing"),
        ("channel", {"groups": []}, "required"),
        ("channel", {"kind": "pigeon"}, "valid choice"),
    ],
)
def test_what_is_refused_is_told_and_nothing_is_lost(
    signed_in: Client, catalog: Catalog, kind: str, changed: dict[str, Any], reason: str
) -> None:
    before = ordered(catalog, kind)
    form = {**form_of(catalog, kind), **changed}
    answer = signed_in.post(f"{LIST}/{kind}/-/new", form)
    assert answer.status_code == 422
    assert reason in answer.content.decode()
    assert ordered(catalog, kind) == before


def test_a_channel_has_one_rule(signed_in: Client, catalog: Catalog) -> None:
    form = form_of(catalog, "channel")
    signed_in.post(f"{LIST}/channel/-/new", form)
    answer = signed_in.post(f"{LIST}/channel/-/new", form)
    assert answer.status_code == 422
    assert "Another rule is for this very channel" in answer.content.decode()
    own = ordered(catalog, "channel")[0].get_absolute_url()
    assert signed_in.post(own, form).status_code == 302


def test_a_rule_that_somebody_else_changed_is_not_overwritten(
    signed_in: Client, catalog: Catalog
) -> None:
    rule = ordered(catalog, "keyword")[0]
    page = rule.get_absolute_url()
    seen = signed_in.get(page).context["form"]["seen"].value()
    KeywordRule.objects.filter(pk=rule.pk).update(pattern="theirs")
    form = {**form_of(catalog, "keyword"), "pattern": "mine", "seen": seen}
    answer = signed_in.post(page, form)
    assert answer.status_code == 409
    assert "theirs" in answer.content.decode()
    assert 'value="mine"' in answer.content.decode()
    rule.refresh_from_db()
    assert str(rule) == "theirs"


def test_renamed_tools_and_groups_stay_in_rules_phases_and_routes(
    signed_in: Client, db: None
) -> None:
    for sample, kind in (("dev-agent", "keyword_rules"), ("refunds", "routes")):
        catalog = draft_of(sample)
        before = freeze(catalog)
        tool = catalog.tools.get(name=before["tools"][0]["name"])
        group = catalog.groups.all()[0]
        old = {tool.name: "renamed_tool", group.name: "renamed-group"}
        tool.name, group.name = "renamed_tool", "renamed-group"
        tool.save()
        group.save()
        after = freeze(catalog)
        for section in (kind, "phases"):
            assert after[section] == _renamed(before[section], old)


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [
            names.get(one, one) if isinstance(one, str) else _renamed(one, names) for one in value
        ]
    return value


def test_unknown_kinds_and_others_rules_are_not_found(signed_in: Client, catalog: Catalog) -> None:
    empty_catalog()
    rule = ordered(catalog, "keyword")[0]
    assert signed_in.get(f"/catalogs/empty/rules/keyword/{rule.pk}").status_code == 404
    assert signed_in.post(f"/catalogs/empty/rules/keyword/{rule.pk}/move").status_code == 404
    assert signed_in.get(f"{LIST}/magic/{rule.pk}").status_code == 404
    assert signed_in.get(f"{LIST}/magic/-/new").status_code == 404
    assert signed_in.get(f"{LIST}?kind=magic").context["kind"] == "keyword"


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_rule_is_suggested(signed_in: Client, db: None, kind: str) -> None:
    empty_catalog()
    page = signed_in.get("/catalogs/empty/rules", {"kind": kind}).content.decode()
    assert "No rule of this kind yet" in page
    assert f"rules/{kind}/-/new" in page
