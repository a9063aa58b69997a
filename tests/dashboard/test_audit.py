"""The page of the audit log: who did what; filtered, taken along, taken back."""

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

from catalog.models import Catalog, Tool
from catalog.recording import acting, note_deed, recorded
from catalog.roles import Role
from dashboard.audit_log import OPERATIONS
from dashboard.audit_words import ACTIONS, KINDS
from tests.drafts import draft_of, edited
from tests.members import client_of, member

pytestmark = pytest.mark.django_db


def log(catalog: Catalog) -> str:
    return reverse("dashboard:audit", kwargs={"catalog": catalog.name})


def page(client: Client, catalog: Catalog, **query: str) -> str:
    return client.get(log(catalog), query).content.decode()


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
