"""The audit log: what was done, by whom, from what to what; filtered, taken along, taken back."""

import csv
import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

from catalog.models import AuditEntry, Catalog, IntentRule, KeywordRule, Phase, Route, Tool
from catalog.recording import acting, note_deed, recorded
from catalog.roles import Role
from dashboard.audit_changes import changes_of
from dashboard.audit_log import OPERATIONS
from dashboard.audit_words import ACTIONS, KINDS
from tests.drafts import draft_of
from tests.members import client_of, member

pytestmark = pytest.mark.django_db


def log(catalog: Catalog) -> str:
    return reverse("dashboard:audit", kwargs={"catalog": catalog.name})


def page(client: Client, catalog: Catalog, **query: str) -> str:
    return client.get(log(catalog), query).content.decode()


def edited(catalog: Catalog, **values: Any) -> Any:
    """Change a tool as an operation, and return it."""
    with recorded(catalog=catalog) as operation:
        Tool.objects.filter(catalog=catalog, name="find_payment").update(**values)
    return operation


def sentences(entry: AuditEntry) -> list[str]:
    return [str(change) for change in changes_of(entry)]


def of(operation: Any, kind: str) -> list[str]:
    [entry] = [one for one in operation.entries if one.kind == kind]
    return sentences(entry)


# -- What entries say -----------------------------------------------------------------------------


def test_fields_are_said_as_in_differences() -> None:
    operation = edited(draft_of(), owner="ops", name="look_up", is_default=False)

    assert of(operation, "tools") == [
        "tools look_up: Renamed: it was “find_payment”.",
        "tools look_up: The owner changed. -finance +ops",
        "tools look_up: It is no longer a default tool.",
    ]


def test_a_schema_is_said_as_in_differences() -> None:
    catalog = draft_of()
    schema = catalog.tools.get(name="find_payment").input_schema

    operation = edited(catalog, input_schema={**schema, "required": []})

    [change] = of(operation, "tools")
    assert change == "tools find_payment: The argument “order_code” is optional now."


def test_parts_of_each_kind_that_come_and_go_are_said() -> None:
    catalog = draft_of()
    tool, group = catalog.tools.all()[0], catalog.groups.all()[0]

    with recorded(catalog=catalog) as came:
        phase = Phase.objects.create(catalog=catalog, name="testing", initial=True)
        phase.next.add(phase)
        route = Route.objects.create(catalog=catalog, name="support", budget_calls=5)
        route.tools.add(tool)
        keyword = KeywordRule.objects.create(catalog=catalog, pattern="pay")
        keyword.add_groups.add(group)
        IntentRule.objects.create(catalog=catalog, phrases=["a", "b"]).groups.add(group)
    with recorded(catalog=catalog) as changed:
        route.budget_calls = 7
        route.save()
        keyword.add_groups.clear()
        phase.next.clear()
    with recorded(catalog=catalog) as went:
        group.delete()

    assert of(came, "phases")[-1] == "phases testing: A phase was added."
    assert of(came, "routes") == [f"routes support: A route was added. +{tool.name}"]
    assert of(came, "keyword_rules") == [f"keyword_rules pay: A keyword rule was added. +{group}"]
    assert of(came, "intent_rules") == [f"intent_rules a, b: An intent rule was added. +{group}"]
    assert of(changed, "routes") == ["routes support: The ceiling of calls a run changed. -5 +7"]
    assert of(changed, "keyword_rules") == [
        f"keyword_rules pay: The groups that it adds changed. -{group}"
    ]
    assert of(changed, "phases") == ["phases testing: The phases that may follow changed. -testing"]
    assert of(went, "groups")[0].startswith(f"groups {group}: The group was removed.")
    [of_rule] = [sentences(one) for one in went.entries if one.subject == "a, b"]
    assert of_rule == [f"intent_rules a, b: The groups that it opens changed. -{group}"]


def test_deeds_are_said_with_what_they_changed() -> None:
    catalog = draft_of()

    entry = note_deed(
        catalog=catalog,
        action="role_given",
        kind="members",
        subject="eva",
        before={"role": "viewer"},
        after={"role": "editor"},
    )

    assert sentences(entry) == ["members eva: Role -viewer +editor"]


def test_orders_are_said() -> None:
    catalog = draft_of()
    group = catalog.groups.get(name="billing")
    first, second = group.memberships.all()[:2]
    names = f"{first.tool}, {second.tool}"

    with recorded(catalog=catalog) as operation:
        first.position, second.position = second.position, first.position
        first.save()
        second.save()
        for place, one in enumerate(reversed(catalog.phases.all())):
            one.position = place
            one.save()

    assert of(operation, "groups") == [
        f"groups billing: The order of its tools changed. -{names} +{second.tool}, {first.tool}"
    ]


# -- The page -------------------------------------------------------------------------------------


def test_the_page_says_who_did_what_and_how(signed_in: Client, user: User) -> None:
    catalog = draft_of()
    tool = catalog.tools.get(name="find_payment")
    form = signed_in.get(tool.get_absolute_url()).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields} | {"owner": "ops"}
    for name in ("tags", "scopes", "aliases", "examples", "trace_fields"):
        sent[name] = form[name].value()
    response = signed_in.post(tool.get_absolute_url(), sent)
    assert response.status_code == 302

    shown = page(signed_in, catalog)

    assert "<strong>ana</strong>" in shown
    assert "edited" in shown
    assert "The owner changed." in shown
    entry = catalog.audit_entries.latest("id")
    assert (entry.by, entry.via, entry.after["owner"]) == (user, "page", "ops")


def test_nothing_of_another_catalog_is_shown(signed_in: Client) -> None:
    catalog, other = draft_of(), draft_of("dev-agent")
    operation = edited(catalog, owner="secret-owner")
    address = {"catalog": other.name, "operation": operation.id}

    assert "secret-owner" not in page(signed_in, other)
    assert "secret-owner" not in page(signed_in, other, operation=str(operation.id))
    undone = signed_in.post(reverse("dashboard:undo", kwargs=address), follow=True)
    assert "nothing that can be undone" in undone.content.decode()
    assert catalog.tools.get(name="find_payment").owner == "secret-owner"


def test_filters_narrow(signed_in: Client) -> None:
    catalog = draft_of()
    eva = User.objects.create_user("eva")
    with acting(by=eva, via="page"):
        edited(catalog, owner="ops")
    note_deed(
        catalog=catalog,
        action="publish",
        kind="labels",
        subject="live",
        note="Now!",
        now=datetime(2026, 3, 1, 12, tzinfo=UTC),
    )

    def acts(**query: str) -> list[str]:
        shown = signed_in.get(log(catalog), query)
        return [act.last.action for act in shown.context["log"].acts]

    assert acts() == ["publish", "edit", "fill"]
    assert acts(person="eva") == ["edit"]
    assert acts(action="publish") == ["publish"]
    assert acts(kind="tools") == ["edit"]
    assert acts(subject="PAYM") == ["edit"]
    assert acts(until="2026-03-01") == ["publish"]
    assert acts(since="2026-03-02") == ["edit", "fill"]
    assert acts(since="nonsense", operation="nonsense", before="x") == acts()
    assert acts(since="0001-01-01", until="9999-12-31") == acts()
    assert acts(person="nobody") == []


def test_pages_follow_one_another_without_gaps(
    signed_in: Client,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    catalog = draft_of()
    for number in range(OPERATIONS + 3):
        edited(catalog, owner=f"owner {number}")
    with recorded(catalog=catalog):
        catalog.tools.update(owner="all")
    for number in range(OPERATIONS - 1):
        edited(catalog, owner=f"last {number}")

    monkeypatch.setattr("dashboard.audit_log.ROWS", 7)
    seen: list[Any] = []
    before = ""
    while before is not None:
        with django_assert_max_num_queries(24):
            found = signed_in.get(log(catalog), {"before": before}).context["log"]
        seen += [act.last.operation for act in found.acts]
        before = found.next

    assert len(seen) == len(set(seen)) == 2 * OPERATIONS + 4


def test_of_an_operation_of_many_the_first_are_shown(signed_in: Client) -> None:
    catalog = draft_of()
    with recorded(catalog=catalog, action="bulk_edit") as operation:
        catalog.tools.update(owner="ops")

    shown = page(signed_in, catalog)

    assert "and 29 more" in shown
    assert page(signed_in, catalog, operation=str(operation.id)).count("The owner changed.") == 34


def test_what_somebody_wrote_is_not_markup(signed_in: Client) -> None:
    catalog = draft_of()
    edited(catalog, owner="<script>alert(1)</script>")

    shown = page(signed_in, catalog)

    assert escape("<script>alert(1)</script>") in shown
    assert "<script>alert" not in shown


def test_every_code_of_the_sources_has_words() -> None:
    sources = [
        path.read_text()
        for folder in ("catalog", "routing", "dashboard")
        for path in (settings.BASE_DIR / folder).rglob("*.py")
        if "management" not in path.parts
    ]
    codes = {
        code
        for source in sources
        for code in re.findall(r'(?:\baction(?:: str)?|\bACTION) ?= ?"([a-z_]+)"', source)
    }

    assert {"add", "publish", "bulk_edit", "role_taken"} <= codes
    assert not codes - ACTIONS.keys()


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_codes_are_said_in_each_language(language: str, signed_in: Client) -> None:
    catalog = draft_of()
    for action in ACTIONS:
        for kind in ("catalog", *KINDS):
            if action == "publish" or kind == "catalog":
                note_deed(catalog=catalog, action=action, kind=kind, after={"version": 1})
    signed_in.cookies["django_language"] = language

    assert signed_in.get(log(catalog), {"kind": "catalog"}).status_code == 200


# -- Files ----------------------------------------------------------------------------------------


def read(client: Client, catalog: Catalog, ending: str, **query: str) -> str:
    address = {"catalog": catalog.name, "ending": ending}
    response = client.get(reverse("dashboard:export_audit", kwargs=address), query)
    assert response["Content-Disposition"] == f'attachment; filename="back-office-audit.{ending}"'
    return b"".join(response).decode()


def test_the_log_is_taken_along_as_csv(signed_in: Client) -> None:
    catalog = draft_of()
    edited(catalog, owner="=HYPERLINK(1)", name="find_it")
    note_deed(catalog=catalog, action="publish", kind="labels", note="=1+1")

    rows = list(csv.DictReader(read(signed_in, catalog, "csv").splitlines()))

    assert [row["action"] for row in rows] == ["fill", "edit", "publish"]
    assert json.loads(rows[1]["after"]) == {"owner": "=HYPERLINK(1)", "name": "find_it"}
    assert rows[2]["note"] == "'=1+1"


def test_the_log_is_taken_along_as_lines_of_json(signed_in: Client) -> None:
    catalog = draft_of()
    edited(catalog, owner="ops")

    lines = read(signed_in, catalog, "jsonl", kind="tools").splitlines()

    [row] = [json.loads(line) for line in lines]
    assert (row["subject"], row["before"], row["after"]) == (
        "find_payment",
        {"owner": "finance"},
        {"owner": "ops"},
    )


def test_no_other_file_is_there(signed_in: Client) -> None:
    address = {"catalog": draft_of().name, "ending": "exe"}

    assert signed_in.get(reverse("dashboard:export_audit", kwargs=address)).status_code == 404


# -- Undo -----------------------------------------------------------------------------------------


def test_the_message_of_an_edit_takes_it_back(signed_in: Client) -> None:
    catalog = draft_of()
    path = reverse("catalog:delete_tool", kwargs={"catalog": "back-office", "tool": "find_payment"})

    told = signed_in.post(path, follow=True).content.decode()
    operation = catalog.audit_entries.latest("id").operation
    undo = reverse("dashboard:undo", kwargs={"catalog": "back-office", "operation": operation})
    assert f'action="{undo}"' in told
    assert not catalog.tools.filter(name="find_payment").exists()

    back = signed_in.post(undo, {"next": "/catalogs/back-office/tools"}, follow=True)

    assert back.redirect_chain[0][0] == "/catalogs/back-office/tools"
    assert "It is undone." in back.content.decode()
    assert catalog.tools.filter(name="find_payment").exists()


def test_a_page_that_is_gone_by_undoing_is_not_gone_back_to(signed_in: Client) -> None:
    catalog = draft_of()
    with recorded(catalog=catalog) as operation:
        Tool.objects.create(catalog=catalog, name="new")
    undo = reverse("dashboard:undo", kwargs={"catalog": catalog.name, "operation": operation.id})

    response = signed_in.post(undo, {"next": "/catalogs/back-office/tools/new"})

    assert response["Location"] == "/catalogs/back-office/tools"


def test_the_log_says_what_was_undone_and_offers_it_no_more(signed_in: Client) -> None:
    catalog = draft_of()
    operation = edited(catalog, owner="ops")
    undo = reverse("dashboard:undo", kwargs={"catalog": catalog.name, "operation": operation.id})
    assert undo in page(signed_in, catalog)

    signed_in.post(undo, {"next": log(catalog)})

    shown = page(signed_in, catalog)
    assert f'action="{undo}"' not in shown
    assert "undone" in shown
    again = catalog.audit_entries.latest("id").operation
    redo = reverse("dashboard:undo", kwargs={"catalog": catalog.name, "operation": again})
    signed_in.post(redo)
    assert catalog.tools.get(name="find_payment").owner == "ops"
    assert f'action="{undo}"' in page(signed_in, catalog)


def test_what_was_changed_since_is_said_and_stays(signed_in: Client) -> None:
    catalog = draft_of()
    operation = edited(catalog, owner="ops")
    edited(catalog, owner="sales")
    undo = reverse("dashboard:undo", kwargs={"catalog": catalog.name, "operation": operation.id})

    told = signed_in.post(undo, follow=True).content.decode()

    assert "“find_payment” changed since" in told
    assert catalog.tools.get(name="find_payment").owner == "sales"


def test_an_editor_does_not_undo_what_only_an_administrator_does() -> None:
    catalog = draft_of()
    with recorded(catalog=catalog) as operation:
        Catalog.objects.filter(pk=catalog.pk).update(keep_text=False)
    undo = reverse("dashboard:undo", kwargs={"catalog": catalog.name, "operation": operation.id})
    editor = client_of(member(catalog, Role.EDITOR))
    administrator = client_of(member(catalog, Role.ADMINISTRATOR, name="ada"))

    assert editor.post(undo).status_code == 403
    assert administrator.post(undo).status_code == 302
    assert Catalog.objects.get(pk=catalog.pk).keep_text
