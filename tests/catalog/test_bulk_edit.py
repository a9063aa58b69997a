"""Many tools edited at once: what is chosen, what is shown first, and all of it or nothing."""

from typing import Any

import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.bulk import BulkChange, Chosen, PlanMoved, apply_plan, plan_change
from catalog.freezing import freeze
from catalog.models import Catalog, Tool
from catalog.recording import undo
from tests.drafts import big_catalog, draft_of, empty_catalog

LIST = "/catalogs/back-office/tools"
PAGE = f"{LIST}/-/bulk"


@pytest.fixture
def catalog(db: None) -> Catalog:
    return draft_of()


def ids(catalog: Catalog, *names: str) -> str:
    return ",".join(str(catalog.tools.get(name=name).pk) for name in names)


def ask(client: Client, step: str, status: int = 200, **sent: Any) -> Any:
    """Send a step of the way and return the answer."""
    answer = client.post(PAGE, {"step": step, **sent})
    assert answer.status_code == status, answer.content.decode()
    return answer


def make(client: Client, **sent: Any) -> Any:
    """Look at what a change does, then make it, as the page's own form does."""
    plan = ask(client, "change", **sent).context["plan"]
    return ask(client, "apply", 302, shown=plan.fingerprint, **sent)


def test_every_kind_of_change_is_made_to_each_chosen_tool(
    signed_in: Client, catalog: Catalog
) -> None:
    stock, billing = (catalog.groups.get(name=name) for name in ("stock", "billing"))
    names = ("settle_bill", "get_bank_statement")
    sent: dict[str, Any] = {
        "chosen": ids(catalog, *names),
        "set_enabled": "0",
        "set_needs_approval": "1",
        "set_owner": "ops",
        "empty_category": "on",
        "add_tags": "late\r\nledger",
        "remove_tags": "payments",
        "add_groups": [stock.pk],
        "remove_groups": [billing.pk],
    }
    answer = make(signed_in, **sent)
    assert answer["Location"] == f"{LIST}?chosen="
    for tool in catalog.tools.filter(name__in=names):
        assert (tool.enabled, tool.needs_approval, tool.owner) == (False, True, "ops")
        assert tool.category == ""
        assert {"late", "ledger"} <= set(tool.tags)
        assert "payments" not in tool.tags
        assert [group.name for group in tool.groups.all()] == ["stock"]
    assert {tool.name for tool in catalog.tools.search("ledger")} >= set(names)
    others = catalog.tools.exclude(name__in=names)
    assert not others.filter(owner="ops").exists()
    assert others.filter(enabled=True).count() == 32


def test_what_is_shown_first_is_exactly_what_changes(signed_in: Client, catalog: Catalog) -> None:
    catalog.tools.filter(name="settle_bill").update(owner="ops")
    answer = ask(
        signed_in,
        "change",
        chosen=ids(catalog, "settle_bill", "find_payment"),
        set_owner="ops",
        set_enabled="1",
    )
    plan = answer.context["plan"]
    assert [(s.label, s.was, s.now, [t.name for t in s.tools]) for s in plan.steps] == [
        ("Owner", "finance", "ops", ["find_payment"])
    ]
    assert (plan.changed, plan.unchanged) == (1, 1)
    assert "1 other tool already is so" in answer.content.decode()
    assert catalog.tools.get(name="find_payment").owner == "finance"


@pytest.mark.parametrize(
    "asked",
    [{"set_side_effect": "write"}, {"set_side_effect": "destructive", "set_owner": "ops"}],
)
def test_a_change_that_one_tool_refuses_is_made_to_none(
    signed_in: Client, catalog: Catalog, asked: dict[str, Any]
) -> None:
    chosen = ids(catalog, "find_payment", "get_bank_statement")
    answer = ask(signed_in, "change", chosen=chosen, **asked)
    plan = answer.context["plan"]
    assert [one.tool.name for one in plan.refused] == ["find_payment"]
    assert "may only read" in answer.content.decode()
    assert b'value="apply"' not in answer.content
    ask(signed_in, "apply", 422, chosen=chosen, shown=plan.fingerprint, **asked)
    assert catalog.tools.get(name="get_bank_statement").side_effect == "read"
    # Left out, the others can be changed.
    carried = dict(answer.context["without_refused"])
    make(signed_in, **carried)
    assert catalog.tools.get(name="find_payment").side_effect == "read"
    assert catalog.tools.get(name="get_bank_statement").side_effect == asked["set_side_effect"]


def test_a_tool_that_stops_being_a_default_one_may_write(
    signed_in: Client, catalog: Catalog
) -> None:
    chosen = ids(catalog, "find_payment")
    make(signed_in, chosen=chosen, set_side_effect="write", set_is_default="0")
    tool = catalog.tools.get(name="find_payment")
    assert (tool.side_effect, tool.is_default) == ("write", False)
    answer = ask(signed_in, "change", chosen=chosen, set_always_on="1")
    assert len(answer.context["plan"].refused) == 1


def test_every_tool_that_fits_is_a_query_and_not_a_list(
    signed_in: Client, catalog: Catalog
) -> None:
    every = "q=carrier&effect=read"
    fit = {tool.name for tool in catalog.tools.search("carrier").filter(side_effect="read")}
    assert 0 < len(fit) < 34
    answer = make(signed_in, every=every, without=ids(catalog, min(fit)), set_owner="ops")
    assert answer["Location"] == f"{LIST}?{every}"
    assert {tool.name for tool in catalog.tools.filter(owner="ops")} == fit - {min(fit)}
    make(signed_in, every="", set_category="all")
    assert catalog.tools.filter(category="all").count() == 34


def test_a_draft_that_moved_on_is_shown_anew(signed_in: Client, catalog: Catalog) -> None:
    sent: dict[str, Any] = {
        "chosen": ids(catalog, "find_payment", "settle_bill"),
        "set_owner": "ops",
    }
    plan = ask(signed_in, "change", **sent).context["plan"]
    catalog.tools.filter(name="settle_bill").update(owner="somebody else")
    answer = ask(signed_in, "apply", 409, shown=plan.fingerprint, **sent)
    assert "somebody else" in answer.content.decode()
    assert "The draft changed since you looked" in answer.content.decode()
    assert not catalog.tools.filter(owner="ops").exists()
    ask(signed_in, "apply", 302, shown=answer.context["plan"].fingerprint, **sent)
    assert catalog.tools.filter(owner="ops").count() == 2


def test_a_bulk_edit_is_one_operation_and_is_undone_as_one(
    signed_in: Client, catalog: Catalog
) -> None:
    before = freeze(catalog)
    stock = catalog.groups.get(name="stock")
    sent: dict[str, Any] = {"set_owner": "ops", "add_tags": "late", "add_groups": [stock.pk]}
    make(signed_in, chosen=ids(catalog, "find_payment", "settle_bill"), **sent)
    entries = catalog.audit_entries.filter(action="bulk_edit")
    assert {(entry.kind, entry.subject) for entry in entries} == {
        ("tools", "find_payment"),
        ("tools", "settle_bill"),
        ("groups", "stock"),
    }
    operation = entries.values_list("operation", flat=True).distinct().get()
    undo(catalog=catalog, operation=operation)
    assert freeze(catalog) == before
    assert not catalog.tools.search("late").filter(name="find_payment").exists()


def test_deleted_tools_come_back_where_they_were(signed_in: Client, catalog: Catalog) -> None:
    before = freeze(catalog)
    chosen = ids(catalog, "find_payment", "settle_bill")
    shown = ask(signed_in, "remove", chosen=chosen).context["removal"].fingerprint
    ask(signed_in, "delete", 302, chosen=chosen, shown=shown)
    entries = catalog.audit_entries.filter(action="bulk_edit")
    undo(catalog=catalog, operation=entries.values_list("operation", flat=True).distinct().get())
    assert freeze(catalog) == before


def test_nothing_is_half_written(
    signed_in: Client, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_cells: object) -> None:
        raise PlanMoved("a fault after the first writes")

    monkeypatch.setattr("catalog.bulk.applying.set_memberships", fail)
    change = BulkChange(values={"owner": "ops"}, add_groups=[catalog.groups.get(name="stock")])
    chosen = Chosen(ids=tuple(catalog.tools.values_list("pk", flat=True)))
    shown = plan_change(tools=chosen.tools(catalog), change=change).fingerprint
    with pytest.raises(PlanMoved):
        apply_plan(catalog=catalog, chosen=chosen, change=change, fingerprint=shown)
    assert not catalog.tools.filter(owner="ops").exists()


def test_deleting_says_what_uses_the_tools_and_asks_again_where_that_changed(
    signed_in: Client, catalog: Catalog
) -> None:
    chosen = ids(catalog, "find_payment", "settle_bill")
    answer = ask(signed_in, "remove", chosen=chosen)
    removal = answer.context["removal"]
    uses = {str(kind): list(names) for kind, names in removal.uses}
    assert uses["Groups"] == [("billing", 2)]
    assert uses["Served unasked as"] == [("default tool", 1)]
    rule = catalog.intentrules.create(phrases=["x"])
    rule.tools.add(catalog.tools.get(name="settle_bill"))
    answer = ask(signed_in, "delete", 409, chosen=chosen, shown=removal.fingerprint)
    assert "Intent rules" in answer.content.decode()
    shown = answer.context["removal"].fingerprint
    ask(signed_in, "delete", 302, chosen=chosen, shown=shown)
    assert catalog.tools.count() == 32
    assert not rule.tools.exists()


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"set_owner": "a", "empty_owner": "on"}, "not both"),
        ({"add_tags": "a\nb", "remove_tags": "b"}, "Both to add and to take away: b."),
        ({"set_side_effect": "maybe"}, "Select a valid choice"),
        ({"add_tags": "x" * 101}, "longer than 100"),
        ({"add_groups": "999999"}, "no longer in the catalog"),
    ],
)
def test_a_form_that_contradicts_itself_is_not_gone_on_with(
    signed_in: Client, catalog: Catalog, sent: dict[str, Any], reason: str
) -> None:
    answer = ask(signed_in, "change", 422, chosen=ids(catalog, "find_payment"), **sent)
    assert reason in answer.content.decode()


def test_without_javascript_a_search_for_groups_keeps_what_was_typed(
    signed_in: Client, catalog: Catalog
) -> None:
    stock = catalog.groups.get(name="stock")
    sent: dict[str, Any] = {
        "chosen": ids(catalog, "find_payment"),
        "set_owner": "ops",
        "add_groups": [stock.pk],
    }
    sent |= {"remove_groups-q": "bill"}
    form = ask(signed_in, "change", **sent).context["form"]
    page = str(form["remove_groups"])
    assert "billing" in page
    assert form["set_owner"].value() == "ops"
    assert f'value="{stock.pk}" checked' in str(form["add_groups"])


def test_tools_that_are_gone_or_of_another_catalog_are_told_of_and_not_touched(
    signed_in: Client, catalog: Catalog
) -> None:
    other = draft_of("refunds")
    foreign = other.tools.first()
    assert foreign
    sent: dict[str, Any] = {
        "chosen": f"{ids(catalog, 'find_payment')},{foreign.pk}",
        "set_owner": "ops",
    }
    answer = ask(signed_in, "", **sent)
    assert "1 tool that was chosen is no longer" in answer.content.decode()
    make(signed_in, **sent)
    assert [tool.name for tool in Tool.objects.filter(owner="ops")] == ["find_payment"]


def test_ticks_stand_in_the_address_where_there_is_no_javascript(
    signed_in: Client, catalog: Catalog
) -> None:
    one, two = ids(catalog, "find_payment"), ids(catalog, "settle_bill")
    answer = signed_in.get(LIST, {"q": "find_payment", "tool": one, "chosen": two})
    page = answer.content.decode()
    assert answer.context["ticked_elsewhere"] == [int(two)]
    assert f'value="{one}" autocomplete="off" aria-label="Tick find_payment" checked' in page
    assert f'<input type="hidden" name="chosen" value="{two}">' in page
    assert 'name="every" value="q=find_payment"' in page


def test_nothing_chosen_leads_back_to_the_list(signed_in: Client, db: None) -> None:
    empty_catalog()
    page = signed_in.get("/catalogs/empty/tools/-/bulk?every=").content.decode()
    assert "No tool is chosen" in page
    assert 'href="/catalogs/empty/tools"' in page


def test_what_is_asked_of_the_database_grows_by_batches_and_not_by_tools(db: None) -> None:
    counts = []
    for size in (40, 400):
        big = big_catalog(tools=size, groups=3)
        group = big.groups.all()[0]
        change = BulkChange(values={"owner": "ops", "enabled": False}, add_groups=[group])
        chosen = Chosen.read(QueryDict("every="))
        with CaptureQueriesContext(connection) as queries:
            shown = plan_change(tools=chosen.tools(big), change=change).fingerprint
            done = apply_plan(catalog=big, chosen=chosen, change=change, fingerprint=shown)
        assert done.changed == size
        counts.append(len(queries))
    assert counts[1] - counts[0] < 20
